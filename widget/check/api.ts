// Talks to the lender's tenant proxy. Every answer is parsed, every wait is bounded, every failure is a `Fault`.
import type { ConsumerDetails } from '../../contract/consumer-details.ts'
import {
  CURRENT_REPORT_PARAMETER,
  FORGET_PARAMETER,
  NONCE_PARAMETER,
  REFUSED_PARAMETER,
  START_HEADER,
  TAB_HEADER,
} from '../../contract/proxy-path.ts'
import type { StepSeen } from '../../contract/stats.ts'
import type { Draft } from '../../contract/tenant-proxy.ts'
import { VERSION, WIDGET_VERSION_HEADER } from '../../contract/versions.ts'
import { type Fault, isKnown, meaningOf, ownFault } from '../flow/fault.ts'
import { type Answer, type Reader, type Resent, readAnswer, readError, readResent } from '../flow/wire.ts'
import { proxyUrl } from '../own-url.ts'
import { randomKey } from './idempotency.ts'

export type Result<T> = { value: T; fault?: undefined } | { fault: Fault }

export type Api = {
  /** The check this browser can come back to: its latest, or the one with this id. */
  current(creditReportId?: string): Promise<Result<Answer>>
  generate(details: ConsumerDetails, idempotencyKey: string): Promise<Result<Answer>>
  verify(challenge: ChallengeAddress, code: string): Promise<Result<Answer>>
  resend(challenge: ChallengeAddress, idempotencyKey: string): Promise<Result<Resent>>
  /** The report of the completed check again, for who knows the date of birth. */
  open(dateOfBirth: string): Promise<Result<Answer>>
  /**
   * Asks the server not to show the report again; with `forget` nor that there was one. Resolves to whether it will.
   */
  close(options?: { forget: boolean }): Promise<boolean>
  /** A screen of the form is shown, and for how long the one before it was. Nothing depends on the answer. */
  step(step: StepSeen): void
  /** Gives what was typed to the server to keep; null drops it. Resolves to whether it was taken. */
  draft(draft: Draft | null): Promise<boolean>
}

/** The proxy refuses a widget that is too far away from it. */
export const versionHeaders = { [WIDGET_VERSION_HEADER]: VERSION }

type ChallengeAddress = { creditReportId: string; challengeId: string }

const GENERATE_TIMEOUT_MS = 30_000
const TIMEOUT_MS = 15_000
const TRIES_MAX = 3
const RETRY_AFTER_MS = 600
/** A longer wait than this is for the consumer to decide. */
const RETRY_AFTER_MAX_MS = 5_000
/** After a reload the first request may still be worked on. Rarer each time, so for about a minute. */
const IN_PROGRESS_TRIES_MAX = 14

type Call = {
  body?: unknown
  /** With a key a repeat is harmless. */
  key?: string
  /** @default 3 */
  triesMax?: number
  /** While the same request is still worked on. @default triesMax */
  inProgressTriesMax?: number
  /** @default 15 seconds */
  timeoutMs?: number
  /** A redirect that only adds a slash is followed. @default false: none is */
  mayAddSlash?: boolean
}

/**
 * `endpoint` is the proxy's mount on the page's own origin; `signal` ends everything in progress; `tab` is this tab's
 * own secret, `start` what the lender's server gave the page.
 */
