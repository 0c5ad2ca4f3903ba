// Sends requests away with 503 when the service has more than it can do, codes and receipts last.
//
//   request ─▶ place in its gate ─▶ who calls ─▶ gives the place up while the body arrives ─▶ place again ─▶ route
//
// A sender who is slow, or stops half-way, holds a connection but no place.
import type { MiddlewareHandler } from 'hono'
import { unavailable } from '../../service/http/api-error.ts'
import type { ServiceEnv } from '../../service/http/context.ts'
import { keepPlace, type Place } from '../../service/http/read-body.ts'
import type { Telemetry } from '../../service/telemetry.ts'
import { createGate, type Gate, type GateOptions } from './gate.ts'

/** Bulkheads: strangers can fill those that need no token, and lenders with a token do not notice. */
export type Gates = { lenders: Gate; anyone: Gate; receipts: Gate }

/** Device sessions, tokens and sign-ins take milliseconds each; only attacks keep them busy for longer. */
const ANYONE: GateOptions = { runningMax: 50, reservedForUrgent: 0, waitingMax: 200, waitMs: 2_000 }
/** A gateway repeats refused receipts; a flood of forged ones must not keep people from signing in. */
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
    if (UNGATED.has(path)) return next()
    const place = createPlace(gates[gateOf(path)], isUrgent(method, path), telemetry)
    await place.take()
    keepPlace(raw, place)
    try {
      await next()
    } finally {
      place.giveUp()
    }
  }
}

function createPlace(gate: Gate, urgent: boolean, telemetry: Telemetry): Place {
  let isHeld = false
  return {
    async take() {
      const entered = gate.enter(urgent)
      isHeld = entered === true || (await entered)
      if (isHeld) return
      telemetry.count('http_requests_shed_total', { urgency: urgent ? 'urgent' : 'normal' })
      throw unavailable()
    },
    giveUp() {
      if (isHeld) gate.leave()
      isHeld = false
    },
  }
}

/** Never refused: probes, which must not take a busy process for a dead one. */
const UNGATED = new Set(['/healthz', '/readyz', '/metrics'])

/** A code that was typed, a further text and a receipt cannot be asked for again by a program; the rest can. */
export function isUrgent(method: string, path: string): boolean {
  return method === 'POST' && (/\/(?:otp-challenge|resend-sms)$/.test(path) || path.startsWith('/v1/sms/receipts/'))
}

export function gateOf(path: string): keyof Gates {
  if (path.startsWith('/v1/sms/receipts/')) return 'receipts'
  return path.startsWith('/v1/oauth/') || path.startsWith('/v1/fingerprints/') ? 'anyone' : 'lenders'
}
