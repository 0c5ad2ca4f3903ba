// The service as a `fetch`: in memory, with the contract's answers, for one lender. It plays every trigger of test
// mode, live too. service.test.ts compares it with the real one, call by call.
import { randomUUID } from 'node:crypto'
import { BUREAUS } from '../../contract/credit-report.ts'
import { ERROR_STATUS, type ErrorCode } from '../../contract/error.ts'
import type { GenerateRequest } from '../../contract/generate.ts'
import { IDEMPOTENCY_KEY_HEADER, REPLAYED_HEADER } from '../../contract/idempotency.ts'
import { ATTEMPTS_MAX, CHALLENGE_LIFETIME_MS, SENDS_MAX, TEST_MODE_CODE } from '../../contract/limits.ts'
import { OPEN_ATTEMPTS_MAX } from '../../contract/open-report.ts'
import { shortReference } from '../../contract/short-reference.ts'
import { CHALLENGE_EXPIRES_IN_HEADER } from '../../contract/tenant-proxy.ts'
import { playedChallenge, playedMatch, playedRefusal, type Trigger, triggerOf } from '../../contract/test-triggers.ts'
import type { WebhookEvent } from '../../contract/webhook-event.ts'
import type { Clock } from '../../kit/clock.ts'
import { newId } from '../../kit/new-id.ts'
import { inventReport, type MadeReport } from './report.ts'

export type TestServiceOptions = {
  /** @default 'test-lender' */
  tenantId?: string
  /** @default 'test-lender' and 'test-secret' */
  credentials?: { clientId: string; clientSecret: string }
  /** @default Date.now */
  clock?: Clock
}

/** The requests that the service received, but for those for a token. */
export type SeenRequest = { method: string; path: string; body: unknown }

export type TestService = {
  /** For `createTenantProxy` and `createClient`: where the service is, who asks, and the `fetch` that answers. */
  options: {
    service: string
    tenantId: string
    credentials: { clientId: string; clientSecret: string }
    fetch: typeof fetch
  }
  requests: SeenRequest[]
  /** The event that the service sends when this check has ended. */
  eventOf(creditReportId: string): WebhookEvent
}

const SERVICE = 'https://service.test'
const TOKEN = 'test-token'
const TOKEN_SECONDS = 900
const PRICES = { reportPriceCredits: 500, textPriceCredits: 40 }
const BALANCE = 1_000_000

type Ended = 'complete' | 'blocked' | 'failed' | 'expired'
type Check = {
  creditReportId: string
  challengeId: string
  request: GenerateRequest
  trigger: Trigger | null
  made: MadeReport | null
  status: 'authentication-required' | Ended
  challengeType: 'otp' | 'none'
  attempts: number
  sends: number
  sentAtMs: number
  /** The right code came, and no agency answered. */
  isAway: boolean
  wrongDates: number
  createdAtMs: number
  endedAtMs: number | null
}

type Answer = { status: number; body: unknown; headers?: { [name: string]: string } }

class Refused extends Error {
  readonly answer: Answer
  constructor(code: ErrorCode, message: string = code, headers: { [name: string]: string } = {}) {
    super(code)
    this.answer = { status: ERROR_STATUS[code], body: { code, message }, headers }
  }
}

