import type { FoundAddress } from '../contract/address.ts'
import { FOUND_ADDRESSES_MAX } from '../contract/limits.ts'

const STREETS = ['Orchard Lane', 'Weir Street', 'Marlpit Road', 'St Aldhelm’s Close', 'Kiln Row', 'Lower Green']
const TOWNS = ['Ambleford', 'Wrenbury Cross', 'Harrowby', 'Tarnside']
const HOUSES_MAX = 9
/** The first digit after the space decides how many there are. */
const COUNTS: { [digit: string]: number } = { 0: 0, 8: 1, 9: FOUND_ADDRESSES_MAX }

/**
 * The addresses of test mode: none of them exists, and a postcode always has the same ones. `… 0AA` has none, `… 8AA` one, `… 9AA` a hundred;
 * any other a few houses, two flats and a cottage. For development also good as `findAddresses` itself.
 */
export function inventAddresses(postcode: string): FoundAddress[] {
  const seed = [...postcode].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7)
  const street = { thoroughfare: STREETS[seed % STREETS.length], townOrCity: TOWNS[seed % TOWNS.length], postcode }
  const count = COUNTS[postcode.split(' ')[1]?.charAt(0) ?? '']
  const houses = Array.from({ length: count ?? HOUSES_MAX }, (_, index) => ({
    buildingNumber: String(index + 1),
    ...street,
  }))
  if (count !== undefined) return houses
  const flats = ['Flat 1', 'Flat 2'].map((subBuildingName) => ({
    subBuildingName,
    buildingName: 'Mill House',
    buildingNumber: '10',
    ...street,
  }))
  return [...houses, ...flats, { buildingName: 'Rose Cottage', ...street }]
}
