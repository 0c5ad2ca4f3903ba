// Reads what was typed about an address, and adds up how much history a list of them covers. Pure.

import type { UkAddress } from '../../contract/address.ts'
import { namesABuilding } from '../../contract/building.ts'
import { ADDRESS_TEXT_LENGTH_MAX } from '../../contract/limits.ts'
import { normalisePostcode } from '../../contract/postcode.ts'
import { monthCount, readMonth, readNumber, splitDate } from './date.ts'
import { type Fields, type Problem, typed } from './problem.ts'

/** The lines of an address that hold text, in the order they are asked for. */
export const ADDRESS_FIELDS = [
  'buildingNumber',
  'buildingName',
  'subBuildingName',
  'thoroughfare',
  'district',
  'townOrCity',
  'postcode',
] as const

/** Most addresses one journey asks for. */
export const ADDRESSES_ASKED_MAX = 6

export type AddressRules = {
  today: string
  /** How many months of addresses the lender needs; 0 asks for no dates. */
  historyMonths: number
  /** `YYYY-MM-DD`, when it is known. */
  dateOfBirth?: string | undefined
  /** The other addresses given. */
  others: readonly Fields[]
  /** Where the consumer moved to from here. */
  newer?: Fields | undefined
  /** Where the consumer lived before here. */
  older?: Fields | undefined
}

export function findAddressProblems(fields: Fields, rules: AddressRules): Problem[] {
  const problems: Problem[] = []
  if (!namesABuilding(fields)) problems.push({ field: 'building', focus: 'buildingNumber', words: 'buildingMissing' })
  if (!typed(fields, 'townOrCity')) problems.push({ field: 'townOrCity', words: 'townOrCityMissing' })
  problems.push(...findPostcodeProblems(fields))
  for (const field of ADDRESS_FIELDS)
    if (typed(fields, field).length > ADDRESS_TEXT_LENGTH_MAX)
      problems.push({ field, words: 'tooLong', label: field, values: { n: ADDRESS_TEXT_LENGTH_MAX } })
  if (rules.historyMonths > 0) problems.push(...findMovedProblems(fields, rules))
  if (problems.length === 0 && rules.others.some((other) => oneLine(other) === oneLine(fields)))
    problems.push({ field: 'postcode', words: 'addressTwice' })
  return problems
}

export function findPostcodeProblems(fields: Fields): Problem[] {
  const field = 'postcode'
  const text = typed(fields, field)
  if (!text) return [{ field, words: 'postcodeMissing' }]
  if (normalisePostcode(text)) return []
  if (/^bfpo/i.test(text)) return [{ field, words: 'postcodeBfpo' }]
  if (normalisePostcode(`${text}1AA`))
    return [{ field, words: 'postcodeHalf', values: { outward: text.toUpperCase() } }]
  return [{ field, words: 'postcodeShape' }]
}

/** The address as the request wants it; call it only when there are no problems. */
export function readAddress(fields: Fields): UkAddress {
  const postcode = typed(fields, 'postcode')
  const lines = ADDRESS_FIELDS.flatMap((field) => (typed(fields, field) ? [[field, typed(fields, field)]] : []))
  return {
    ...Object.fromEntries(lines),
    townOrCity: typed(fields, 'townOrCity'),
    postcode: normalisePostcode(postcode) ?? postcode,
  }
}

/** The address as it would be written on an envelope. */
export function addressLines(fields: Fields): string[] {
  const join = (...names: string[]) => names.map((name) => typed(fields, name)).filter(Boolean)
  return [
    join('subBuildingName', 'buildingName').join(', '),
    join('buildingNumber', 'thoroughfare').join(' '),
    ...join('district', 'townOrCity'),
    readAddress(fields).postcode,
  ].filter(Boolean)
}

/** How many months these addresses reach back from today; the oldest one's date decides. */
export function monthsCovered(addresses: readonly Fields[], today: string): number {
  const oldest = addresses.at(-1)
  if (!oldest) return 0
  const { year, month } = splitDate(today)
  return Math.max(0, monthCount(year, month) - movedMonthCount(oldest))
}

/** Whether another address has to be asked for. */
export function needsOlderAddress(addresses: readonly Fields[], today: string, historyMonths: number): boolean {
  return addresses.length < ADDRESSES_ASKED_MAX && monthsCovered(addresses, today) < historyMonths
}

function findMovedProblems(fields: Fields, { today, dateOfBirth, newer, older }: AddressRules): Problem[] {
  const problem = (words: Problem['words'], focus = 'movedMonth'): Problem[] => [{ field: 'moved', focus, words }]
  const month = readMonth(typed(fields, 'movedMonth'))
  const year = readNumber(typed(fields, 'movedYear'))
  if (!month || !year)
    return problem(Number.isNaN(month + year) ? 'movedUnreal' : 'movedMissing', month ? 'movedYear' : 'movedMonth')
  if (month > 12 || year < 1000) return problem('movedUnreal', year < 1000 ? 'movedYear' : 'movedMonth')
  const moved = monthCount(year, month)
  const now = splitDate(today)
  if (moved > monthCount(now.year, now.month)) return problem('movedFuture')
  if (dateOfBirth) {
    const birth = splitDate(dateOfBirth)
    if (moved < monthCount(birth.year, birth.month)) return problem('movedBeforeBirth')
  }
  const overlaps = (newer && moved > movedMonthCount(newer)) || (older && moved < movedMonthCount(older))
  return overlaps ? problem('movedOverlap') : []
}

function movedMonthCount(fields: Fields): number {
  return monthCount(readNumber(typed(fields, 'movedYear')), readMonth(typed(fields, 'movedMonth')))
}

function oneLine(fields: Fields): string {
  return addressLines(fields).join('\n').toLowerCase()
}