export function createTestService({
  tenantId = 'test-lender',
  credentials = { clientId: 'test-lender', clientSecret: 'test-secret' },
  clock = Date.now,
}: TestServiceOptions = {}): TestService {
  const checks = new Map<string, Check>()
  const answers = new Map<string, Answer>()
  const requests: SeenRequest[] = []
  let balance = BALANCE

  const serve: typeof fetch = async (input, init) => {
    const request = new Request(input, init)
    const text = await request.text()
    const { status, body, headers = {} } = answer(request, text)
    const all = { 'Content-Type': 'application/json', 'X-Request-Id': randomUUID(), ...headers }
    return new Response(body === undefined ? null : JSON.stringify(body), { status, headers: all })
  }

  function answer(request: Request, text: string): Answer {
    const { pathname, searchParams } = new URL(request.url)
    if (pathname === '/v1/oauth/token') return giveToken(request, new URLSearchParams(text))
    if (pathname === '/healthz' || pathname === '/v1/fingerprints/device') return { status: 200, body: {} }
    const asked = { method: request.method, path: pathname, body: text === '' ? null : JSON.parse(text) }
    requests.push(asked)
    try {
      if (request.headers.get('Authorization') !== `Bearer ${TOKEN}`) throw new Refused('unauthorized')
      const [, tenant, , resource, id, action] = pathname.split('/')
      if (tenant !== tenantId) throw new Refused('forbidden')
      const key = `${pathname} ${request.headers.get(IDEMPOTENCY_KEY_HEADER)}`
      const kept = answers.get(key)
      if (kept) return { ...kept, headers: { ...kept.headers, [REPLAYED_HEADER]: 'true' } }
      const given = route(`${request.method} ${resource}`, { id, action, body: asked.body, query: searchParams })
      if (request.headers.has(IDEMPOTENCY_KEY_HEADER)) answers.set(key, given)
      return given
    } catch (error) {
      if (error instanceof Refused) return error.answer
      throw error
    }
  }

  type Asked = { id: string | undefined; action: string | undefined; body: unknown; query: URLSearchParams }

  function route(operation: string, { id, action, body, query }: Asked): Answer {
    if (operation === 'GET wallet') {
      return {
        status: 200,
        body: {
          meta: { request: { timeTakenMs: 1 } },
          data: { tenantId, balanceCredits: balance, heldCredits: 0, ...PRICES, bureaus: [...BUREAUS] },
        },
      }
    }
    if (operation === 'POST steps' || operation === 'POST doctor') return { status: 204, body: undefined }
    if (operation === 'POST credit-reports' && id === undefined) return generate(body as GenerateRequest)
    if (operation === 'GET credit-reports' && id === undefined) return list(query)
    if (!operation.endsWith(' credit-reports')) throw new Refused('not-found')
    const check = checks.get(id ?? '')
    if (check === undefined) throw new Refused('credit-report-not-found')
    expire(check)
    if (operation.startsWith('GET')) {
      return { status: 200, body: { meta: meteredMeta(0), data: stateOf(check) }, headers: expiryOf(check) }
    }
    if (operation.startsWith('DELETE')) return erase(check)
    if (action === 'open') return open(check, (body as { dateOfBirth: string }).dateOfBirth)
    const { challengeId, code } = body as { challengeId: string; code: string }
    if (challengeId !== check.challengeId) throw new Refused('challenge-not-found')
    return action === 'resend-sms' ? resend(check) : judge(check, code)
  }

  function giveToken(request: Request, form: URLSearchParams): Answer {
    const basic = `Basic ${Buffer.from(`${credentials.clientId}:${credentials.clientSecret}`).toString('base64')}`
    const isOwn =
      request.headers.get('Authorization') === basic ||
      (form.get('client_id') === credentials.clientId && form.get('client_secret') === credentials.clientSecret)
    if (!isOwn) return { status: 401, body: { error: 'invalid_client' } }
    return { status: 200, body: { access_token: TOKEN, token_type: 'Bearer', expires_in: TOKEN_SECONDS } }
  }

  function generate(request: GenerateRequest): Answer {
    const trigger = triggerOf(request)
    refuse(trigger, 'generate')
    const nowMs = clock()
    const branch = request.test ? (request.challengeOptions?.status ?? 'allow') : branchOf(request.lastName)
    const made = branch === 'block' ? null : inventReport(request, trigger)
    if (branch !== 'block' && made === null) throw new Refused('unavailable', 'in this test no agency answers')
    const check: Check = {
      creditReportId: newId(nowMs),
      challengeId: randomUUID(),
      request,
      trigger,
      made,
      status: branch === 'block' ? 'blocked' : branch === 'allow' ? 'complete' : 'authentication-required',
      challengeType: branch === 'challenge' ? 'otp' : 'none',
      attempts: 0,
      sends: 1,
      sentAtMs: nowMs,
      isAway: false,
      wrongDates: 0,
      createdAtMs: nowMs,
      endedAtMs: branch === 'challenge' ? null : nowMs,
    }
    checks.set(check.creditReportId, check)
    const { status, creditReportId, challengeType, challengeId } = check
    const type = branch === 'block' ? {} : { challengeType }
    const challenge = branch === 'challenge' ? { challenge: { challengeId } } : {}
    const data = { status, ...type, creditReportId, test: isTest(check), ...challenge, ...reportOf(check) }
    const cost = isTest(check) || branch === 'block' ? 0 : PRICES.reportPriceCredits
    balance -= cost
    return { status: 200, body: { meta: meteredMeta(cost), data }, headers: expiryOf(check) }
  }

  function judge(check: Check, code: string): Answer {
    const { trigger } = check
    refuse(trigger, 'code')
    const isRight = code === TEST_MODE_CODE && playedChallenge(trigger) !== 'lost-text'
    if (check.status === 'authentication-required' && playedChallenge(trigger) === 'expired') end(check, 'expired')
    if (check.status === 'expired' || (check.status === 'complete' && !isRight)) throw new Refused('challenge-expired')
    const isOpen = check.status === 'authentication-required'
    if (isOpen && playedChallenge(trigger) === 'device') end(check, 'failed')
    else if (isOpen && isRight) {
      if (!check.isAway) {
        check.isAway = true
        refuse(trigger, 'right-code')
      }
      end(check, 'complete')
    } else if (isOpen) {
      check.attempts += 1
      if (check.attempts === ATTEMPTS_MAX) end(check, 'failed')
    }
    const { creditReportId, status } = check
    const about = { creditReportId, test: isTest(check) }
    const left = ATTEMPTS_MAX - check.attempts
    const data =
      status === 'complete'
        ? { status, ...about, ...reportOf(check) }
        : status === 'failed'
          ? { status, ...about, errorMessage: 'no code can complete this check' }
          : { status: 'retry', ...about, errorMessage: 'the code is wrong', attemptsRemaining: left }
    return { status: 200, body: { meta: meteredMeta(0), data }, headers: expiryOf(check) }
  }

  function resend(check: Check): Answer {
    refuse(check.trigger, 'resend')
    if (check.status !== 'authentication-required') throw new Refused('challenge-expired')
    if (check.sends === SENDS_MAX) throw new Refused('rate-limited')
    check.sends += 1
    check.sentAtMs = clock()
    const data = { remainingSmsCount: SENDS_MAX - check.sends, smsSentCount: check.sends }
    return { status: 200, body: { meta, data }, headers: expiryOf(check) }
  }

  function open(check: Check, dateOfBirth: string): Answer {
    if (check.status !== 'complete') throw new Refused('credit-report-not-found')
    const isRight = check.wrongDates < OPEN_ATTEMPTS_MAX && dateOfBirth === check.request.dateOfBirth
    if (!isRight) check.wrongDates = Math.min(OPEN_ATTEMPTS_MAX, check.wrongDates + 1)
    const attemptsRemaining = OPEN_ATTEMPTS_MAX - check.wrongDates
    const data = { creditReportId: check.creditReportId, status: isRight ? 'open' : 'wrong', attemptsRemaining }
    return { status: 200, body: { meta, data } }
  }

  function erase({ creditReportId }: Check): Answer {
    checks.delete(creditReportId)
    return { status: 200, body: { meta, data: { creditReportId, erased: true } } }
  }

  /** Newest first: ids begin with the time. */
  function list(query: URLSearchParams): Answer {
    const wanted = query.get('externalReference')
    const found = [...checks.values()].filter(({ request }) => wanted === null || request.externalReference === wanted)
    for (const check of found) expire(check)
    const creditReports = found
      .toReversed()
      .slice(0, Number(query.get('limit') ?? 50))
      .map((check) => {
        const { creditReport: _report, challenge: _challenge, match: _match, ...item } = stateOf(check)
        return item
      })
    return { status: 200, body: { meta, data: { creditReports } } }
  }

  function expire(check: Check): void {
    const expiresAtMs = check.sentAtMs + CHALLENGE_LIFETIME_MS
    if (check.status === 'authentication-required' && clock() > expiresAtMs) end(check, 'expired', expiresAtMs)
  }

  function end(check: Check, status: Ended, atMs = clock()): void {
    check.status = status
    check.endedAtMs = atMs
  }

  function stateOf(check: Check) {
    const { creditReportId, status, challengeType, challengeId, request, createdAtMs, endedAtMs, trigger } = check
    const isOpen = status === 'authentication-required'
    const failure = playedChallenge(trigger) === 'device' ? 'device' : 'attempts'
    const reason = { blocked: 'risk', failed: failure, expired: check.isAway ? 'agencies' : 'timeout' }
    return {
      creditReportId,
      reference: shortReference(creditReportId),
      status,
      ...(status in reason && { reason: reason[status as keyof typeof reason] }),
      ...(status !== 'blocked' && { challengeType }),
      ...(request.externalReference && { externalReference: request.externalReference }),
      test: isTest(check),
      ...(status === 'complete' && reportOf(check)),
      createdAt: new Date(createdAtMs).toISOString(),
      ...(endedAtMs !== null && { endedAt: new Date(endedAtMs).toISOString() }),
      ...(isOpen && {
        challenge: {
          challengeId,
          attemptsRemaining: ATTEMPTS_MAX - check.attempts,
          textsRemaining: SENDS_MAX - check.sends,
          expiresAt: new Date(check.sentAtMs + CHALLENGE_LIFETIME_MS).toISOString(),
        },
      }),
    }
  }

  const meta = { request: { timeTakenMs: 1 } }
  const meteredMeta = (cost: number) => ({ ...meta, wallet: { balance, cost } })

  function expiryOf({ status, sentAtMs }: Check) {
    const leftMs = status === 'authentication-required' ? sentAtMs + CHALLENGE_LIFETIME_MS - clock() : null
    return leftMs === null ? {} : { [CHALLENGE_EXPIRES_IN_HEADER]: String(Math.max(0, Math.floor(leftMs / 1000))) }
  }

  return {
    options: { service: SERVICE, tenantId, credentials, fetch: serve },
    requests,
    eventOf(creditReportId) {
      const check = checks.get(creditReportId)
      if (check === undefined) throw new TypeError(`eventOf: there is no check "${creditReportId}"`)
      expire(check)
      return eventOf(check, tenantId)
    },
  }
}

