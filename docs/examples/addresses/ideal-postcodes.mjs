// Ideal Postcodes, postcode lookup.
export async function findAddresses(postcode, signal) {
  const response = await fetch(`https://api.ideal-postcodes.co.uk/v1/postcodes/${encodeURIComponent(postcode)}`, {
    headers: { Authorization: `api_key="${process.env.IDEAL_POSTCODES_KEY}"` },
    signal,
  })
  // A postcode that does not exist is 404 with code 4040; any other 404 is a mistake in the request.
  const { code, result } = await response.json()
  if (code === 4040) return []
  if (!response.ok) throw new Error(`Ideal Postcodes answered ${response.status}, code ${code}`)
  return result.map((address) => ({
    subBuildingName: address.sub_building_name,
    buildingName: address.building_name || address.organisation_name,
    buildingNumber: address.building_number,
    thoroughfare: [address.dependant_thoroughfare, address.thoroughfare].filter(Boolean).join(', '),
    district: [address.double_dependant_locality, address.dependant_locality].filter(Boolean).join(', '),
    townOrCity: address.post_town,
    postcode: address.postcode,
  }))
}
