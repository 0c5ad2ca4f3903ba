import type { MiddlewareHandler } from 'hono'
import type { Metrics } from '../metrics.ts'
import type { ServiceEnv } from './context.ts'
import { unavailable } from './errors.ts'
import type { Gate, Urgency } from './gate.ts'

/** Sends a request away with 503 when the service has more than it can do, the least important first. */
export function shed(gate: Gate, metrics: Metrics): MiddlewareHandler<ServiceEnv> {
  return async (context, next) => {
    const urgency = urgencyOf(context.req.method, context.req.path)
    if (urgency === null) return next()
    const entered = gate.enter(urgency)
    if (entered !== true && !(await entered)) {
      metrics.requestShed(urgency)
      throw unavailable()
    }
    try {
      await next()
    } finally {
      gate.leave()
    }
  }
}

/** Never refused: probes, which must not take a busy process for a dead one. */
const UNGATED = new Set(['/healthz', '/readyz', '/metrics'])

/** Null for what is never refused. A code that was typed and a receipt that arrives cannot be asked for again; the rest can. */
export function urgencyOf(method: string, path: string): Urgency | null {
  if (UNGATED.has(path)) return null
  if (method === 'GET' || method === 'HEAD') return 'low'
  if (path.endsWith('/otp-challenge') || path.startsWith('/v1/sms/receipts/')) return 'urgent'
  if (path.endsWith('/resend-sms') || path === '/v1/oauth/token') return 'high'
  return 'normal'
}
