import { hash } from 'node:crypto'
import type { AddressEntry } from '../../contract/address.ts'
import type { Residency } from '../../contract/credit-report.ts'

const CURRENT = 'current'
const MONTHS_PER_YEAR = 12

/** The consumer's addresses, current first. `monthsAtAddresses` follows the order of `addresses`; unknown is 0. */
export function residenciesOf(
  addresses: readonly AddressEntry[],
  monthsAtAddresses: readonly number[] = [],
): Residency[] {
  // A request that calls no address current means its first.
  const currentIndex = addresses.findIndex((entry) => entry.type.toLowerCase() === CURRENT)
  const residencies = new Map<string, Residency>()
  addresses.forEach((entry, index) => {
    const isCurrent = index === Math.max(0, currentIndex)
    const residency = residencyOf(entry, isCurrent, monthsAtAddresses[index] ?? 0)
    // The same address twice is one residency; `current` outweighs `previous`.
    if (isCurrent || !residencies.has(residency.addressId)) residencies.set(residency.addressId, residency)
  })
  return [...residencies.values()].sort((one, other) => Number(other.isCurrent) - Number(one.isCurrent))
}

function residencyOf({ ukAddress }: AddressEntry, isCurrent: boolean, months: number): Residency {
  const filled = Object.fromEntries(Object.entries(ukAddress).filter(([, value]) => value))
  const lines = linesOf(ukAddress)
  return {
    addressId: addressIdOf(ukAddress),
    address: { type: 'uk', ukAddress: filled, addressLine1: lines.join(', '), lines },
    yearsAtAddress: Math.floor(months / MONTHS_PER_YEAR),
    monthsAtAddress: months % MONTHS_PER_YEAR,
    isCurrent,
  }
}

type UkAddress = AddressEntry['ukAddress']

/** As an envelope would be addressed: `Flat 2`, `Rose House`, `12 High Street`, … */
function linesOf(address: UkAddress): string[] {
  const street = [address.buildingNumber, address.thoroughfare].filter(Boolean).join(' ')
  const { subBuildingName, buildingName, district, townOrCity, county, postcode } = address
  return [subBuildingName, buildingName, street, district, townOrCity, county, postcode].flatMap((line) => line || [])
}

const ADDRESS_ID_LENGTH = 16

/** The same door has the same id in every report, however its address was capitalised. */
function addressIdOf(address: UkAddress): string {
  const { subBuildingName, buildingName, buildingNumber, thoroughfare, townOrCity, postcode } = address
  const door = [subBuildingName, buildingName, buildingNumber, thoroughfare, townOrCity, postcode]
  return hash('sha256', JSON.stringify(door.map(foldLine)), 'hex').slice(0, ADDRESS_ID_LENGTH)
}

function foldLine(value: string | undefined): string {
  return (value ?? '').toLowerCase().replace(/\s+/g, ' ')
}
