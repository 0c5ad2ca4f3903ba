import type { ConsumerDetails } from '../../contract/consumer-details.ts'
import type { GenerateRequest } from '../../contract/generate.ts'
import { ATTEMPTS_MAX, CHALLENGE_LIFETIME_MS, SENDS_MAX } from '../../contract/limits.ts'
import { readVersion, WIDGET_VERSION_HEADER } from '../../contract/versions.ts'
import type { Answered, GenerateAnswer } from '../client/client.ts'
import { readReference } from '../reference.ts'
import type { Settings, TestStory } from '../settings.ts'
import {
  readIdempotencyKey,
  readJson,
  requireAddress,
  requireCookies,
  scopeKey,
  secondsToWait,
} from './browser-request.ts'
import { answerByService, answerDone, answerEnd, answerOpen, isOwnMode, readTickets } from './current.ts'
import { type Applicant, type Consumer, firstOf, notice, type Use } from './extra.ts'
import type { AddedFields, Parts } from './parts.ts'
import { Refusal } from './refusal.ts'
import type { Answer, BrowserRequest } from './request.ts'
import { isIdentifier } from './route.ts'
import type { Details } from './same-check.ts'
import { expiresAt, type OpenTicket, referenceOf, type Ticket, withTicket } from './ticket.ts'

const MOBILE_DIGITS_SHOWN = 3

/** `POST {mount}`: the consumer's details go in, completed by what only the lender knows. */
export async function generate(browserRequest: BrowserRequest, parts: Parts): Promise<Answer> {
  const { settings, service } = parts
  for (const extra of parts.extras) await extra.admit?.(browserRequest, 'generate')
  requireCookies(browserRequest, 'generate', parts)
  const arrivedAtMs = settings.clock()
  const applicant = firstOf(parts.extras, (extra) => extra.applicant?.(browserRequest))
  const { consent, livedAbroad = false, ...typed } = await readJson(browserRequest.incoming, parts.details)
  const consumer = applicant ? applicant.fix(typed) : typed
  const browserKey = readIdempotencyKey(browserRequest.incoming.headers)
  const tickets = readTickets(browserRequest, parts)
  const browserPress = keyOf(consumer, browserKey, browserRequest)
  const added = await addOnce(browserPress, applicant, browserRequest, parts)
  const details = { consumer, ...referenceOf(added), bureaus: settings.bureaus, test: browserRequest.place.test }
  const same = await answerSame(details, tickets, browserRequest, parts)
  if (same) return same
  const { press, use } = applicant?.use(tickets, browserKey) ?? { press: { idempotencyKey: browserPress } }
  const request = compose(consumer, added, browserRequest.story, settings)
  const widget = readVersion(browserRequest.incoming.headers.get(WIDGET_VERSION_HEADER))
  const trace = { ...browserRequest.trace, ...(widget === undefined ? {} : { [WIDGET_VERSION_HEADER]: widget }) }
  const answer = await service.generate(request, press, trace).catch((error) => {
    for (const extra of parts.extras) extra.heard?.({ refused: error })
    throw applicant && error instanceof Refusal && error.isKeyReused ? applicant.refuseReused() : error
  })
  announce(answer, browserRequest, parts)
  const [settled] = await Promise.all([
    settle(answer, { details, tickets, use }, browserRequest, parts),
    (consent || livedAbroad) &&
      recordConsent(answer, { consent, livedAbroad, added, arrivedAtMs }, browserRequest, parts),
  ])
  return settled
}

function keyOf({ sessionId: _device, ...about }: Consumer, browserKey: string, { place }: BrowserRequest): string {
  return scopeKey(['generate', place.path, browserKey, JSON.stringify(about)])
}

/** Field by field, so that a browser decides nothing but what it was asked. */
function compose(consumer: Consumer, added: AddedFields, story: TestStory, settings: Settings): GenerateRequest {
  return {
    ...consumer,
    ...(story?.scenario ? { email: `${story.scenario}@example.com` } : {}),
    bureaus: [...settings.bureaus],
    ipAddress: added.ipAddress,
    searchType: 'pcp',
    ...referenceOf(added),
    ...(story ? { test: true } : {}),
    ...(story?.branch ? { challengeOptions: { status: story.branch } } : {}),
  }
}

/** Tells the lender, unless the service named the report in a way no browser could ask for it. */
function announce({ data, meta, requestId }: Answered<GenerateAnswer>, browserRequest: BrowserRequest, parts: Parts) {
  const { emit } = parts
  const { status, creditReportId, test } = data
  if (!isIdentifier(creditReportId)) {
    emit({ type: 'unavailable', operation: 'generate', reason: 'unexpected-answer', requestId })
    throw new Refusal('unavailable')
  }
  const { cost, balance } = meta.wallet
  if (!isOwnMode(test, browserRequest, parts)) throw new Refusal('misconfigured')
  for (const extra of parts.extras) extra.heard?.({ wallet: { cost, balance }, test })
  emit({
    type: 'answered',
    operation: 'generate',
    status,
    creditReportId,
    test,
    wallet: { cost, balance },
    requestId,
  })
}

type Agreed = { consent: ConsumerDetails['consent']; livedAbroad: boolean; added: AddedFields; arrivedAtMs: number }

