// The options of `decide()` and `completed()`, read strictly: a decision must not be made on a name that was misspelt.
import type { ConsumerDetails } from '../contract/consumer-details.ts'
import { normalisePostcode } from '../contract/postcode.ts'
import { foldName } from '../kit/fold-name.ts'
import { isIdentifier } from './check/route.ts'
import { describe, kindOf, requireNames } from './known-names.ts'
import { readReference } from './reference.ts'

export type WhichCheck = {
  /**
   * The reference from your own session: only the newest check made for it counts, and only in the browser that made
   * it. Absent: the latest check of this browser, whatever it was for.
   */
  externalReference?: string | number | undefined
}

export type DecideOptions = WhichCheck & {
  /**
   * The customer's details, as you know them; the whole `prefill` will do. A report about another person is a
   * `mismatch`.
   */
  expect?: Expect
}

export type LinkDecideOptions = Pick<DecideOptions, 'expect'>

type Expect = {
  lastName?: string | undefined
  dateOfBirth?: string | undefined
  /** Compared where you give it: twins share the rest. */
  firstName?: string | undefined
  /** Of the current address. Compared where you give it. */
  postcode?: string | undefined
}

/** `undefined`: any reference will do. `null`: the session that should have said it has ended, so none will. */
export type Reference = string | null | undefined

export type Expected = { lastName: string; dateOfBirth: string; firstName?: string; postcode?: string }

type NotCompared = Exclude<keyof ConsumerDetails, keyof Expected | 'sessionId' | 'livedAbroad' | 'consent'>

/** The rest of a `prefill`: accepted and not compared. */
const NOT_COMPARED: { [name in NotCompared]: true } = {
  title: true,
  middleName: true,
  gender: true,
  mobileNumber: true,
  email: true,
  addresses: true,
}

/** Throws a `TypeError` or `RangeError` that names the option and what was expected. */
export function readDecideOptions(options: DecideOptions): { reference: Reference; expected: Expected | null } {
  return { reference: readWhich('decide', options, ['expect']), expected: readExpected('decide', options) }
}

export function readLinkOptions(linkId: unknown, options: LinkDecideOptions): Expected | null {
  if (typeof linkId !== 'string' || !isIdentifier(linkId)) {
    throw new TypeError(`decideLink: the first argument must be the id of a link, not ${describe(linkId)}`)
  }
  requireNames(options, ['expect'], { by: 'decideLink' })
  return readExpected('decideLink', options)
}

export function readWhich(by: string, options: WhichCheck, more: readonly string[] = []): Reference {
  if (typeof options !== 'object' || options === null) {
    throw new TypeError(`${by}: its options must be an object such as { externalReference }, not ${describe(options)}`)
  }
  requireNames(options, ['externalReference', ...more], { by })
  if (!('externalReference' in options)) return undefined
  return readReference(`${by}: \`externalReference\``, options.externalReference) ?? null
}

/** Named and empty is a mistake: an expectation with nothing in it would let everyone pass. */
function readExpected(by: string, options: DecideOptions): Expected | null {
  if (!('expect' in options)) return null
  const given: unknown = options.expect
  if (typeof given !== 'object' || given === null) {
    throw new TypeError(`${by}: \`expect\` must be an object with lastName and dateOfBirth, not ${describe(given)}`)
  }
  requireNames(given, ['lastName', 'dateOfBirth', 'firstName', 'postcode', ...Object.keys(NOT_COMPARED)], {
    by,
    prefix: 'expect.',
  })
  const { lastName, dateOfBirth, firstName, postcode }: { [name in keyof Expect]: unknown } = given
  if (typeof dateOfBirth !== 'string' || !/^\d{4}-\d{2}-\d{2}$/.test(dateOfBirth)) {
    throw new TypeError(`${by}: \`expect.dateOfBirth\` must be a date such as 1990-04-01, not ${kindOf(dateOfBirth)}`)
  }
  return {
    lastName: readName(by, 'lastName', lastName),
    dateOfBirth,
    ...(firstName !== undefined && { firstName: readName(by, 'firstName', firstName) }),
    ...(postcode !== undefined && { postcode: readPostcode(by, postcode) }),
  }
}

function readName(by: string, name: 'firstName' | 'lastName', value: unknown): string {
  const folded = typeof value === 'string' ? foldName(value) : ''
  if (folded !== '') return folded
  throw new TypeError(`${by}: \`expect.${name}\` must be a name, not ${kindOf(value)}`)
}

function readPostcode(by: string, value: unknown): string {
  const postcode = typeof value === 'string' ? normalisePostcode(value) : null
  if (postcode) return postcode
  throw new TypeError(`${by}: \`expect.postcode\` must be a UK postcode, not ${kindOf(value)}`)
}
