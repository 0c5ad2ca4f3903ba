// The fields of an address, and how much history a list of addresses covers. Pure.
import type { UkAddress } from '../../contract/address.ts'
import { ADDRESS_TEXT_LENGTH_MAX } from '../../contract/limits.ts'
import { normalisePostcode } from '../../contract/postcode.ts'
import type { StringKey } from '../strings/en.ts'
import { monthCount, readMonth, readNumber, splitDate, writeNumber } from './date.ts'
import { type FieldTable, findProblems, readWire, sendAsTyped } from './field.ts'
import type { Problem } from './problem.ts'
import { type AddressWireField, readInput, type Typed } from './typed.ts'

/** Most addresses one journey asks for. */
export const ADDRESSES_ASKED_MAX = 6

export type AddressRules = {
  today: string
  /** The months of addresses the lender needs; 0 asks for no dates. */
  historyMonths: number
  /** `YYYY-MM-DD`, when it is known. */
  dateOfBirth?: string | undefined
  /** The address the consumer moved to from here. */
  newer?: Typed | undefined
  /** The address the consumer lived at before here. */
  older?: Typed | undefined
}

/** In the order they are asked for. */
export const ADDRESS_FIELDS = {
  building: {
    inputs: { buildingNumber: { width: 'w5' }, buildingName: {}, subBuildingName: {} },
    hint: 'buildingHint',
    missing: 'buildingMissing',
    lengthMax: ADDRESS_TEXT_LENGTH_MAX,
    wire: { ...sendAsTyped('buildingNumber'), ...sendAsTyped('buildingName'), ...sendAsTyped('subBuildingName') },
  },
  thoroughfare: {
    inputs: { thoroughfare: { autocomplete: 'address-line1' } },
    isOptional: true,
    lengthMax: ADDRESS_TEXT_LENGTH_MAX,
    wire: sendAsTyped('thoroughfare'),
  },
  district: {
    inputs: { district: { autocomplete: 'address-line2' } },
    isOptional: true,
    lengthMax: ADDRESS_TEXT_LENGTH_MAX,
    wire: sendAsTyped('district'),
  },
  townOrCity: {
    inputs: { townOrCity: { autocomplete: 'address-level2' } },
    missing: 'townOrCityMissing',
    lengthMax: ADDRESS_TEXT_LENGTH_MAX,
    wire: sendAsTyped('townOrCity'),
  },
  postcode: {
    inputs: { postcode: { autocomplete: 'postal-code', autocapitalize: 'characters', width: 'w10' } },
    missing: 'postcodeMissing',
    check: checkPostcode,
    wire: { postcode: readPostcode },
  },
  // When they moved in stays in the browser: it decides how many addresses are asked for.
  moved: {
    inputs: {
      movedMonth: { inputMode: 'numeric', width: 'w2' },
      movedYear: { inputMode: 'numeric', width: 'w4' },
    },
    hint: 'movedHint',
    missing: 'movedMissing',
    isAsked: (_typed, { historyMonths }) => historyMonths > 0,
    check: checkMoved,
    wire: {},
    prefill: { movedIn: fillMoved },
  },
} satisfies FieldTable<AddressRules>

export function findAddressProblems(typed: Typed, rules: AddressRules): Problem[] {
  const problems = findProblems(ADDRESS_FIELDS, typed, rules)
  // Only neighbours in time: people move away and back home.
  const neighbours = [rules.newer, rules.older].filter((address) => address !== undefined)
  if (problems.length === 0 && neighbours.some((other) => oneLine(other) === oneLine(typed)))
    problems.push({ field: 'postcode', words: 'addressTwice' })
  return problems
}

export function findPostcodeProblems(typed: Typed): Problem[] {
  const { postcode } = ADDRESS_FIELDS
  return findProblems<unknown>({ postcode }, typed, null)
}

/** The address as the request has it; call it only when there are no problems. */
export function readAddress(typed: Typed): UkAddress {
  return { townOrCity: '', postcode: '', ...readWire(ADDRESS_FIELDS, typed) }
}

/**
 * The address as it would be written on an envelope: two lines for the door, then the fields of the table in its order.
 */
