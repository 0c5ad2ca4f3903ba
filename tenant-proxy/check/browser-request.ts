import { createHash } from 'node:crypto'
import type * as z from 'zod/mini'
import { IDEMPOTENCY_KEY_HEADER } from '../../contract/idempotency.ts'
import { BODY_BYTES_MAX, IDEMPOTENCY_KEY_LENGTH_MAX } from '../../contract/limits.ts'
import { read } from '../../contract/problems.ts'
import { findClientAddress } from '../../kit/client-address.ts'
import type { HeaderReader } from '../../kit/headers.ts'
import { isJson, NOT_JSON, NOT_WHOLE, tryParseJson } from '../../kit/json-body.ts'
import { isLoopbackHost } from '../../kit/network.ts'
import { mayWrite } from '../../kit/same-origin.ts'
import type { Operation } from '../events.ts'
import { BodyTaken, type Incoming, traceOf } from '../exchange.ts'
import type { ProxyContext } from '../options.ts'
import { headersOf, type NodeHeaders } from '../read-message.ts'
import type { Settings } from '../settings.ts'
import { notice } from './extra.ts'
import type { AddressLimit, Parts } from './parts.ts'
import { Refusal, refuseDetails } from './refusal.ts'
import type { BrowserRequest } from './request.ts'
import type { Place } from './route.ts'
import type { CookiePlace } from './ticket-cookie.ts'

export function toBrowserRequest(
  incoming: Incoming,
  context: ProxyContext,
  place: Place,
  settings: Settings,
): BrowserRequest {
  const { trustedHops, forwardedHeader } = settings
  const { remoteAddress } = context
  const { url, headers } = incoming
  return {
    incoming,
    context,
    address: findClientAddress({ remoteAddress, headers, trustedHops, forwardedHeader }),
    story: place.story === undefined ? settings.test : place.story,
    place: toCookiePlace({ headers, url }, place, settings),
    trace: traceOf(incoming),
  }
}

/** A request of the lender's own route, of any framework. */
export type OwnRequest = { headers: Headers | NodeHeaders; url?: string | undefined }

/** The address of the mount, seen from such a request. */
export function ownPlace(request: OwnRequest, settings: Settings): { place: CookiePlace; headers: HeaderReader } {
  const headers = request.headers instanceof Headers ? request.headers : headersOf({ headers: request.headers })
  const url = URL.canParse(request.url ?? '') ? new URL(request.url ?? '') : null
  return { headers, place: toCookiePlace({ headers, url }, { subPath: '' }, settings) }
}

/** The mount that a request came in at, as its cookies are named and sealed there. */
function toCookiePlace(
  { headers, url }: { headers: HeaderReader; url: URL | null },
  { subPath, story }: Pick<Place, 'subPath' | 'story'>,
  { publicPath, origins, secureCookies, test }: Settings,
): CookiePlace {
  // The header first: Next and others put a name of their own into the address. Without the port, which some reverse
  // proxies drop.
  const host = (headers.get('Host') ?? url?.host ?? '').toLowerCase().replace(/:\d+$/, '')
  return {
    path: publicPath + subPath,
    origin: origins[0] ?? host,
    test: (story === undefined ? test : story) !== null,
    isSecure: secureCookies === 'unless-loopback' ? !isLoopbackHost(host) : secureCookies,
    isPreview: story !== undefined,
  }
}

/** The `meta` of every answer. */
export function metaFor(browserRequest: Pick<BrowserRequest, 'place'>, { settings, extras }: Parts) {
  const { publicServiceUrl, bureaus } = settings
  const meta = {
    test: browserRequest.place.test,
    fingerprintSrc: `${publicServiceUrl}/v1/fingerprints/device`,
    bureaus: [...bureaus],
  }
  return Object.assign(meta, ...extras.map((extra) => extra.meta?.(browserRequest)))
}

/**
 * A browser that keeps no cookie could neither answer for its check nor come back to it: it hears so before anything is
 * spent.
 */
export function requireCookies({ incoming, place, address }: BrowserRequest, operation: Operation, parts: Parts): void {
  const { cookie, emit } = parts
  const isKept = cookie.isKept(incoming.headers, place)
  notice(parts, { what: 'cookie', cookie: isKept ? 'returned' : 'given', address })
  if (isKept) return
  emit({ type: 'refused', operation, code: 'cookies-required' })
  throw new Refusal('cookies-required')
}

