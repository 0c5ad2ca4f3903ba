import type { ConsumerDetails } from '../contract/consumer-details.ts'
import type { GenerateRequest } from '../contract/generate.ts'
import { ATTEMPTS_MAX, CHALLENGE_LIFETIME_MS, SENDS_MAX } from '../contract/limits.ts'
import { addOnce, referenceOf } from './added-fields.ts'
import { type AddedFields, type Answer, type BrowserRequest, type Parts, requireCookies } from './browser-request.ts'
import { answerByService, answerEnd, answerOpen } from './check-status.ts'
import type { GenerateAnswer } from './client/answers.ts'
import type { Answered } from './client/client.ts'
import { readTickets } from './current.ts'
import { readIdempotencyKey, scopeKey } from './idempotency.ts'
import { readJson } from './read-json.ts'
import { Refusal } from './refusal.ts'
import { isIdentifier } from './route.ts'
import type { Settings, TestStory } from './settings.ts'
import { expiresAt, type OpenTicket, type Ticket, withTicket } from './ticket.ts'

const MOBILE_DIGITS_SHOWN = 3

type Consumer = Omit<ConsumerDetails, 'consent' | 'livedAbroad'>

/** `POST {mount}`: the consumer's details go in, completed by what only the lender knows. */
export async function generate(browserRequest: BrowserRequest, parts: Parts): Promise<Answer> {
  const { settings, service } = parts
  parts.notices.requireVersion(browserRequest.incoming.headers)
  requireCookies(browserRequest, 'generate', parts)
  const arrivedAtMs = settings.clock()
  const { consent, livedAbroad = false, ...consumer } = await readJson(browserRequest.incoming, parts.details)
  const browserKey = readIdempotencyKey(browserRequest.incoming.headers)
  const { sessionId: _device, ...about } = consumer
  const idempotencyKey = scopeKey(['generate', browserRequest.place.path, browserKey, JSON.stringify(about)])
  const added = await addOnce(idempotencyKey, browserRequest, parts)
  const asked = service.generate(
    compose(consumer, added, browserRequest.story, settings),
    idempotencyKey,
    browserRequest.trace,
  )
  // While the service works; it never throws.
  const tickets = readTickets(browserRequest, parts)
  const answer = await asked.catch((error) => {
    parts.readiness.noteRefusal(error)
    throw error
  })
  announce(answer, browserRequest, parts)
  const [settled] = await Promise.all([
    settle(answer, { consumer, added, tickets }, browserRequest, parts),
    (consent || livedAbroad) &&
      recordConsent(answer, { consent, livedAbroad, added, arrivedAtMs }, browserRequest, parts),
  ])
  return settled
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
function announce(
  { data, meta, requestId }: Answered<GenerateAnswer>,
  browserRequest: BrowserRequest,
  { emit, readiness }: Parts,
) {
  const { status, creditReportId } = data
  if (!isIdentifier(creditReportId)) {
    emit({ type: 'unavailable', operation: 'generate', reason: 'unexpected-answer', requestId })
    throw new Refusal('unavailable')
  }
  const { cost, balance } = meta.wallet
  const test = browserRequest.story !== null
  if (!test) readiness.noteWallet({ cost, balance })
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
  { consent: { version, locale } = {}, livedAbroad, added, arrivedAtMs }: Agreed,
  { story }: BrowserRequest,
  { consents }: Parts,
): Promise<void> {
  const { creditReportId } = data
  return consents.once(creditReportId, {
    creditReportId,
    ...referenceOf(added),
    ...(version === undefined ? {} : { wordingVersion: version }),
    ...(locale === undefined ? {} : { locale }),
    ...(livedAbroad ? { livedAbroad } : {}),
    agreedAt: new Date(arrivedAtMs).toISOString(),
    test: story !== null,
  })
}

type Begun = { consumer: Consumer; added: AddedFields; tickets: Ticket[] }

async function settle(
  { data, expiresInSeconds }: Answered<GenerateAnswer>,
  { consumer, added, tickets }: Begun,
  browserRequest: BrowserRequest,
  parts: Parts,
): Promise<Answer> {
  const { settings } = parts
  const { status, creditReportId } = data
  // The same first answer again, perhaps after wrong codes: what the cookie knows is newer.
  const known = tickets.find((ticket) => ticket.creditReportId === creditReportId)
  if (status !== 'authentication-required') {
    return answerEnd({ ticket: { creditReportId, ...referenceOf(added) }, tickets }, data, browserRequest, parts)
  }

  const nowMs = settings.clock()
  const open = known?.status === 'open' ? known : undefined
  const ending = consumer.mobileNumber?.slice(-MOBILE_DIGITS_SHOWN)
  const ticket: OpenTicket = {
    status: 'open',
    creditReportId,
    challengeId: data.challenge.challengeId,
    lastSentAtMs: open?.lastSentAtMs ?? nowMs,
    expiresAtMs: expiresAt(nowMs, expiresInSeconds, open?.expiresAtMs ?? nowMs + CHALLENGE_LIFETIME_MS),
    attemptsRemaining: open?.attemptsRemaining ?? ATTEMPTS_MAX,
    textsRemaining: open?.textsRemaining ?? SENDS_MAX - 1,
    ...(ending === undefined ? {} : { mobileNumberEnding: ending }),
    ...referenceOf(added),
  }
  // A repeat of what has ended since: how it ended is worth more than how it began.
  const isOver = expiresInSeconds === 0 || (known !== undefined && known.status !== 'open')
  if (isOver) return answerByService({ ticket, tickets }, browserRequest, parts)
  return { ...answerOpen(ticket, browserRequest, parts), tickets: withTicket(tickets, ticket) }
}
