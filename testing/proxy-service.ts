// A stand-in for the service, for tests: real HTTP, the contract's answers, and whatever misbehaviour a test asks for.
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { KEY_REUSED_HEADER } from '../contract/idempotency.ts'
import { ATTEMPTS_MAX, SENDS_MAX, TEST_MODE_CODE } from '../contract/limits.ts'
import { OPEN_ATTEMPTS_MAX } from '../contract/open-report.ts'
import type { ReportState } from '../contract/report-state.ts'
import { sampleReport, sampleRequest } from '../contract/samples.ts'

type SeenRequest = { method: string; path: string; headers: IncomingHttpHeaders; body: string }

/** Answers instead of the stand-in when it returns true. */
export type Misbehaviour = (request: SeenRequest, response: ServerResponse) => boolean

export type TestService = {
  url: string
  /** Everything that arrived but token requests. */
  seen: SeenRequest[]
  tokenRequests: SeenRequest[]
  /** Reports made, which is what would be charged; a replay makes none. */
  reports: Map<string, TestReport>
  /** The outcomes of the next generate requests. */
  branch: 'allow' | 'challenge' | 'block'
  /** The answer of a bureau. */
  report: unknown
  /** The answers of the agencies. */
  agencies: unknown
  misbehave: Misbehaviour | null
  tokenLifeSeconds: number
  stop(): Promise<void>
}

type TestReport = {
  creditReportId: string
  attempts: number
  sends: number
  test: boolean
  status: ReportState['status']
  dateOfBirth?: string
  externalReference?: string | undefined
  /** Dates of birth that were wrong. */
  opens?: number
}

type GenerateBody = { test?: boolean; dateOfBirth: string; externalReference?: string }

const STATUS_OF_REFUSAL: { [code: string]: number } = { 'rate-limited': 429, 'challenge-expired': 410 }
const CLIENT = { clientId: 'demo-lender', clientSecret: 'demo-secret' }
const KEY_REUSED = { code: 'validation-error', message: 'Idempotency-Key: was used for another body' }
const WALLET = { balance: 999_500, cost: 500 }

/** Options for a proxy in front of `service`, and details as the widget sends them. */
export function proxyOptions(service: TestService) {
  return { service: service.url, tenantId: 'demo-lender', credentials: CLIENT, onEvent: () => {} }
}

const { bureaus, ipAddress, searchType, externalReference, test, challengeOptions, ...details } = sampleRequest
export const sampleDetails = { ...details, consent: { version: '2026-10', locale: 'en-GB' } }

/** Another person at the same browser, whose check is another one. */
export const another = { lastName: 'Another' }

