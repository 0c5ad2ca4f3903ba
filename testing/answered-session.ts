// Test support: a session of the widget for each test, whose requests the test answers: late, twice or never.
import { afterEach, beforeEach, expect, vi } from 'vitest'
import { createSession } from '../widget/create-session.ts'
import type { Prefill } from '../widget/fields/answers.ts'
import { type Flow, startFlow } from '../widget/flow/flow.ts'
import type { Session } from '../widget/session.ts'
import { stillSession } from './still-session.ts'

export const meta = { test: false }
export const challenge = { challengeId: 'c1', expiresInSeconds: 300, attemptsRemaining: 3, textsRemaining: 2 }
export const challenged = {
  meta,
  data: { status: 'authentication-required', challengeType: 'otp', creditReportId: 'r1', challenge },
}
export const blocked = { meta, data: { status: 'blocked', creditReportId: 'r1' } }
export const none = { meta, data: { status: 'none' } }
export const today = '2026-11-15'

export type Asked = {
  method: string
  tab: string | null
  path: string
  key: string | null
  start: string | null
  body: { [name: string]: unknown }
  answer: (body: unknown, status?: number) => void
  /** Answers with what is not the proxy's, or not meant for this request. */
  garble: (text: string, status?: number) => void
  cut: () => void
}

/** As the proxy does: an answer carries the nonce of its request. */
function echo(url: URL, value: unknown): unknown {
  const nonce = url.searchParams.get('nonce')
  return nonce && typeof value === 'object' && value && 'meta' in value
    ? { ...value, meta: { ...Object(value.meta), nonce } }
    : value
}

type Sent = { method?: string; headers?: { [name: string]: string }; body?: Blob }

/** The parts that a test reads and changes. */
export const at = {
  asked: [] as Asked[],
  /** The fault that every `GET /current` meets instead of the test. */
  failing: null as ((request: Asked) => void) | null,
  failures: 0,
  session: stillSession(startFlow(0)),
}

export const sessionIdOf = (sessionId: string) =>
  Object.defineProperty(document, '__deviceFingerprint', {
    value: Object.assign(() => undefined, { state: 'ready', sessionId }),
    configurable: true,
  })

/** Called by each test file: files share a worker, which loads this module once. */
export function beginSessions(): void {
  beforeEach(async () => {
    at.asked = []
    at.failures = 0
    vi.stubGlobal('fetch', async (url: URL, { method, headers = {}, body }: Sent) => {
      const text = await body?.text()
      return new Promise<Response>((resolve, reject) => {
        const request: Asked = {
          method: method ?? 'GET',
          tab: headers['X-Credit-Report-Tab'] ?? null,
          path: url.pathname,
          key: headers['Idempotency-Key'] ?? null,
          start: headers['X-Credit-Report-Start'] ?? null,
          body: text ? JSON.parse(text) : {},
          answer: (value, status = 200) => resolve(new Response(JSON.stringify(echo(url, value)), { status })),
          garble: (text, status = 200) => resolve(new Response(text, { status })),
          cut: () => reject(new TypeError('cut')),
        }
        if (at.failing && request.path.endsWith('/current')) {
          at.failures++
          at.failing(request)
        } else at.asked.push(request)
      })
    })
    sessionIdOf('session-1')
    at.session = start()
    at.session.begin()
    ;(await next('/credit-reports/current')).answer(none)
  })
  afterEach(() => {
    at.session.end()
    sessionStorage.clear()
    vi.unstubAllGlobals()
  })
}

// The waits between tries are too long for a test; the time that an answer has is not shortened.
const TIMEOUTS_MS = [10_000, 15_000, 30_000]
export const realSetTimeout = setTimeout

/** For the test it is called in. */
export function shortenWaits(): void {
  vi.stubGlobal('setTimeout', (run: () => void, ms = 0, ...args: []) =>
    realSetTimeout(run, ms < 600 || TIMEOUTS_MS.includes(ms) ? ms : 30, ...args),
  )
}

export function start(
  change: { start?: string; prefill?: Prefill; sendsSteps?: boolean; keepsDrafts?: boolean } = {},
): Session {
  return createSession({
    endpoint: '/credit-reports',
    fingerprintSrc: null,
    pageNonce: '',
    scriptSrc: '',
    historyMonths: 0,
    isMobileRequired: true,
    mobileCountries: [],
    prefill: {},
    isLocked: false,
    start: null,
    sendsSteps: true,
    keepsDrafts: true,
    consent: () => ({ locale: 'en-GB', ticked: false }),
    loadWords: async () => undefined,
    onFault: () => undefined,
    ...change,
  })
}

/** The next request to a path, once it is there. */
export async function next(path: string): Promise<Asked> {
  await expect.poll(() => at.asked.map((request) => request.path)).toContain(path)
  const index = at.asked.findIndex((request) => request.path === path)
  const [request] = at.asked.splice(index, 1)
  if (!request) throw new Error('gone')
  return request
}

export const screen = (): Flow['screen'] => at.session.flow.value.screen
export const settled = () => new Promise((resolve) => setTimeout(resolve, 50))

export async function submit(change = {}): Promise<Asked> {
  const sam = { firstName: 'Sam', lastName: 'Patel', day: '27', month: '3', year: '1985', mobileNumber: '07700900123' }
  const person = { ...sam, ...change }
  const home = { buildingNumber: '10', townOrCity: 'Leeds', postcode: 'LS1 4AP' }
  at.session.send({ type: 'details', typed: person, today })
  at.session.send({ type: 'address', typed: home, today })
  at.session.send({ type: 'submit', agreed: true, shown: 'words' })
  return next('/credit-reports')
}
