// The faults of each stage, and their places: in front of the proxy, between proxy and service, or in the proxy's
// settings. Everything travels over real connections; nothing in the page knows.
import { setTimeout as sleep } from 'node:timers/promises'
import { ERROR_STATUS, type ErrorCode } from '../../contract/error.ts'
import type { TenantProxyOptions } from '../../tenant-proxy/index.ts'
import type { StageName } from '../stages.ts'
import { changeReport, DIFFICULT_FILES } from './difficult-files.ts'

type Answer = (request: Request) => Promise<Response>

type Fault = {
  /** Stands in front of the proxy. */
  before?: (request: Request, next: Answer, visitor: { hangUp: () => void }) => Promise<Response>
  /** Stands between proxy and service. */
  between?: (request: Request, next: Answer) => Promise<Response>
  options?: Partial<TenantProxyOptions>
}

const SLOW_MS = 16_000
/** Reserved, and refused at once on every system. */
const NOBODY_LISTENS = 'http://127.0.0.1:9'

export const faults: { [stage in StageName]?: Fault } = {
  'no-credits': {
    between: async (request, next) => {
      const response = await next(request)
      if (response.status !== 402) return response
      return refuse('insufficient-funds', 'insufficient-credits')
    },
  },
  // Live limits on a mount where nothing is charged.
  'rate-limited': { options: { test: 'allow', limits: { generatesMax: 0 } } },
  'wrong-secret': { options: { credentials: { clientId: 'demo-lender', clientSecret: 'yesterday’s secret' } } },
  'service-down': { options: { service: NOBODY_LISTENS } },
  'signed-out': { before: (request, next) => (isWrite(request) ? refuse('unauthorized') : next(request)) },
  forbidden: { before: (request, next) => (isWrite(request) ? refuse('forbidden') : next(request)) },
  'cookie-lost': {
    before: (request, next) => {
      if (!/\/(?:otp-challenge|current)(?:\?|$)/.test(request.url)) return next(request)
      const headers = new Headers(request.headers)
      headers.delete('Cookie')
      return next(new Request(request, { headers }))
    },
  },
  'challenge-lost': {
    between: async (request, next) => {
      if (request.method === 'GET' && request.url.includes('/credit-reports/')) return refuse('challenge-not-found')
      if (!request.url.endsWith('/otp-challenge')) return next(request)
      const body = (await request.text()).replace(/("challengeId":")[^"]*/, '$1another-challenge')
      return next(new Request(request.url, { method: request.method, headers: request.headers, body }))
    },
  },
  known: { options: { test: true } },
  'agency-away': { between: agencyIs('unavailable') },
  'no-file': { between: agencyIs('no-file') },
  'current-lost': {
    before: (request, next) =>
      new URL(request.url).pathname.endsWith('/current')
        ? Promise.resolve(new Response('<h1>502 Bad Gateway</h1>', { status: 502 }))
        : next(request),
  },
  arrears: { between: fileOf('arrears') },
  hundreds: { between: fileOf('hundreds') },
  gaps: { between: fileOf('gaps') },
  cut: {
    before: async (request, next, { hangUp }) => {
      if (!isWrite(request)) return next(request)
      hangUp()
      return new Response(null, { status: 499 })
    },
  },
  slow: {
    before: async (request, next) => {
      if (isWrite(request)) await sleep(SLOW_MS)
      return next(request)
    },
  },
  malformed: {
    before: async (request, next) =>
      isWrite(request)
        ? new Response('<!doctype html><title>Welcome to Station Wi-Fi</title>', {
            headers: { 'Content-Type': 'text/html; charset=utf-8' },
          })
        : next(request),
  },
}

function fileOf(name: keyof typeof DIFFICULT_FILES) {
  return async (request: Request, next: Answer) =>
    changeReport(await next(request), (data) => {
      Object.assign(data, { creditReport: DIFFICULT_FILES[name](data.creditReport) })
    })
}

/** The last of the agencies has nothing to say, and no account of it is left. */
function agencyIs(status: 'unavailable' | 'no-file') {
  return async (request: Request, next: Answer) =>
    changeReport(await next(request), (data) => {
      const away = data.agencies.at(-1)
      if (!away) return
      away.status = status
      const { consumerData } = data.creditReport
      for (const record of consumerData.records) record.bureaus = record.bureaus.filter(({ id }) => id !== away.id)
      consumerData.records = consumerData.records.filter(({ bureaus }) => bureaus.length > 0)
    })
}

function isWrite(request: Request): boolean {
  return request.method === 'POST'
}

async function refuse(code: ErrorCode, said: string = code): Promise<Response> {
  return Response.json({ code: said, message: 'Refused by the preview.' }, { status: ERROR_STATUS[code] })
}