/** The consumer's address, for limits and agencies. Throws the `Refusal` where nothing trustworthy gives it. */
export function requireAddress({ address }: BrowserRequest, parts: Parts): string {
  if (address !== null) return address
  notice(parts, { what: 'no-address' })
  throw new Refusal('unavailable')
}

/** Before a byte of the body is read: is it the lender's page that writes, and not too often? */
export function guard(
  browserRequest: BrowserRequest,
  operation: Operation,
  parts: Parts,
  limit = parts.writeLimit,
): void {
  const { method, url, headers } = browserRequest.incoming
  if (!mayWrite({ method, url, headers, allowedOrigins: parts.settings.origins })) {
    notice(parts, { what: 'page', request: browserRequest, address: headers.get('Origin') })
    parts.emit({ type: 'refused', operation, code: 'forbidden' })
    throw new Refusal('forbidden')
  }
  takeUse(limit, browserRequest, operation, parts)
}

/** Counts one use against the limit of the consumer's address. Throws the `Refusal` when it has none left. */
export function takeUse(
  limit: AddressLimit,
  browserRequest: BrowserRequest,
  operation: Operation,
  { emit }: Parts,
): void {
  const retryAfterSeconds = secondsToWait(limit, browserRequest)
  if (retryAfterSeconds === 0) return
  emit({ type: 'refused', operation, code: 'rate-limited' })
  throw new Refusal('rate-limited', { retryAfterSeconds })
}

/** Counts one use; 0 when it was free, as everything is below `/test/…`, where nothing is charged. */
export function secondsToWait(limit: AddressLimit, { address, place }: BrowserRequest): number {
  return place.isPreview || address === null ? 0 : limit(address)
}

/** Reads the body as JSON that fits `schema`, without other fields. Throws the `Refusal` that says why not. */
export async function readJson<Schema extends z.ZodMiniType>(
  incoming: Incoming,
  schema: Schema,
): Promise<z.output<Schema>> {
  if (!isJson(incoming.headers)) throw new Refusal('unsupported-media-type')
  const body = tryParseJson(await readBytes(incoming))
  if (body === undefined) throw new Refusal('validation-error', { message: NOT_JSON })
  const reading = read(schema, body)
  if (!reading.ok) throw refuseDetails(reading.problems)
  return reading.value
}

async function readBytes({ headers, readBody }: Incoming): Promise<Uint8Array> {
  if (Number(headers.get('Content-Length') ?? 0) > BODY_BYTES_MAX) throw new Refusal('payload-too-large')
  const bytes = await readBody().catch((error) => {
    if (error instanceof BodyTaken) throw error
    throw new Refusal('validation-error', { message: NOT_WHOLE })
  })
  if (bytes.byteLength > BODY_BYTES_MAX) throw new Refusal('payload-too-large')
  return bytes
}

const keyShape = new RegExp(`^[\\x21-\\x7e]{8,${IDEMPOTENCY_KEY_LENGTH_MAX}}$`)

/** The browser's key, or a fresh one when it sent none: the proxy's own repeat needs one in any case. */
export function readIdempotencyKey(headers: HeaderReader): string {
  const key = headers.get(IDEMPOTENCY_KEY_HEADER)
  if (key === null) return crypto.randomUUID()
  if (keyShape.test(key)) return key
  throw new Refusal('validation-error', {
    message: `${IDEMPOTENCY_KEY_HEADER}: must have 8 to ${IDEMPOTENCY_KEY_LENGTH_MAX} visible ASCII characters`,
  })
}

/**
 * Turns a browser's key and what it stands for into the key for the service.
 *
 * All browsers of a lender share one credential at the service, so their keys share one space there, and a replay shows
 * the first answer. Hashing the key together with everything the browser said about the consumer keeps that safe:
 * a caller who sends the same key with other details gets an answer of their own, and the first answer comes back only
 * to someone who already knows all of it. A cookie cannot do this: when the very first answer is lost, the browser that
 * repeats its request has none yet. The device session stays out of it: a page that was reloaded has a new one. And no
 * secret goes into it: on the day the lender replaces one, a repeat must still be a repeat.
 */
export function scopeKey(what: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(what)).digest('base64url')
}
