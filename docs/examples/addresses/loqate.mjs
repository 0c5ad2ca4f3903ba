// Loqate (GBG), RetrieveByPostcodeAndBuilding without a building: every address of the postcode in one request.
const SERVICE = 'https://api.addressy.com/PostcodeAnywhere/Interactive/RetrieveByPostcodeAndBuilding/v1.30/json3.ws'

export async function findAddresses(postcode, signal) {
  const url = new URL(SERVICE)
  url.search = String(new URLSearchParams({ Key: process.env.LOQATE_KEY, Postcode: postcode }))
  const response = await fetch(url, { signal })
  if (!response.ok) throw new Error(`Loqate answered ${response.status}`)
  const { Items } = await response.json()
  // It answers 200 to everything; an error is its only item.
  if (Items[0]?.Error) throw new Error(`Loqate refused: ${Items[0].Error} ${Items[0].Description}`)
  return Items.map((address) => ({
    subBuildingName: address.SubBuilding,
    buildingName: address.BuildingName || address.Company,
    buildingNumber: address.BuildingNumber,
    thoroughfare: [address.SecondaryStreet, address.PrimaryStreet].filter(Boolean).join(', '),
    district: [address.DoubleDependentLocality, address.DependentLocality].filter(Boolean).join(', '),
    townOrCity: address.PostTown,
    postcode: address.Postcode,
  }))
}
