import * as z from 'zod/mini'
import { boundedString, optional, requiredString } from './bounded-string.ts'
import { BUILDING_FIELDS, namesABuilding } from './building.ts'
import { ADDRESS_TEXT_LENGTH_MAX } from './limits.ts'
import { normalisePostcode } from './postcode.ts'

/** A UK postcode in any spacing and case; comes out as `SW1A 1AA`. */
export const Postcode = z.string().check(
  z.overwrite((value) => normalisePostcode(value) ?? value),
  z.refine((value) => normalisePostcode(value) !== null, 'must be a UK postcode'),
)
export type Postcode = z.infer<typeof Postcode>

const optionalLine = optional(boundedString(ADDRESS_TEXT_LENGTH_MAX))
const aboveTown = {
  subBuildingName: optionalLine,
  buildingName: optionalLine,
  buildingNumber: optionalLine,
  thoroughfare: optionalLine,
  district: optionalLine,
}

/** ISO 3166-1 alpha-2, for example `GB`. */
const CountryCode = z
  .string()
  .check(z.trim(), z.toUpperCase(), z.regex(/^[A-Za-z]{2}$/, 'must be a two-letter country code such as GB'))

/** A UK address as it is sent. At least one of the building fields must say which door it is. */
export const UkAddress = z
  .object({
    ...aboveTown,
    townOrCity: requiredString(ADDRESS_TEXT_LENGTH_MAX),
    county: optionalLine,
    country: optional(CountryCode),
    postcode: Postcode,
  })
  .check(
    z.refine(namesABuilding, {
      error: `needs at least one of ${BUILDING_FIELDS.join(', ')}`,
      // Reported together with other problems, so that a person can fix them all at once.
      when: ({ value }) => typeof value === 'object' && value !== null,
    }),
  )
export type UkAddress = z.infer<typeof UkAddress>

/**
 * An address as an address service knows it: whatever of it is a string and not too long. What is missing, the consumer
 * adds.
 */
export const FoundAddress = z.object({
  ...aboveTown,
  townOrCity: optionalLine,
  county: optionalLine,
  postcode: optionalLine,
})
export type FoundAddress = z.infer<typeof FoundAddress>

export const ADDRESS_TYPE_DEFAULT = 'current'

export const AddressEntry = z.object({
  /** The kind of address, for example `current` or `previous`. */
  type: z.pipe(
    z.nullish(requiredString(ADDRESS_TEXT_LENGTH_MAX)),
    z.transform((type) => type ?? ADDRESS_TYPE_DEFAULT),
  ),
  ukAddress: UkAddress,
})
export type AddressEntry = z.infer<typeof AddressEntry>