export async function startTestService(): Promise<TestService> {
  const replays = new Map<string, { body: string; answer: unknown }>()
  let tokensGiven = 0
  let reportsMade = 0
  const server = createServer(async (incoming, response) => {
    const request = await readRequest(incoming)
    const isToken = request.path === '/v1/oauth/token'
    const list = isToken ? service.tokenRequests : service.seen
    list.push(request)
    if (service.misbehave?.(request, response)) return
    if (isToken) return giveToken(request, response)
    if (request.path === '/healthz') return answer(response, 200, { status: 'ok' })
    if (request.path === '/v1/fingerprints/device') return answer(response, 200, {})
    if (!/^Bearer token-\d+$/.test(request.headers.authorization ?? '')) return refuse(response, 401, 'unauthorized')
    const [, tenantId, , , creditReportId, action] = request.path.split('/')
    if (tenantId !== CLIENT.clientId) return refuse(response, 403, 'forbidden')
    if (/\/(?:steps|doctor)$/.test(request.path)) return void response.writeHead(204).end()
    if (request.method === 'GET' && creditReportId === undefined) return listFor(request, response)
    if (request.method === 'GET') return stand(creditReportId ?? '', response)
    const key = request.headers['idempotency-key']
    const replay = typeof key === 'string' ? replays.get(key) : undefined
    const compared = comparedBody(request)
    if (replay && replay.body !== compared) return answer(response, 400, KEY_REUSED, { [KEY_REUSED_HEADER]: 'true' })
    if (replay) return answer(response, 200, replay.answer, { 'Idempotent-Replayed': 'true' })
    const result =
      creditReportId === undefined ? generate(JSON.parse(request.body)) : challenge(creditReportId, action, request)
    if (typeof result === 'string') return refuse(response, STATUS_OF_REFUSAL[result] ?? 404, result)
    if (typeof key === 'string') replays.set(key, { body: compared, answer: result })
    answer(response, 200, result, { 'X-Challenge-Expires-In': '300', 'X-Request-Id': 'request-1' })
  })

  function giveToken(request: SeenRequest, response: ServerResponse) {
    const form = new URLSearchParams(request.body)
    const isRight = form.get('client_id') === CLIENT.clientId && form.get('client_secret') === CLIENT.clientSecret
    if (!isRight) return answer(response, 401, { error: 'invalid_client' })
    tokensGiven += 1
    answer(response, 200, {
      access_token: `token-${tokensGiven}`,
      token_type: 'Bearer',
      expires_in: service.tokenLifeSeconds,
    })
  }

  function generate({ test = false, dateOfBirth, externalReference }: GenerateBody): unknown {
    reportsMade += 1
    const creditReportId = `report-${reportsMade}`
    const about = { creditReportId, test }
    const data = {
      allow: {
        status: 'complete',
        challengeType: 'none',
        ...about,
        agencies: service.agencies,
        creditReport: service.report,
      },
      challenge: {
        status: 'authentication-required',
        challengeType: 'otp',
        ...about,
        challenge: { challengeId: `challenge-of-${creditReportId}` },
      },
      block: { status: 'blocked', ...about },
    }[service.branch]
    const made = { meta: { request: { timeTakenMs: 1 }, wallet: WALLET }, data }
    const status = data.status as TestReport['status']
    service.reports.set(creditReportId, {
      creditReportId,
      attempts: 0,
      sends: 1,
      test,
      status,
      dateOfBirth,
      externalReference,
    })
    return made
  }

  /** Newest first, as the service lists them. */
  function listFor({ path }: SeenRequest, response: ServerResponse) {
    const wanted = new URL(path, service.url).searchParams.get('externalReference')
    const creditReports = [...service.reports.values()]
      .filter(({ externalReference }) => externalReference === wanted)
      .map(({ creditReportId, status, test }) => ({
        creditReportId,
        reference: 'K7QM2F9H',
        status,
        test,
        createdAt: '2026-11-15T12:00:00.000Z',
      }))
      .toReversed()
    answer(response, 200, { meta: { request: { timeTakenMs: 1 } }, data: { creditReports } })
  }

  function stand(creditReportId: string, response: ServerResponse) {
    const report = service.reports.get(creditReportId)
    if (!report) return refuse(response, 404, 'credit-report-not-found')
    const { status, test } = report
    const data = {
      status,
      creditReportId,
      test,
      reference: 'K7QM2F9H',
      createdAt: '2026-11-15T12:00:00.000Z',
      ...(status === 'authentication-required'
        ? {
            challengeType: 'otp',
            challenge: {
              challengeId: `challenge-of-${creditReportId}`,
              attemptsRemaining: ATTEMPTS_MAX - report.attempts,
              textsRemaining: SENDS_MAX - report.sends,
              expiresAt: '2026-11-15T12:05:00.000Z',
            },
          }
        : { endedAt: '2026-11-15T12:01:00.000Z' }),
      ...(status === 'blocked' ? { reason: 'risk' } : {}),
      ...(status === 'failed' ? { reason: 'attempts' } : {}),
      ...(status === 'expired' ? { challengeType: 'otp', reason: 'timeout' } : {}),
      ...(status === 'complete'
        ? { challengeType: 'otp', creditReport: service.report, agencies: service.agencies }
        : {}),
    }
    answer(response, 200, { meta: { request: { timeTakenMs: 1 }, wallet: { ...WALLET, cost: 0 } }, data })
  }

  function challenge(creditReportId: string, action: string | undefined, request: SeenRequest): unknown {
    const report = service.reports.get(creditReportId)
    if (!report) return 'credit-report-not-found'
    if (action === 'open') return open(report, JSON.parse(request.body).dateOfBirth)
    const { challengeId, code } = JSON.parse(request.body)
    if (challengeId !== `challenge-of-${creditReportId}`) return 'challenge-not-found'
    const isOver = report.status !== 'authentication-required'
    if (report.status === 'expired' || (isOver && action === 'resend-sms')) return 'challenge-expired'
    if (action === 'resend-sms') {
      if (report.sends >= SENDS_MAX) return 'rate-limited'
      report.sends += 1
      const data = { remainingSmsCount: SENDS_MAX - report.sends, smsSentCount: report.sends }
      return { meta: { request: { timeTakenMs: 1 } }, data }
    }
    const meta = { request: { timeTakenMs: 1 }, wallet: { ...WALLET, cost: 0 } }
    const about = { creditReportId, test: report.test }
    if (report.status === 'complete' && code !== TEST_MODE_CODE) return 'challenge-expired'
    if (code === TEST_MODE_CODE && report.status !== 'failed') {
      report.status = 'complete'
      return { meta, data: { status: 'complete', ...about, agencies: service.agencies, creditReport: service.report } }
    }
    report.attempts += 1
    const attemptsRemaining = ATTEMPTS_MAX - report.attempts
    if (attemptsRemaining <= 0) report.status = 'failed'
    if (attemptsRemaining <= 0) return { meta, data: { status: 'failed', ...about, errorMessage: 'no attempts left' } }
    return { meta, data: { status: 'retry', ...about, errorMessage: 'wrong code', attemptsRemaining } }
  }

  function open(report: TestReport, dateOfBirth: string): unknown {
    const { creditReportId, opens = 0 } = report
    if (report.status !== 'complete') return 'credit-report-not-found'
    const isRight = opens < OPEN_ATTEMPTS_MAX && dateOfBirth === report.dateOfBirth
    if (!isRight) report.opens = Math.min(OPEN_ATTEMPTS_MAX, opens + 1)
    const attemptsRemaining = OPEN_ATTEMPTS_MAX - (report.opens ?? 0)
    const data = { creditReportId, status: isRight ? 'open' : 'wrong', attemptsRemaining }
    return { meta: { request: { timeTakenMs: 1 } }, data }
  }

  const service: TestService = {
    url: '',
    seen: [],
    tokenRequests: [],
    reports: new Map(),
    branch: 'challenge',
    report: sampleReport,
    agencies: undefined,
    misbehave: null,
    tokenLifeSeconds: 900,
    async stop() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  service.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return service
}

export function answer(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}) {
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body))
}

export function refuse(response: ServerResponse, status: number, code: string, message = `refused: ${code}`) {
  answer(response, status, { code, message })
}

/** As the service compares a repeat with the first request. */
function comparedBody({ headers, body }: SeenRequest): string {
  const ignored = String(headers['idempotency-ignore'] ?? '').split(', ')
  const compared = JSON.stringify(JSON.parse(body), (name, value) => (ignored.includes(name) ? undefined : value))
  return `${compared} ${headers['idempotency-owner'] ?? ''}`
}

async function readRequest(incoming: IncomingMessage): Promise<SeenRequest> {
  let body = ''
  for await (const chunk of incoming) body += chunk
  return { method: incoming.method ?? '', path: incoming.url ?? '', headers: incoming.headers, body }
}