export function createApi(
  endpoint: string,
  signal: AbortSignal,
  tab: () => string,
  start: () => string | null = () => null,
): Api {
  /** The server redirects every path to the same with a slash: a write has it from the start, and goes nowhere else. */
  let endsWithSlash = false

  function urlOf(path: string): URL | null {
    const url = proxyUrl(endpoint, path)
    if (url && endsWithSlash) url.pathname += '/'
    return url
  }

  function call<T>(read: Reader<T>, path: string, options: Call): Promise<Result<T>> {
    return repeat(() => callOnce(read, path, options), options)
  }

  async function repeat<T>(callOnce: () => Promise<Result<T>>, options: Call): Promise<Result<T>> {
    const { triesMax = TRIES_MAX, inProgressTriesMax = triesMax } = options
    for (let attempt = 1; ; attempt++) {
      const result = await callOnce()
      const { fault } = result
      const isInProgress = fault?.code === 'request-in-progress'
      const most = isInProgress ? inProgressTriesMax : triesMax
      if (!fault || attempt >= most || !meaningOf(fault).isRepeated) return result
      // Jitter, so that a thousand phones do not come back at the same moment.
      const ownMs = RETRY_AFTER_MS * attempt * (1 + Math.random())
      const waitMs = isInProgress ? Math.min(1_000 * attempt, RETRY_AFTER_MAX_MS) : (fault.retryAfterMs ?? ownMs)
      if (waitMs > RETRY_AFTER_MAX_MS) return result
      await pause(waitMs, signal)
      if (signal.aborted) return result
    }
  }

  async function callOnce<T>(
    read: Reader<T>,
    path: string,
    { body, key, timeoutMs = TIMEOUT_MS, mayAddSlash = false }: Call,
  ): Promise<Result<T>> {
    const patience = new AbortController()
    const giveUp = () => patience.abort()
    const timer = setTimeout(giveUp, timeoutMs)
    signal.addEventListener('abort', giveUp)
    try {
      const url = urlOf(path)
      if (!url) return { fault: ownFault('endpoint-not-same-origin') }
      const begun = start()
      const response = await fetch(url, {
        headers: {
          Accept: 'application/json',
          ...versionHeaders,
          [TAB_HEADER]: tab(),
          ...(begun !== null && { [START_HEADER]: begun }),
          ...(key && { 'Idempotency-Key': key }),
        },
        ...(body !== undefined && { method: 'POST', body: jsonBody(body) }),
        cache: 'no-store',
        mode: 'same-origin',
        redirect: mayAddSlash ? 'follow' : 'error',
        signal: patience.signal,
      })
      if (response.redirected && !addsSlash(url, response.url)) return { fault: ownFault('garbled-answer') }
      endsWithSlash ||= response.redirected
      const json: unknown = await response.json().catch((error: unknown) => {
        if (patience.signal.aborted) throw error
      })
      if (!response.ok) {
        const fault = describeFault(response, readError(json))
        if (body !== undefined) tellRefused(fault)
        return { fault }
      }
      const value = read(json)
      return value ? { value } : { fault: ownFault('garbled-answer') }
    } catch {
      return { fault: ownFault(patience.signal.aborted ? 'timeout' : navigator.onLine ? 'network' : 'offline') }
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', giveUp)
    }
  }

  /** Said once, also when the page goes at the same moment. Resolves to whether it was taken. */
  async function tell(path: string, init: RequestInit): Promise<boolean> {
    const url = urlOf(path)
    if (!url) return false
    try {
      const response = await fetch(url, { redirect: 'error', keepalive: true, ...init })
      if (!response.ok) tellRefused(describeFault(response, readError(await response.json().catch(() => null))))
      return response.ok
    } catch {
      return false
    }
  }

  let isTold = false
  /**
   * Software in front of the lender's server refuses writes: reads still arrive, and one of them says so in its log.
   */
  function tellRefused({ code, status }: Fault): void {
    const url = urlOf(`/current?${REFUSED_PARAMETER}=${status}`)
    if (isTold || isKnown(code) || status >= 500 || !url) return
    isTold = true
    fetch(url, { cache: 'no-store', redirect: 'error', headers: versionHeaders }).catch(() => {})
  }

  const address = ({ creditReportId }: ChallengeAddress, action: string) =>
    `/${encodeURIComponent(creditReportId)}/${action}`
  return {
    close: ({ forget } = { forget: false }) =>
      tell(`/current${forget ? `?${FORGET_PARAMETER}=1` : ''}`, { method: 'DELETE' }),
    step: (seen) => void tell('/steps', { method: 'POST', body: jsonBody(seen) }),
    draft: (draft) =>
      tell('/draft', {
        headers: { [TAB_HEADER]: tab() },
        ...(draft ? { method: 'POST', body: jsonBody(draft) } : { method: 'DELETE' }),
      }),
    // Never repeated by itself, like a code.
    open: (dateOfBirth) => call(readAnswer, '/current/open', { body: { dateOfBirth }, triesMax: 1 }),
    current: (creditReportId) => {
      const options = { mayAddSlash: true }
      const askOnce = () => {
        const nonce = randomKey()
        const query = new URLSearchParams({ [NONCE_PARAMETER]: nonce })
        if (creditReportId) query.set(CURRENT_REPORT_PARAMETER, creditReportId)
        // Without its nonce it answers another request: a cache or a service worker has kept it.
        const read: Reader<Answer> = (json) => {
          const answer = readAnswer(json)
          return answer?.meta.nonce === nonce ? answer : null
        }
        return callOnce(read, `/current?${query}`, options)
      }
      return repeat(askOnce, options)
    },
    generate: (body, key) =>
      call(readAnswer, '', {
        body,
        key,
        timeoutMs: GENERATE_TIMEOUT_MS,
        inProgressTriesMax: IN_PROGRESS_TRIES_MAX,
      }),
    // Never repeated by itself: a code that was judged and whose answer was lost would count twice.
    verify: (challenge, code) =>
      call(readAnswer, address(challenge, 'otp-challenge'), {
        body: { challengeId: challenge.challengeId, code },
        triesMax: 1,
      }),
    resend: (challenge, key) =>
      call(readResent, address(challenge, 'resend-sms'), { body: { challengeId: challenge.challengeId }, key }),
  }
}

function addsSlash(asked: URL, answered: string): boolean {
  const { origin, pathname } = new URL(answered)
  return origin === asked.origin && pathname === `${asked.pathname}/`
}

function describeFault({ status, headers }: Response, error: { code: string; message: string } | null): Fault {
  const retryAfterMs = readRetryAfter(headers.get('Retry-After'), Date.now())
  const requestId = headers.get('X-Request-Id')
  return {
    code: `http-${status}`,
    ...error,
    status,
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    ...(requestId && { requestId }),
  }
}

/** Seconds or a date → milliseconds from now. */
export function readRetryAfter(header: string | null, nowMs: number): number | undefined {
  if (!header) return undefined
  const ms = /^\d+$/.test(header) ? Number(header) * 1000 : new Date(header).getTime() - nowMs
  return Number.isNaN(ms) ? undefined : Math.max(0, ms)
}

/** Shorter when the element goes meanwhile. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}

/** JSON text, even on a page whose scripts have given arrays or objects a `toJSON` (Prototype.js does). */
function jsonBody(value: unknown): Blob {
  return new Blob([JSON.stringify(bare(value))], { type: 'application/json' })
}

// Without a prototype there is no `toJSON` to inherit; an array stays an array.
function bare(value: unknown): unknown {
  if (Array.isArray(value)) return Object.setPrototypeOf(value.map(bare), null)
  if (typeof value !== 'object' || value === null) return value
  const copy: unknown = Object.create(null)
  return Object.assign(Object(copy), Object.fromEntries(Object.entries(value).map(([key, part]) => [key, bare(part)])))
}
