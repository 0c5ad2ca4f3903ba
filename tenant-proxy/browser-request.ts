import * as z from 'zod/mini'
import { ConsumerDetails } from '../contract/consumer-details.ts'
import type { ReceivedReport } from '../contract/credit-report.ts'
import { generateRequest } from '../contract/generate.ts'
import type { ProxyAddresses, ProxyReport, ProxyResend } from '../contract/tenant-proxy.ts'
import type { AddressLimit } from '../kit/address-limit.ts'
import type { BoundedMap } from '../kit/bounded-map.ts'
import type { Trace } from './client/client.ts'
import type { Delivery } from './delivery.ts'
import type { Emit, Operation } from './events.ts'
import type { Incoming } from './exchange.ts'
import type { Notices } from './notices.ts'
import type { ConsentRecord, ProxyContext, ReportContext } from './options.ts'
import type { Readiness } from './readiness.ts'
import { Refusal } from './refusal.ts'
import type { ServiceClient } from './service-client.ts'
import type { Settings, TestStory } from './settings.ts'
import type { End, Ticket } from './ticket.ts'
import type { CookiePlace, TicketCookie } from './ticket-cookie.ts'
import type { WidgetFiles } from './widget-files.ts'

/** One request of a browser, with what its path and address decided. */
export type BrowserRequest = {
  incoming: Incoming
  context: ProxyContext
  /** The consumer's address; null when nothing trustworthy says. */
  address: string | null
  /** The test-mode story it plays; null is real. */
  story: TestStory
  /** Below `/test/…`, where nothing is charged and no limit applies. */
  isPreview: boolean
  place: CookiePlace
  trace: Trace
}

/** What the proxy adds to a generate request and cannot work out again later. */
export type AddedFields = { ipAddress: string; externalReference?: string }

/** What the proxy is made of; handlers get all of it. */
export type Parts = {
  settings: Settings
  details: ReturnType<typeof pastDetails>
  files: WidgetFiles
  service: ServiceClient
  readiness: Readiness
  cookie: TicketCookie
  /** What was added to a request under an idempotency key, so that its repeat is the same request. */
  added: BoundedMap<AddedFields>
  notices: Notices
  generateLimit: AddressLimit
  writeLimit: AddressLimit
  /** Of questions that the service has to answer. */
  readLimit: AddressLimit
  lookupLimit: AddressLimit
  /** Checks that this process has seen end: an older cookie played back opens none of them again. */
  ends: BoundedMap<End>
  /** How many codes this process has passed on for a check. */
  submits: BoundedMap<number>
  reports: Delivery<Completed>
  consents: Delivery<ConsentRecord>
  emit: Emit
}

export type Completed = { report: ReceivedReport; context: ReportContext }

/**
 * What a handler decided. `tickets` is what the browser's cookie holds from now on; absent leaves it as it is. `probe` finds out whether
 * the browser keeps cookies.
 */
export type Answer = ({ body: ProxyReport | ProxyResend | ProxyAddresses } | { refusal: Refusal }) & {
  tickets?: Ticket[]
  probe?: boolean
}

/** The `meta` of every answer. */
export function metaFor(
  { story }: Pick<BrowserRequest, 'story'>,
  { publicServiceUrl, findAddresses }: Pick<Settings, 'publicServiceUrl' | 'findAddresses'>,
) {
  return {
    test: story !== null,
    fingerprintSrc: `${publicServiceUrl}/v1/fingerprints/device`,
    ...(findAddresses && { findsAddresses: true }),
  }
}

/** The contract's details, with a date of birth that is past by this clock: a typing mistake never reaches the service. */
export function pastDetails(nowMs: () => number) {
  return z.extend(ConsumerDetails, { dateOfBirth: generateRequest({ nowMs }).shape.dateOfBirth })
}

/** A browser that keeps no cookie could neither answer for its check nor come back to it: it is told before anything is spent. */
export function requireCookies(
  { incoming, place }: BrowserRequest,
  operation: Operation,
  { cookie, emit }: Parts,
): void {
  if (cookie.isKept(incoming.headers, place)) return
  emit({ type: 'refused', operation, code: 'cookies-required' })
  throw new Refusal('cookies-required')
}

/** Counts one use against the limit of the consumer's address. Throws the `Refusal` when it has none left. */
export function takeUse(
  limit: AddressLimit,
  { address, isPreview }: BrowserRequest,
  operation: Operation,
  { emit }: Parts,
): void {
  const retryAfterSeconds = isPreview || address === null ? 0 : limit.take(address)
  if (retryAfterSeconds === 0) return
  emit({ type: 'refused', operation, code: 'rate-limited' })
  throw new Refusal('rate-limited', { retryAfterSeconds })
}
