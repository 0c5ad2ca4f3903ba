import type { Context, MiddlewareHandler, Next } from 'hono'
import { matchedRoutes } from 'hono/route'
import { isId } from '../../kit/new-id.ts'
import { REQUEST_ID_HEADER, readTrace } from '../../kit/trace.ts'
import { type Log, type LogFields, runTraced } from '../log.ts'
import type { Telemetry } from '../telemetry.ts'
import { PlayedError } from './api-error.ts'
import type { Caller } from './caller.ts'
import type { ServiceEnv } from './context.ts'
import { rateLimitHeaders } from './rate-limit.ts'

const HTTPS_ONLY_SECONDS = 31_536_000

/**
 * Set on every answer unless its route set something else: nothing here is meant to be framed, sniffed, cached or run.
 */
const DEFAULT_HEADERS: [string, string][] = [
  ['Cache-Control', 'no-store'],
  ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
  ['Cross-Origin-Resource-Policy', 'same-origin'],
  ['Referrer-Policy', 'no-referrer'],
  ['X-Content-Type-Options', 'nosniff'],
]

/** Probes call these every few seconds; a line each would hide everything else. */
const QUIET_ROUTES = new Set(['/healthz', '/readyz', '/metrics'])

type ObserveOptions = { log: Log; telemetry: Telemetry; https: boolean }

/** Gives the request its id and start time, the answer its headers, and the operator one line and one measurement. */
export function observe({ log, telemetry, https }: ObserveOptions): MiddlewareHandler<ServiceEnv> {
  const defaults = https
    ? [...DEFAULT_HEADERS, ['Strict-Transport-Security', `max-age=${HTTPS_ONLY_SECONDS}; includeSubDomains`] as const]
    : DEFAULT_HEADERS
  const sample = createSampler()

  return (context, next) => {
    const trace = readTrace(context.req.raw.headers)
    return runTraced(trace, () => serve(trace.requestId, context, next))
  }

  async function serve(requestId: string, context: Context<ServiceEnv>, next: Next): Promise<void> {
    const arrivedAtMs = performance.now()
    context.set('arrivedAtMs', arrivedAtMs)
    context.set('requestId', requestId)
    await next()

    const { headers, status } = context.res
    headers.set(REQUEST_ID_HEADER, requestId)
    const allowance = context.get('allowance')
    if (allowance) for (const [name, value] of rateLimitHeaders(allowance)) headers.set(name, value)
    for (const [name, value] of defaults) if (!headers.has(name)) headers.set(name, value)

    const { method } = context.req
    const route = routeOf(context)
    const ms = performance.now() - arrivedAtMs
    const isPlayed = context.error instanceof PlayedError
    if (!isPlayed) telemetry.requestFinished({ method, route, status, seconds: ms / 1000 })
    const caller: Caller | undefined = context.get('caller')
    // Anyone can cause these by the thousand: the metrics count them all, the log has one of them a second.
    const isAnonymousRefusal = caller === undefined && status >= 400 && status < 500
    const count = isAnonymousRefusal ? sample(`${method} ${route} ${status}`) : 1
    if (count === 0) return
    // The pattern, never the path: a path holds whatever a caller typed.
    const write = QUIET_ROUTES.has(route) ? log.debug : log.info
    write('request', {
      method,
      route,
      status,
      ms: Math.round(ms * 10) / 10,
      tenantId: context.get('tenantId'),
      ...callerOf(caller),
      ...(count > 1 ? { count } : {}),
      creditReportId: context.get('creditReportId') ?? reportIdOf(context.req.path),
    })
  }
}

const SAMPLE_MS = 1_000

/**
 * The number of requests of a kind that the next line stands for: 0 while the last line of that kind is younger than a
 * second.
 */
function createSampler(): (kind: string) => number {
  // Kinds are methods, routes and statuses of ours: there are not many.
  const kinds = new Map<string, { lineAtMs: number; waiting: number }>()
  return (kind) => {
    const nowMs = performance.now()
    const { lineAtMs, waiting } = kinds.get(kind) ?? { lineAtMs: Number.NEGATIVE_INFINITY, waiting: 0 }
    const isDue = nowMs - lineAtMs >= SAMPLE_MS
    kinds.set(kind, isDue ? { lineAtMs: nowMs, waiting: 0 } : { lineAtMs, waiting: waiting + 1 })
    return isDue ? waiting + 1 : 0
  }
}

/** Of `/{tenant}/v1/credit-reports/{id}` and what is below it; nothing else a caller may have typed there. */
function reportIdOf(path: string): string | undefined {
  const [, , , collection, id = ''] = path.split('/', 5)
  return collection === 'credit-reports' && isId(id) ? id : undefined
}

function callerOf(caller: Caller | undefined): LogFields {
  if (caller === undefined) return {}
  return caller.kind === 'client' ? { clientId: caller.clientId } : { userId: caller.userId }
}

/** The pattern of the route that answered, not that of a middleware for every path, wherever it stands. */
export function routeOf(context: Context<ServiceEnv>): string {
  return matchedRoutes(context).findLast(({ path }) => path !== '/*' && path !== '*')?.path ?? 'unmatched'
}