function recordConsent(
  { data }: Answered<GenerateAnswer>,
  { consent: { version, locale, ticked, notice, shown } = {}, livedAbroad, added, arrivedAtMs }: Agreed,
  { place: { test } }: BrowserRequest,
  { consents }: Parts,
): Promise<void> {
  const { creditReportId } = data
  return consents.once(creditReportId, {
    creditReportId,
    ...referenceOf(added),
    ...(version === undefined ? {} : { wordingVersion: version }),
    ...(locale === undefined ? {} : { locale }),
    ...(ticked === undefined ? {} : { ticked }),
    ...(notice === undefined ? {} : { noticeVersion: notice }),
    ...(shown === undefined ? {} : { shownHash: shown }),
    ...(livedAbroad ? { livedAbroad } : {}),
    agreedAt: new Date(arrivedAtMs).toISOString(),
    test,
  })
}

/**
 * The check that this browser has begun with the same details, as it stands; null when there is none, or it ended
 * without a report.
 */
async function answerSame(
  details: Details,
  tickets: Ticket[],
  browserRequest: BrowserRequest,
  parts: Parts,
): Promise<Answer | null> {
  const ticket = parts.sameCheck.find(tickets, details)
  if (!ticket) return null
  try {
    if (ticket.status === 'complete') return await answerDone({ ticket, tickets }, browserRequest, parts)
    const stands = await answerByService({ ticket, tickets }, browserRequest, parts)
    return /^(?:complete|authentication-required)$/.test(stands.body.data.status) ? stands : null
  } catch (error) {
    if (error instanceof Refusal && error.code === 'credit-report-not-found') return null
    throw error
  }
}

type Made = { details: Details; tickets: Ticket[]; use: Use | undefined }

async function settle(
  { data, expiresInSeconds }: Answered<GenerateAnswer>,
  { details, tickets, use }: Made,
  browserRequest: BrowserRequest,
  parts: Parts,
): Promise<Answer> {
  const { status, creditReportId } = data
  const known = tickets.find((ticket) => ticket.creditReportId === creditReportId)
  const begun = {
    creditReportId,
    ...referenceOf(details),
    about: parts.sameCheck.hash(details),
    ...(use && { start: use }),
  }
  if (status !== 'authentication-required') {
    // The same first answer again, in another tab: what the cookie knows is newer.
    const isProved = known?.status !== 'complete'
    return answerEnd({ ticket: known ?? begun, tickets }, data, browserRequest, parts, { isProved })
  }

  const nowMs = parts.settings.clock()
  const ending = details.consumer.mobileNumber?.slice(-MOBILE_DIGITS_SHOWN)
  const ticket: OpenTicket = {
    status: 'open',
    ...begun,
    challengeId: data.challenge.challengeId,
    lastSentAtMs: nowMs,
    expiresAtMs: expiresAt(nowMs, expiresInSeconds, nowMs + CHALLENGE_LIFETIME_MS),
    attemptsRemaining: ATTEMPTS_MAX,
    textsRemaining: SENDS_MAX - 1,
    ...(ending === undefined ? {} : { mobileNumberEnding: ending }),
  }
  // A repeat of what was begun before: how it stands now is worth more than how it began.
  if (known || expiresInSeconds === 0) {
    return answerByService({ ticket: known ?? ticket, tickets }, browserRequest, parts)
  }
  return { ...answerOpen(ticket, browserRequest, parts), tickets: withTicket(tickets, ticket) }
}

/** Resolved once per idempotency key and process: retries reuse it and do not count against the limit. */
async function addOnce(
  idempotencyKey: string,
  applicant: Applicant | null,
  browserRequest: BrowserRequest,
  parts: Parts,
): Promise<AddedFields> {
  const known = parts.added.get(idempotencyKey)
  if (known) return known
  const address = requireAddress(browserRequest, parts)
  const { headers } = browserRequest.incoming
  if (!browserRequest.place.isPreview) notice(parts, { what: 'check', address, headers })
  const retryAfterSeconds = secondsToWait(parts.generateLimit, browserRequest)
  if (retryAfterSeconds > 0) {
    notice(parts, { what: 'limit', address })
    parts.emit({ type: 'refused', operation: 'generate', code: 'rate-limited' })
    throw new Refusal('rate-limited', { retryAfterSeconds })
  }
  const reference = applicant ? referenceOf(applicant) : await askReference(browserRequest, parts)
  const added = { ipAddress: address, ...reference }
  // Of two presses at once, the first to get here decides for both.
  const first = parts.added.get(idempotencyKey)
  if (!first) parts.added.set(idempotencyKey, added)
  return first ?? added
}

async function askReference({ incoming, context }: BrowserRequest, { settings, emit }: Parts) {
  if (!settings.externalReference) return {}
  try {
    const given = await settings.externalReference(incoming.toRequest(), context)
    return referenceOf({ externalReference: readReference('externalReference', given) })
  } catch (error) {
    // Refused: a check without its reference would be charged, and the lender could not match it.
    emit({ type: 'hook-failed', hook: 'externalReference', error })
    throw new Refusal('unavailable')
  }
}
