// A tenant proxy that keeps its promises only as long as a test wants it to: the same wire as the real one, without a
// service behind it, and every answer can be replaced, held back, garbled or cut. Serves the built widget and the pages
// that host it.
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { cutOff } from '../cut-off.ts'
import { echoNonce } from '../echo-nonce.ts'
import { answerPage, type PageOptions } from './host-page.ts'
import { sampleReport } from './sample-report.ts'

export const CODE = '123456'
const ATTEMPTS_MAX = 3
const SENDS_MAX = 3
const LIFETIME_MS = 300_000

/** The treatment of the next request to a path instead of an answer. */
export type Instead = {
  status?: number
  body?: unknown
  headers?: { [name: string]: string }
  /** Sent as it is. */
  text?: string
  /** Waits for `release`. */
  isHeld?: boolean
  /** Closes the connection within the answer: instead of doing the work, or after it. */
  cut?: 'before' | 'after'
}

type Seen = { method: string; path: string; headers: IncomingMessage['headers']; body: unknown }

type Challenge = { id: string; attempts: number; sends: number; sentAtMs: number; isOver: boolean; ending: string }
type Run = { id: string; challenge: Challenge | null; answers: Map<string, unknown> }

export type StandIn = {
  origin: string
  seen: Seen[]
  /** The address of a page like this. */
  page(options?: PageOptions): string
  /** Queues something for the next request whose path ends with `ending`. */
  instead(ending: string, ...what: Instead[]): void
  /** Answers what is held. */
  release(): void
  /** Moves this server's clock on. */
  advance(ms: number): void
  close(): Promise<void>
}

