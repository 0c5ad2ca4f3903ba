import * as z from 'zod/mini'
import { ADDRESS_TEXT_LENGTH_MAX } from './limits.ts'
import { Postcode } from './postcode.ts'
import { requiredText, text } from './text.ts'

export const BUILDING_FIELDS = ['subBuildingName', 'buildingName', 'buildingNumber'] as const

const optionalLine = z.optional(text(ADDRESS_TEXT_LENGTH_MAX))

/** A UK address as it is sent. At least one of the building fields must say which door it is. */
export const UkAddress = z
  .object({
    subBuildingName: optionalLine,
    buildingName: optionalLine,
    buildingNumber: optionalLine,
    thoroughfare: optionalLine,
    district: optionalLine,
    townOrCity: requiredText(ADDRESS_TEXT_LENGTH_MAX),
    county: optionalLine,
    country: optionalLine,
    postcode: Postcode,
  })
  .check(
    z.refine(namesABuilding, {
      error: `needs at least one of ${BUILDING_FIELDS.join(', ')}`,
      // Said even when other fields are wrong too, so that a person mends everything in one go.
      when: ({ value }) => typeof value === 'object' && value !== null,
    }),
  )
export type UkAddress = z.infer<typeof UkAddress>

/** True when the address says which building; spaces alone say nothing. */
export function namesABuilding(address: { [field in (typeof BUILDING_FIELDS)[number]]?: unknown }): boolean {
  return BUILDING_FIELDS.some((field) => {
    const value = address[field]
    return typeof value === 'string' && value.trim() !== ''
  })
}

export const AddressEntry = z.object({
  /** Which address of the consumer's this is, for example `current` or `previous`. */
  type: z._default(requiredText(ADDRESS_TEXT_LENGTH_MAX), 'current'),
  ukAddress: UkAddress,
})
export type AddressEntry = z.infer<typeof AddressEntry>
