import type { ConsumerDetails } from '../contract/consumer-details.ts'
import type { GenerateRequest } from '../contract/generate.ts'
import { ATTEMPTS_MAX, CHALLENGE_LIFETIME_MS, SENDS_MAX } from '../contract/limits.ts'
import { addOnce, referenceOf } from './added.ts'
import type { Answered, GenerateAnswer } from './client/client.ts'
import { exposeReport } from './expose-report.ts'
import { readIdempotencyKey, scopeKey } from './idempotency.ts'
import { readJson } from './read-json.ts'
import { Refusal } from './refusal.ts'
import { isIdentifier } from './route.ts'
import { idOf } from './service-refusal.ts'
import type { Settings, TestStory } from './settings.ts'
import { showChallenge, type Ticket, withTicket } from './ticket.ts'
import { type Added, type Answer, metaFor, type Parts, type Visit } from './visit.ts'

const MOBILE_DIGITS_SHOWN = 3

type Consumer = Omit<ConsumerDetails, 'consent'>

/** `POST {mount}`: the consumer's details go in, completed by what only the lender knows. */
export async function generate(visit: Visit, parts: Parts): Promise<Answer> {
  const { settings, service, cookie } = parts
  const arrivedAtMs = settings.clock()
  const { consent, ...consumer } = await readJson(visit.incoming, parts.details)
  const browserKey = readIdempotencyKey(visit.incoming.headers)
  const { sessionId: _device, ...about } = consumer
  const idempotencyKey = scopeKey(['generate', visit.place.path, browserKey, JSON.stringify(about)])
  const added = await addOnce(idempotencyKey, visit, parts)
  const asked = service.generate(compose(consumer, added, visit.story, settings), idempotencyKey)
  // While the service works; it never throws.
  const tickets = cookie.read(visit.incoming.headers, visit.place)
  const answer = await asked
  announce(answer, visit, parts)
  const [settled] = await Promise.all([
    settle(answer, { consumer, added, tickets }, visit, parts),
    consent && recordConsent(answer, { consent, added, arrivedAtMs }, visit, parts),
  ])
  return settled
}

/** Field by field, so that a browser decides nothing but what it was asked. */
function compose(consumer: Consumer, added: Added, story: TestStory, settings: Settings): GenerateRequest {
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
function announce({ data, meta, requestId }: Answered<GenerateAnswer>, visit: Visit, { emit }: Parts) {
  const { status, creditReportId } = data
  if (!isIdentifier(creditReportId)) {
    emit({ type: 'unavailable', operation: 'generate', reason: 'unexpected-answer', ...idOf(requestId) })
    throw new Refusal('unavailable')
  }
  const { cost, balance } = meta.wallet
  const test = visit.story !== null
  emit({
    type: 'answered',
    operation: 'generate',
    status,
    creditReportId,
    test,
    wallet: { cost, balance },
    ...idOf(requestId),
  })
}

type Agreed = { consent: NonNullable<ConsumerDetails['consent']>; added: Added; arrivedAtMs: number }

function recordConsent(
  { data }: Answered<GenerateAnswer>,
  { consent: { version, locale }, added, arrivedAtMs }: Agreed,
  { story }: Visit,
  { consents }: Parts,
): Promise<void> {
  const { creditReportId } = data
  return consents.once(creditReportId, {
    creditReportId,
    ...referenceOf(added),
    ...(version === undefined ? {} : { wordingVersion: version }),
    ...(locale === undefined ? {} : { locale }),
    agreedAt: new Date(arrivedAtMs).toISOString(),
    test: story !== null,
  })
}

type Begun = { consumer: Consumer; added: Added; tickets: Ticket[] }

async function settle(
  { data, expiresInSeconds }: Answered<GenerateAnswer>,
  { consumer, added, tickets }: Begun,
  visit: Visit,
  { settings, reports }: Parts,
): Promise<Answer> {
  const meta = metaFor(visit, settings)
  const { status, creditReportId } = data
  if (status === 'complete') {
    const context = { creditReportId, ...referenceOf(added), test: visit.story !== null }
    await reports.once(creditReportId, { report: data.creditReport, context })
    return {
      body: { meta, data: { status, creditReportId, ...exposeReport(data.creditReport, settings) } },
    }
  }
  if (status !== 'authentication-required') return { body: { meta, data: { status, creditReportId } } }

  const nowMs = settings.clock()
  // The same first answer again, perhaps after wrong codes: what the cookie knows is newer.
  const known = tickets.find((ticket) => ticket.creditReportId === creditReportId)
  const ending = consumer.mobileNumber?.slice(-MOBILE_DIGITS_SHOWN)
  const ticket: Ticket = {
    creditReportId,
    challengeId: data.challenge.challengeId,
    lastSentAtMs: known?.lastSentAtMs ?? nowMs,
    expiresAtMs:
      expiresInSeconds === null
        ? (known?.expiresAtMs ?? nowMs + CHALLENGE_LIFETIME_MS)
        : nowMs + expiresInSeconds * 1_000,
    attemptsRemaining: known?.attemptsRemaining ?? ATTEMPTS_MAX,
    textsRemaining: known?.textsRemaining ?? SENDS_MAX - 1,
    ...(ending === undefined ? {} : { mobileNumberEnding: ending }),
    ...referenceOf(added),
    isOpen: true,
  }
  const challenge = showChallenge(ticket, nowMs)
  return {
    body: { meta, data: { status, creditReportId, challengeType: data.challengeType, challenge } },
    tickets: withTicket(tickets, ticket),
  }
}