function refuse(trigger: Trigger | null, request: Parameters<typeof playedRefusal>[1]): void {
  const played = playedRefusal(trigger, request)
  if (played !== null) throw new Refused(played.code, played.message, played.headers)
}

/** Live, as a service with a simulated risk provider. */
function branchOf(lastName: string) {
  return lastName === 'Allow' ? 'allow' : lastName === 'Block' ? 'block' : 'challenge'
}

function isTest({ request }: Check): boolean {
  return request.test === true
}

function reportOf({ status, made, trigger }: Check) {
  const match = playedMatch(trigger)
  return status === 'complete' ? { ...made, ...(match && { match }) } : {}
}

function eventOf(check: Check, tenantId: string): WebhookEvent {
  const { creditReportId, status, request, made } = check
  if (status === 'authentication-required') throw new TypeError(`eventOf: check "${creditReportId}" is still open`)
  const timestamp = new Date(check.endedAtMs ?? check.createdAtMs).toISOString()
  const { externalReference } = request
  const about = { tenantId, creditReportId, ...(externalReference && { externalReference }), test: isTest(check) }
  if (status === 'complete') {
    const agencies = made === null ? {} : { agencies: made.agencies }
    return { type: 'credit-report.completed', timestamp, data: { ...about, status, ...agencies } }
  }
  switch (status) {
    case 'blocked':
      return { type: 'credit-report.blocked', timestamp, data: { ...about, status } }
    case 'failed':
      return { type: 'credit-report.failed', timestamp, data: { ...about, status } }
    case 'expired':
      return { type: 'credit-report.expired', timestamp, data: { ...about, status } }
  }
}
