// What a text has in common with others, as indexes that say nothing about the person behind them.
import type { GenerateRequest } from '../../contract/generate.ts'
import { keyedIndex } from '../../kit/keys.ts'
import { householdOf } from '../../kit/network.ts'
import type { Trait } from './limits.ts'

export type TextTraits = { [trait in Trait]: string }

export type TextFacts = {
  tenantId: string
  /** In international form, so that every way of writing it is the same number. */
  mobileNumber: string
  ipAddress: string
  /** The device's session. Anything coarser would count strangers with the same telephone as one. */
  sessionId: string
  person: { firstName: string; lastName: string; dateOfBirth: string; postcode: string }
}

export function textFactsOf(tenantId: string, mobileNumber: string, request: GenerateRequest): TextFacts {
  const { ipAddress, sessionId, firstName, lastName, dateOfBirth, addresses } = request
  const postcode = addresses[0]?.ukAddress.postcode ?? ''
  return { tenantId, mobileNumber, ipAddress, sessionId, person: { firstName, lastName, dateOfBirth, postcode } }
}

/** Numbers whose last four digits alone differ are one range, and a range has one owner. */
const PREFIX_OMITS_DIGITS = 4

export function traitsOf(key: Uint8Array, facts: TextFacts): TextTraits {
  const index = (trait: Trait, value: string) => keyedIndex(key, `text ${trait}`, value)
  const { firstName, lastName, dateOfBirth, postcode } = facts.person
  return {
    number: index('number', facts.mobileNumber),
    prefix: index('prefix', facts.mobileNumber.slice(0, -PREFIX_OMITS_DIGITS)),
    address: index('address', householdOf(facts.ipAddress)),
    device: index('device', facts.sessionId),
    person: index('person', [firstName, lastName, dateOfBirth, postcode].join('\n').normalize('NFKC').toLowerCase()),
    tenant: index('tenant', facts.tenantId),
  }
}
