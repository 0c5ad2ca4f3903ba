// Optional, with `proxy.begin()`. A known applicant: what the lender's server says about a person, sealed for one
// check. The page carries it and the browser shows it; for every field that is in it, what the browser sends does not
// count.
//
//   begin() ──▶ attribute `start` ──▶ GET {mount}/current: the fields to show ──▶ POST {mount}: the check ──▶ complete: used up
//                                                                                  ▲ blocked, failed, expired,
//                                                                                  └ another number: the same browser again

import { createHash, randomUUID } from 'node:crypto'
import * as z from 'zod/mini'
import { UkAddress } from '../../contract/address.ts'
import { boundedString } from '../../contract/bounded-string.ts'
import { consumerFields } from '../../contract/generate.ts'
import { ADDRESSES_MAX, REFERENCE_LENGTH_MAX } from '../../contract/limits.ts'
import { read, writeProblems } from '../../contract/problems.ts'
import { START_HEADER } from '../../contract/proxy-path.ts'
import type { KnownApplicant } from '../../contract/tenant-proxy.ts'
import { HOUR_MS } from '../../kit/clock.ts'
import { tryParseJson } from '../../kit/json-body.ts'
import { type OwnRequest, ownPlace, scopeKey } from '../check/browser-request.ts'
import type { Applicant, Consumer, Extra, Use } from '../check/extra.ts'
import type { Parts } from '../check/parts.ts'
import { Refusal } from '../check/refusal.ts'
import type { BrowserRequest } from '../check/request.ts'
import type { Ticket } from '../check/ticket.ts'
import type { Operation } from '../events.ts'
import { requireNames } from '../known-names.ts'
import { readReference } from '../reference.ts'
import type { Notices } from './notices.ts'

/**
 * As long as the cookie remembers a check: which of a browser's checks came of a start has to be known until it
 * expires.
 */
const START_LIFETIME_MS = HOUR_MS
/** Checks that one browser may begin with one start, until one is complete. */
const ROUNDS_MAX = 5

const { sessionId: _device, addresses: _addresses, ...personFields } = consumerFields
const Known = z.object({
  externalReference: z.optional(boundedString(REFERENCE_LENGTH_MAX)),
  person: z.partial(z.object(personFields)),
  addresses: z.optional(z.array(UkAddress).check(z.minLength(1), z.maxLength(ADDRESSES_MAX))),
})

const Start = z.extend(Known, {
  kind: z.literal('start'),
  format: z.literal(1),
  tenantId: z.string(),
  test: z.boolean(),
  /** Empty where the lender gave neither the request nor `origins`. */
  origin: z.string(),
  id: z.string(),
  expiresAtMs: z.number(),
})
type Start = z.infer<typeof Start>

/** The applicant's details that you know; each as a check needs it. */
export type KnownPerson = {
  [name in keyof typeof personFields]?: string | undefined
}

export type BeginOptions = {
  /** Your own reference of the check; the option `externalReference` is not called for it. */
  externalReference?: string | number
  /** Shown to the applicant, who cannot change it. What is absent is asked for. */
  person?: KnownPerson
  /** Newest first. With them no address is asked for. */
  addresses?: readonly KnownAddress[]
  /** The request that you render the page for: then the start counts only at its host. */
  request?: OwnRequest
}
export type KnownAddress = { [name in keyof UkAddress]?: string | undefined }

const NAMES = ['externalReference', 'person', 'addresses', 'request']

export function createStarts(parts: Parts, notices: Pick<Notices, 'seeStart' | 'seeForeign'>): Extra {
  return {
    current: (browserRequest, stands) => showStart(browserRequest, stands, { parts, notices }),
    applicant(browserRequest) {
      const start = openStart(browserRequest, { parts, notices })
      if (typeof start === 'string') throw refuse(start, 'generate', parts)
      return start && applicantOf(start, parts)
    },
  }
}

type Tools = { parts: Parts; notices: Pick<Notices, 'seeStart' | 'seeForeign'> }

/**
 * The value for the page's `start` attribute. Throws a `TypeError` that names the field which is not as a check needs
 * it.
 */
export function begin(options: BeginOptions, parts: Parts): string {
  const { person = {}, addresses, request } = options
  requireNames(options, NAMES, { by: 'begin' })
  requireNames(person, Object.keys(personFields), { by: 'begin', prefix: 'person.' })
  const externalReference = readReference('begin: `externalReference`', options.externalReference)
  const given = read(z.extend(Known, { person: z.partial(z.omit(parts.details, NOT_PERSON)) }), {
    externalReference,
    person: withInternational(person),
    addresses,
  })
  if (!given.ok) throw new TypeError(`begin: ${writeProblems(given.problems)}`)
  const { settings, seal } = parts
  const start: Start = {
    kind: 'start',
    format: 1,
    tenantId: settings.tenantId,
    test: settings.test !== null,
    origin: request ? ownPlace(request, settings).place.origin : (settings.origins[0] ?? ''),
    id: randomUUID(),
    expiresAtMs: settings.clock() + START_LIFETIME_MS,
    ...given.value,
  }
  const sealed = seal.seal(JSON.stringify(start), contextAt(parts))
  if (seal.open(sealed, contextAt(parts)) === null) throw new TypeError('begin: too long; leave out older addresses')
  return sealed
}