export function addressLines(typed: Typed): string[] {
  const join = (separator: string, ...names: AddressWireField[]) =>
    names
      .map((name) => readInput(typed, name))
      .filter(Boolean)
      .join(separator)
  const { building, thoroughfare, ...others } = ADDRESS_FIELDS
  return [
    join(', ', 'subBuildingName', 'buildingName'),
    join(' ', 'buildingNumber', 'thoroughfare'),
    ...Object.values(readWire(others, typed)),
  ].filter(Boolean)
}

/** The months that these addresses reach back from today; the oldest one's date decides. */
export function monthsCovered(addresses: readonly Typed[], today: string): number {
  const oldest = addresses.at(-1)
  if (!oldest) return 0
  const { year, month } = splitDate(today)
  return Math.max(0, monthCount(year, month) - movedMonthCount(oldest))
}

/** True when another address has to be asked for. */
export function needsOlderAddress(addresses: readonly Typed[], today: string, historyMonths: number): boolean {
  return addresses.length < ADDRESSES_ASKED_MAX && monthsCovered(addresses, today) < historyMonths
}

function checkPostcode(typed: Typed): Problem[] {
  const postcode = readInput(typed, 'postcode')
  if (correctPostcode(postcode)) return []
  if (/^bfpo/i.test(postcode)) return [{ field: 'postcode', words: 'postcodeBfpo' }]
  if (normalisePostcode(`${postcode}1AA`))
    return [{ field: 'postcode', words: 'postcodeHalf', values: { outward: postcode.toUpperCase() } }]
  return [{ field: 'postcode', words: 'postcodeShape' }]
}

export function readPostcode(typed: Typed): string {
  const postcode = readInput(typed, 'postcode')
  return correctPostcode(postcode) ?? postcode
}

function checkMoved(typed: Typed, { today, dateOfBirth, newer, older }: AddressRules): Problem[] {
  // About one of the two where it is known which.
  const problem = (words: StringKey, part?: 'movedMonth' | 'movedYear'): Problem[] => [
    { field: 'moved', focus: part ?? 'movedMonth', words, ...(part && { parts: [part] }) },
  ]
  const month = readMonth(readInput(typed, 'movedMonth'))
  const year = readNumber(readInput(typed, 'movedYear'))
  if (!month || !year)
    return problem(Number.isNaN(month + year) ? 'movedUnreal' : 'movedMissing', month ? 'movedYear' : 'movedMonth')
  if (year < 1000) return problem('movedShortYear', 'movedYear')
  if (month > 12) return problem('movedUnreal', 'movedMonth')
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

function movedMonthCount(typed: Typed): number {
  return monthCount(readNumber(readInput(typed, 'movedYear')), readMonth(readInput(typed, 'movedMonth')))
}

function oneLine(typed: Typed): string {
  return addressLines(typed).join('\n').toLowerCase()
}

function fillMoved(known: string): Typed {
  const { year, month } = splitDate(known)
  return { movedMonth: writeNumber(month), movedYear: writeNumber(year) }
}

// Characters that keyboards and copying put into postcodes.
const lookalikes: { [character: string]: string } = { O: '0', 0: 'O', I: '1', 1: 'I' }

/**
 * `SWIA 1AA` → `SW1A 1AA`: the one postcode there is when O and 0, I and 1 may be swapped; null when there is none, or
 * a choice.
 */
export function correctPostcode(postcode: string): string | null {
  // Keyboards of East Asia write letters and digits in full width.
  const typed = postcode.slice(0, POSTCODE_TYPED_MAX).normalize('NFKC')
  const asTyped = normalisePostcode(typed)
  if (asTyped) return asTyped
  const found = new Set(swap(typed.toUpperCase()).flatMap((each) => normalisePostcode(each) ?? []))
  const [only] = found
  return found.size === 1 && only ? only : null
}

const SWAPS_MAX = 5
const POSTCODE_TYPED_MAX = 40

/** The typed text with its lookalikes swapped in every combination. */
function swap(typed: string): string[] {
  const places = [...typed].flatMap((character, index) => (lookalikes[character] ? [index] : [])).slice(0, SWAPS_MAX)
  return places.reduce<string[]>(
    (variants, place) =>
      variants.flatMap((each) => [
        each,
        each.slice(0, place) + (lookalikes[each.charAt(place)] ?? '') + each.slice(place + 1),
      ]),
    [typed],
  )
}
