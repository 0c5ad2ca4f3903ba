// Ordnance Survey, OS Places API. Its text is in capitals, which the agencies do not mind.
export async function findAddresses(postcode, signal) {
  const url = new URL('https://api.os.uk/search/places/v1/postcode')
  url.search = String(new URLSearchParams({ postcode, dataset: 'DPA', maxresults: '100' }))
  const response = await fetch(url, { headers: { key: process.env.OS_PLACES_KEY }, signal })
  if (!response.ok) throw new Error(`OS Places answered ${response.status}`)
  // A postcode without addresses has no `results`.
  const { results = [] } = await response.json()
  return results.map(({ DPA }) => ({
    subBuildingName: DPA.SUB_BUILDING_NAME,
    buildingName: DPA.BUILDING_NAME ?? DPA.ORGANISATION_NAME,
    buildingNumber: DPA.BUILDING_NUMBER,
    thoroughfare: [DPA.DEPENDENT_THOROUGHFARE_NAME, DPA.THOROUGHFARE_NAME].filter(Boolean).join(', '),
    district: [DPA.DOUBLE_DEPENDENT_LOCALITY, DPA.DEPENDENT_LOCALITY].filter(Boolean).join(', '),
    townOrCity: DPA.POST_TOWN,
    postcode: DPA.POSTCODE,
  }))
}