/** A UK mobile number as people write it, which `prefill` takes too: 07700 900123. */
function withInternational(person: KnownPerson): KnownPerson {
  if (typeof person.mobileNumber !== 'string') return person
  return { ...person, mobileNumber: person.mobileNumber.replace(/[\s()-]/g, '').replace(/^07/, '+447') }
}

const NOT_PERSON = { sessionId: true, addresses: true, consent: true, livedAbroad: true } as const

/** Not the cookie's: neither opens as the other. */
function contextAt({ settings }: Pick<Parts, 'settings'>): string {
  return JSON.stringify(['start', settings.tenantId, settings.publicPath])
}

const WHY = {
  missing: 'A check here needs a start, which the page did not bring.',
  unreadable: 'This start was not made here: it is of another lender, mount or secret, or was changed.',
  mode: 'This start was made in another mode than this mount is in.',
  origin: 'This start was made for another site.',
  expired: 'This start has expired. Load the page again.',
  used: 'This start has been used. Load the page again.',
}

type Why = keyof typeof WHY

function refuse(why: Why, operation: Operation, { emit }: Parts): Refusal {
  emit({ type: 'refused', operation, code: 'start-refused' })
  return new Refusal('start-refused', { message: WHY[why] })
}

/** The start that came with a request, or why it does not count; null where there is none and none is needed. */
function openStart({ incoming, place }: BrowserRequest, { parts, notices }: Tools): Start | Why | null {
  const { settings, seal } = parts
  const sealed = incoming.headers.get(START_HEADER)
  if (sealed === null) return settings.requireStart ? 'missing' : null
  const opened = seal.open(sealed, contextAt(parts))
  const reading = opened === null ? null : read(Start, tryParseJson(Buffer.from(opened)))
  if (!reading?.ok) {
    notices.seeStart()
    return 'unreadable'
  }
  const { test, origin, expiresAtMs } = reading.value
  if (test !== place.test) {
    notices.seeForeign({ mode: test ? 'test' : 'live' }, place)
    return 'mode'
  }
  if (origin !== '' && origin !== place.origin) {
    notices.seeForeign({ origin }, place)
    return 'origin'
  }
  return expiresAtMs <= settings.clock() ? 'expired' : reading.value
}

function applicantOf(start: Start, parts: Parts): Applicant {
  return {
    externalReference: start.externalReference,
    fix: (typed) => fixDetails(typed, start),
    use(tickets, browserKey) {
      const use = useStart(start, tickets, browserKey, parts)
      // The start names the check, so that no other browser can begin it again; the owner keeps its answer from them.
      return { press: { idempotencyKey: scopeKey(['start', use.id, String(use.round)]), owner: use.by }, use }
    },
    refuseReused: () => refuse('used', 'generate', parts),
  }
}

function fixDetails(typed: Consumer, { person, addresses }: Start): Consumer {
  const known = addresses?.map((ukAddress, index) => ({ type: index === 0 ? 'current' : 'previous', ukAddress }))
  const { firstName = typed.firstName, lastName = typed.lastName, dateOfBirth = typed.dateOfBirth } = person
  return { ...typed, ...person, firstName, lastName, dateOfBirth, ...(known && { addresses: known }) }
}

/**
 * The number of the check within this start that a request begins. Throws the `Refusal` where the start is used up, as
 * far as this browser's cookie knows. For every other browser the service refuses the first round: it knows that one
 * under the key of the browser that used it.
 */
function useStart(start: Start, tickets: readonly Ticket[], browserKey: string, parts: Parts): Use {
  const by = createHash('sha256').update(`${start.id} ${browserKey}`).digest('base64url')
  const uses = tickets.flatMap(({ start: use }) => (use?.id === start.id ? [use] : []))
  const same = uses.find((use) => use.by === by)
  if (same) return same
  if (isSpent(start, tickets)) throw refuse('used', 'generate', parts)
  return { id: start.id, round: Math.max(-1, ...uses.map(({ round }) => round)) + 1, by }
}

function isSpent({ id }: Start, tickets: readonly Ticket[]): boolean {
  const own = tickets.filter(({ start }) => start?.id === id)
  return own.some(({ status, start }) => status === 'complete' || (start?.round ?? 0) >= ROUNDS_MAX - 1)
}

/**
 * The details that the form shows instead of asking. Where there is no check to come back to, a start that does not
 * count is refused before anything is filled in.
 */
function showStart(
  browserRequest: BrowserRequest,
  { tickets, status }: { tickets: readonly Ticket[]; status: string },
  tools: Tools,
) {
  const start = openStart(browserRequest, tools)
  const isNone = status === 'none'
  const why = start !== null && typeof start !== 'string' && isNone && isSpent(start, tickets) ? 'used' : start
  if (typeof why !== 'string') return why === null ? {} : { known: shownOf(why) }
  if (isNone) throw refuse(why, 'current', tools.parts)
  return {}
}

function shownOf({ person, addresses }: Start): KnownApplicant {
  const { gender: _, ...shown } = person
  return { ...shown, ...(addresses && { addresses: addresses.map(({ country: _country, ...address }) => address) }) }
}
