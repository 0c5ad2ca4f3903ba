// What a text has in common with others, as indexes that say nothing about the person behind them.
import type { GenerateRequest } from '../../contract/generate.ts'
import { foldName } from '../../kit/fold-name.ts'
import { keyedIndex } from '../../kit/keys.ts'
import { ownersOf } from '../../kit/network.ts'
import type { Trait } from './text-limits.ts'

export type TextTraits = { [trait in Trait]: string }

export type TextFacts = {
  tenantId: string
  /** In international form, so that every way of writing it is the same number. */
  mobileNumber: string
  ipAddress: string
  /** The device's session. Anything coarser would count strangers with the same telephone as one. */
  sessionId: string
  /** However they are spelt. Another current postcode counts as another person: how often a file is searched is limited without it. */
  person: { lastName: string; dateOfBirth: string; postcode: string }
}

export function textFactsOf(tenantId: string, mobileNumber: string, request: GenerateRequest): TextFacts {
  const { ipAddress, sessionId } = request
  return { tenantId, mobileNumber, ipAddress, sessionId, person: personOf(request) }
}

type Named = Pick<GenerateRequest, 'lastName' | 'dateOfBirth' | 'addresses'>

function personOf({ lastName, dateOfBirth, addresses }: Named): TextFacts['person'] {
  const current = addresses.find(({ type }) => type === 'current') ?? addresses[0]
  return { lastName, dateOfBirth, postcode: current?.ukAddress.postcode ?? '' }
}

/** One person, for one lender: the same for everyone a bureau would take for the same. */
export function personIndexOf(key: Uint8Array, tenantId: string, named: Named): string {
  return indexOfPerson(key, tenantId, personOf(named))
}

/**
 * One person's credit file, for one lender. Without an address: bureaus also search previous ones, so an invented current address before the
 * true one would find the same file as often as one likes. Twins share the limit.
 */
export function fileIndexOf(key: Uint8Array, tenantId: string, { lastName, dateOfBirth }: Named): string {
  return keyedIndex(key, 'searched file', [tenantId, foldSurname(lastName), dateOfBirth].join('\n'))
}

function indexOfPerson(
  key: Uint8Array,
  tenantId: string,
  { lastName, dateOfBirth, postcode }: TextFacts['person'],
): string {
  return keyedIndex(key, 'text person', [tenantId, foldSurname(lastName), dateOfBirth, foldName(postcode)].join('\n'))
}

/** Numbers whose last four digits alone differ are one range, and a range has one owner. */
const PREFIX_OMITS_DIGITS = 4

export function traitsOf(key: Uint8Array, facts: TextFacts): TextTraits {
  const { tenantId, mobileNumber, ipAddress, sessionId } = facts
  const index = (trait: Trait, ...values: string[]) => keyedIndex(key, `text ${trait}`, values.join('\n'))
  const ofTenant = (trait: Trait, ...values: string[]) => index(trait, tenantId, ...values)
  const prefix = mobileNumber.slice(0, -PREFIX_OMITS_DIGITS)
  const [home, block, site] = ownersOf(ipAddress)
  return {
    number: ofTenant('number', mobileNumber),
    everywhere: index('everywhere', mobileNumber),
    prefix: ofTenant('prefix', prefix),
    source: ofTenant('source', prefix, home),
    address: ofTenant('address', home),
    block: ofTenant('block', block),
    site: ofTenant('site', site),
    device: ofTenant('device', sessionId),
    person: indexOfPerson(key, tenantId, facts.person),
    tenant: ofTenant('tenant'),
  }
}

const TITLES = new Set(['mr', 'mrs', 'ms', 'miss', 'mx', 'dr', 'prof', 'sir', 'dame', 'lord', 'lady'])

/** Titles and initials in front of a surname do not make another person either. */
function foldSurname(lastName: string): string {
  const words = lastName.split(/\s/).map(foldName)
  return words.filter((word) => word.length > 1 && !TITLES.has(word)).join('') || words.join('')
}
