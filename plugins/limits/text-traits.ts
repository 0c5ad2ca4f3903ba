// Traits that a text shares with others, as indexes that say nothing about the person behind them.
import type { Match } from '../../contract/credit-report.ts'
import { keyedIndex } from '../../kit/keys.ts'
import { ownersOf } from '../../kit/network.ts'
import { type Person, personIndexOf } from '../../service/check/person-index.ts'
import type { Trait } from './text-limits.ts'

export type TextTraits = { [trait in Trait]: string }

export type TextFacts = {
  tenantId: string
  /** In international form, so that every way of writing it is the same number. */
  mobileNumber: string
  ipAddress: string
  /** The device's session. Anything coarser would count strangers with the same telephone as one. */
  sessionId: string
  /**
   * However they are spelt. Another current postcode counts as another person: how often a file is searched is limited
   * without it.
   */
  consumer: Person
  /** The match of number and person. */
  match: Match | null
}

/** Numbers whose last four digits alone differ are one range, and a range has one owner. */
const PREFIX_OMITS_DIGITS = 4

export function traitsOf(key: Uint8Array, facts: TextFacts): TextTraits {
  const { tenantId, mobileNumber, ipAddress, sessionId } = facts
  const isMatched = facts.match === 'matched'
  const index = (trait: Trait, ...values: string[]) => keyedIndex(key, `text ${trait}`, values.join('\n'))
  const ofTenant = (trait: Trait, ...values: string[]) => index(trait, tenantId, ...values)
  const prefix = mobileNumber.slice(0, -PREFIX_OMITS_DIGITS)
  const [home, block, site] = ownersOf(ipAddress)
  // Texts to a number that is known for the person count apart: without that number their place cannot be used up.
  const ofNumber = (trait: Trait, value: string) => ofTenant(trait, value, ...(isMatched ? ['matched'] : []))
  const person = personIndexOf(key, tenantId, facts.consumer)
  return {
    number: ofNumber('number', mobileNumber),
    everywhere: index('everywhere', mobileNumber),
    prefix: ofNumber('prefix', prefix),
    source: ofTenant('source', prefix, home),
    address: ofTenant('address', home),
    block: ofTenant('block', block),
    site: ofTenant('site', site),
    device: ofTenant('device', sessionId),
    person: index('person', person, isMatched ? mobileNumber : home),
    tenant: ofTenant('tenant'),
  }
}