export async function startStandIn(): Promise<StandIn> {
  const seen: Seen[] = []
  const queued: { ending: string; what: Instead }[] = []
  const held: (() => void)[] = []
  const runs = new Map<string, Run>()
  const pages: PageOptions[] = []
  let shiftMs = 0
  let count = 0
  const nowMs = () => Date.now() + shiftMs

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      response.statusCode = 500
      response.end(String(error))
    })
  })

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://stand-in')
    const { pathname: path } = url
    const body = await readBody(request)
    if (!path.startsWith('/page/')) seen.push({ method: request.method ?? '', path, headers: request.headers, body })
    const index = queued.findIndex(({ ending }) => path.endsWith(ending))
    const what = index >= 0 ? queued.splice(index, 1)[0]?.what : undefined
    if (what?.isHeld) await new Promise<void>((resolve) => held.push(resolve))
    if (what?.cut === 'before') return cutOff(response)
    if (what && (what.status || what.text !== undefined || what.body !== undefined)) {
      response.writeHead(what.status ?? 200, { 'Content-Type': 'application/json', ...what.headers })
      return void response.end(what.text ?? JSON.stringify(echoNonce(url.href, what.body ?? {})))
    }
    if (path.startsWith('/page/')) return answerPage(pages[Number(path.slice('/page/'.length))], response)
    if (path === '/v1/fingerprints/device') return answerScript(response, fingerprintScript)
    const file = /\/([\w-]+(?:\.[\w-]+)?\.js)$/.exec(path)?.[1]
    if (file) return serveFile(response, file)
    const answer = route(request, path, body)
    if (what?.cut === 'after') return cutOff(response)
    response.writeHead(answer.status, {
      'Content-Type': 'application/json',
      'X-Request-Id': 'req-stand-in',
      ...what?.headers,
    })
    response.end(JSON.stringify(echoNonce(url.href, answer.body)))
  }

  function route(request: IncomingMessage, path: string, body: unknown): { status: number; body: unknown } {
    const [, mount = '', branch = 'challenge', scenario = 'default', rest = ''] =
      /^(\/credit-reports(?:\/test\/(\w+)\/(\w+)\/[\w-]+)?)(.*)$/.exec(path) ?? []
    if (!mount) return refuse(404, 'not-found')
    const meta = { test: path.includes('/test/'), fingerprintSrc: '/v1/fingerprints/device' }
    const run = runs.get(mount)
    const challenge = run?.challenge ?? null
    const isOpen = challenge !== null && !challenge.isOver && nowMs() - challenge.sentAtMs <= LIFETIME_MS
    const state = () =>
      challenge && {
        challengeId: challenge.id,
        expiresInSeconds: Math.max(0, (LIFETIME_MS - (nowMs() - challenge.sentAtMs)) / 1000),
        attemptsRemaining: ATTEMPTS_MAX - challenge.attempts,
        textsRemaining: SENDS_MAX - challenge.sends,
        mobileNumberEnding: challenge.ending,
      }
    const ok = (data: unknown) => ({ status: 200, body: { meta, data } })
    const creditReport = () => sampleReport(scenario)

    if (rest === '/current') {
      if (run && challenge && !challenge.isOver && !isOpen) return ok({ status: 'expired', creditReportId: run.id })
      if (!run || !isOpen) return ok({ status: 'none' })
      return ok({ status: 'authentication-required', challengeType: 'otp', creditReportId: run.id, challenge: state() })
    }
    // As the proxy refuses the doctor's harmless write.
    if (rest === '/steps') return refuse(400, 'validation-error')
    if (rest === '') {
      const key = String(request.headers['idempotency-key'])
      const known = run?.answers.get(key)
      if (known) return ok(known)
      const id = `report-${++count}`
      const ending = readEnding(body)
      const opened = { id: `challenge-${count}`, attempts: 0, sends: 1, sentAtMs: nowMs(), isOver: false, ending }
      const fresh: Run = { id, challenge: branch === 'challenge' ? opened : null, answers: run?.answers ?? new Map() }
      runs.set(mount, fresh)
      const answers: { [branch: string]: unknown } = {
        allow: { status: 'complete', challengeType: 'none', creditReportId: id, creditReport: creditReport() },
        block: { status: 'blocked', creditReportId: id },
        challenge: {
          status: 'authentication-required',
          challengeType: 'otp',
          creditReportId: id,
          challenge: {
            challengeId: opened.id,
            expiresInSeconds: LIFETIME_MS / 1000,
            attemptsRemaining: ATTEMPTS_MAX,
            textsRemaining: SENDS_MAX - 1,
            mobileNumberEnding: ending,
          },
        },
      }
      fresh.answers.set(key, answers[branch])
      return ok(answers[branch])
    }
    if (!run || !challenge || !rest.startsWith(`/${run.id}/`)) return refuse(404, 'credit-report-not-found')
    if (challenge.isOver && challenge.attempts >= ATTEMPTS_MAX) return ok({ status: 'failed', creditReportId: run.id })
    if (!isOpen) return refuse(410, 'challenge-expired')
    if (rest.endsWith('/resend-sms')) {
      if (challenge.sends >= SENDS_MAX) return refuse(429, 'rate-limited')
      challenge.sends++
      challenge.sentAtMs = nowMs()
      return ok({ remainingSmsCount: SENDS_MAX - challenge.sends, smsSentCount: challenge.sends, challenge: state() })
    }
    if (readCode(body) === CODE) {
      challenge.isOver = true
      return ok({ status: 'complete', creditReportId: run.id, creditReport: creditReport() })
    }
    challenge.attempts++
    challenge.isOver = challenge.attempts >= ATTEMPTS_MAX
    if (challenge.isOver) return ok({ status: 'failed', creditReportId: run.id })
    return ok({ status: 'retry', creditReportId: run.id, attemptsRemaining: ATTEMPTS_MAX - challenge.attempts })
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`
  return {
    origin,
    page: (options = {}) => `${origin}/page/${pages.push(options) - 1}`,
    seen,
    instead: (ending, ...what) => queued.push(...what.map((one) => ({ ending, what: one }))),
    release() {
      for (const answer of held.splice(0)) answer()
    },
    advance(ms) {
      shiftMs += ms
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}

function refuse(status: number, code: string) {
  return { status, body: { code, message: code } }
}

async function serveFile(response: ServerResponse, file: string): Promise<void> {
  try {
    answerScript(response, await readFile(join('dist/widget', file), 'utf8'))
  } catch {
    response.writeHead(404).end()
  }
}

function answerScript(response: ServerResponse, code: string): void {
  response.writeHead(200, {
    'Content-Type': 'text/javascript',
    'Access-Control-Allow-Origin': '*',
    'Cross-Origin-Resource-Policy': 'cross-origin',
  })
  response.end(code)
}

// The real script's interface to a page: the marker, its event, and the page's own callback.
const fingerprintScript = `(() => {
  const marker = () => {}
  Object.assign(marker, { state: 'ready', sessionId: 'session-1' })
  Object.defineProperty(document, '__deviceFingerprint', { value: marker, configurable: true })
  const event = document.createEvent('Event')
  event.initEvent('devicefingerprint', false, false)
  document.dispatchEvent(event)
  window.service?.deviceFingerprint?.({ sessionId: 'session-1' })
})()`

async function readBody(request: IncomingMessage): Promise<unknown> {
  let text = ''
  for await (const part of request) text += part
  try {
    return JSON.parse(text)
  } catch {
    return text || undefined
  }
}

function readCode(body: unknown): unknown {
  return typeof body === 'object' && body && 'code' in body ? body.code : ''
}

function readEnding(body: unknown): string {
  return typeof body === 'object' && body && 'mobileNumber' in body ? String(body.mobileNumber).slice(-3) : ''
}
