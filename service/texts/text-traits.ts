// What a text has in common with others, as indexes that say nothing about the person behind them.
import { isIPv4, isIPv6 } from 'node:net'
import type { GenerateRequest } from '../../contract/generate.ts'
import { blindIndex } from '../secrets/blind-index.ts'
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
  const index = (trait: Trait, value: string) => blindIndex(key, `text ${trait}`, value)
  const { firstName, lastName, dateOfBirth, postcode } = facts.person
  return {
    number: index('number', facts.mobileNumber),
    prefix: index('prefix', facts.mobileNumber.slice(0, -PREFIX_OMITS_DIGITS)),
    address: index('address', networkOf(facts.ipAddress)),
    device: index('device', facts.sessionId),
    person: index('person', [firstName, lastName, dateOfBirth, postcode].join('\n').normalize('NFKC').toLowerCase()),
    tenant: index('tenant', facts.tenantId),
  }
}

/** An IPv4 address stands for itself, an IPv6 address for its /64: a customer is given at least that many. */
export function networkOf(ipAddress: string): string {
  if (isIPv4(ipAddress)) return ipAddress
  if (!isIPv6(ipAddress)) return ipAddress
  const groups = groupsOf(ipAddress)
  const mapped = groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff
  if (mapped) {
    return groups
      .slice(6)
      .flatMap((group) => [group >> 8, group & 0xff])
      .join('.')
  }
  return `${groups
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')}::/64`
}

/** All eight groups of an IPv6 address, however it was shortened. */
function groupsOf(ipAddress: string): number[] {
  const [address = ''] = ipAddress.split('%')
  const hexadecimal = address.replace(
    /(\d+)\.(\d+)\.(\d+)\.(\d+)$/,
    (_all, a, b, c, d) => `${(Number(a) * 256 + Number(b)).toString(16)}:${(Number(c) * 256 + Number(d)).toString(16)}`,
  )
  const [left = '', right] = hexadecimal.split('::')
  const read = (part: string) => (part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16)))
  const [before, after] = [read(left), read(right ?? '')]
  if (right === undefined) return before
  return [...before, ...Array<number>(8 - before.length - after.length).fill(0), ...after]
}
