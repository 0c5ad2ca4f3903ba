// Sends requests away with 503 when the service has more than it can do, the least important first.
//
//   request ─▶ place in its gate ─▶ who calls ─▶ gives the place up while the body arrives ─▶ place again ─▶ route
//
// A sender who is slow, or stops half-way, holds a connection but no place.
import type { MiddlewareHandler } from 'hono'
import type { ServiceEnv } from '../../service/http/context.ts'
import { unavailable } from '../../service/http/errors.ts'
import { keepPlace, type Place } from '../../service/http/read-body.ts'
import type { Telemetry } from '../../service/telemetry.ts'
import { createGate, type Entrant, type Gate, type GateOptions, type Urgency } from './gate.ts'

/** Bulkheads: strangers can fill those that need no token, and lenders with a token do not notice. */
export type Gates = { lenders: Gate; anyone: Gate; receipts: Gate }

/** Minting, tokens and sign-in take milliseconds each; what takes longer there is not honest. */
const ANYONE: GateOptions = { runningMax: 50, reservedForUrgent: 0, waitingMax: 200, waitMs: 2_000 }
/** A gateway comes again with what was refused; strangers who imitate it must not keep people from signing in. */
const RECEIPTS: GateOptions = { runningMax: 20, reservedForUrgent: 0, waitingMax: 200, waitMs: 2_000 }

/** `lenders`: what differs from the default sizes. */
export function createGates(lenders: Partial<GateOptions> = {}): Gates {
  return { lenders: createGate(lenders), anyone: createGate(ANYONE), receipts: createGate(RECEIPTS) }
}

export function loadOf(gates: Gates): { running: number; waiting: number } {
  const sum = { running: 0, waiting: 0 }
  for (const gate of Object.values(gates)) {
    const { running, waiting } = gate.load()
    sum.running += running
    sum.waiting += waiting
  }
  return sum
}

export function shed(gates: Gates, telemetry: Telemetry): MiddlewareHandler<ServiceEnv> {
  return async (context, next) => {
    const { method, path, raw } = context.req
    const urgency = urgencyOf(method, path)
    if (urgency === null) return next()
    const place = createPlace(gates[gateOf(path)], { urgency, lane: laneOf(path) }, telemetry)
    await place.take()
    keepPlace(raw, place)
    try {
      await next()
    } finally {
      place.giveUp()
    }
  }
}

function createPlace(gate: Gate, entrant: Entrant, telemetry: Telemetry): Place {
  let isHeld = false
  return {
    async take() {
      const entered = gate.enter(entrant)
      isHeld = entered === true || (await entered)
      if (isHeld) return
      telemetry.count('http_requests_shed_total', { urgency: entrant.urgency })
      throw unavailable()
    },
    giveUp() {
      if (isHeld) gate.leave(entrant.lane)
      isHeld = false
    },
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

export function gateOf(path: string): keyof Gates {
  if (path.startsWith('/v1/sms/receipts/')) return 'receipts'
  return path.startsWith('/v1/oauth/') || path.startsWith('/v1/fingerprints/') ? 'anyone' : 'lenders'
}

/** The lender that the path names; its token is read later. A stranger who names many gets no further than the token's check. */
function laneOf(path: string): string {
  return path.split('/', 2)[1] ?? ''
}
