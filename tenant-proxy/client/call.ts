// One call to the service: signed in, bounded in time, repeated only where a repeat cannot charge, text or count twice.
//
//   send ──▶ 401, first time ─────────────▶ new token ──▶ send
//        ──▶ broken connection, first time, safe to repeat ──▶ send
//        ──▶ 409 still running ───────────▶ wait ──▶ send (same idempotency key)
//        ──▶ 502, 503, 504, safe to repeat ▶ wait as long as it says ──▶ send
//        ──▶ anything else ───────────────▶ outcome
import { setTimeout as sleep } from 'node:timers/promises'
import type * as z from 'zod/mini'
import {
  IDEMPOTENCY_IGNORE_HEADER,
  IDEMPOTENCY_KEY_HEADER,
  IDEMPOTENCY_OWNER_HEADER,
  REPLAYED_HEADER,
} from '../../contract/idempotency.ts'
import { read } from '../../contract/problems.ts'
import { CHALLENGE_EXPIRES_IN_HEADER } from '../../contract/tenant-proxy.ts'
import { CLIENT_AGENT, VERSION } from '../../contract/versions.ts'
import type { AccessToken } from './access-token.ts'
import { errorFor, errorWithout, type Received, UnavailableError, wholeSeconds } from './errors.ts'
import { NoAnswer, type Transport } from './transport.ts'

const USER_AGENT = `${CLIENT_AGENT}/${VERSION}`
const IN_PROGRESS_WAITS_MAX = 5
const IN_PROGRESS_WAIT_MS = 1_000
/** A service that restarts, or a balancer that has lost it for a moment. */
const RESTARTING_STATUSES = [502, 503, 504]
const RESTARTING_WAITS_MAX = 2
const RESTARTING_WAIT_SECONDS = 1
/** A longer wait than this is for the caller to decide. */
const RESTARTING_WAIT_SECONDS_MAX = 5
const EXPIRES_IN_SECONDS_MAX = 3_600

type ServiceCall<Schema extends z.ZodMiniType> = {
  method: 'GET' | 'POST' | 'DELETE'
  url: string
  body?: unknown
  /**
   * With a key a broken connection is tried once more. Without, only when nothing was sent: a wrong code sent twice
   * would be two attempts.
   */
  idempotencyKey?: string | undefined
  /** Fields that may differ from the first request under the same key. */
  mayDiffer?: readonly string[] | undefined
  /** Headers that a repeat under the same key has to bring too. */
  owner?: string | undefined
  timeoutMs: number
  answer: Schema
  /** Headers that name the request in every log. */
  trace?: { [header: string]: string } | undefined
}

export type ServiceAnswer<Value> = {
  value: Value
  /** The remaining lifetime of the challenge, where the service gives it. */
  expiresInSeconds: number | null
  /** The first answer under the same idempotency key, again. */
  isReplayed: boolean
  requestId: string | undefined
}

/** The service's answer; throws a `ServiceError`. */
export type Call = <Schema extends z.ZodMiniType>(call: ServiceCall<Schema>) => Promise<ServiceAnswer<z.output<Schema>>>

export function createCall({ transport, accessToken }: { transport: Transport; accessToken: AccessToken }): Call {
  async function exchange(call: ServiceCall<z.ZodMiniType>): Promise<Received> {
    const { method, idempotencyKey } = call
    const deadlineMs = performance.now() + call.timeoutMs
    const leftMs = () => Math.max(1, Math.ceil(deadlineMs - performance.now()))
    const body = call.body === undefined ? undefined : JSON.stringify(call.body)
    const isRepeatable = method !== 'POST' || idempotencyKey !== undefined
    let [mayRenew, mayRepeat] = [true, true]
    let waitsLeft = {
      running: idempotencyKey ? IN_PROGRESS_WAITS_MAX : 0,
      restarting: isRepeatable ? RESTARTING_WAITS_MAX : 0,
    }
    for (;;) {
      try {
        const token = await accessToken.get()
        const received = await send(transport, call, { body, token, timeoutMs: leftMs() })
        const restartMs = restartingMs(received)
        if (received.status === 401 && mayRenew) {
          mayRenew = false
          accessToken.forget(token)
        } else if (received.status === 409 && waitsLeft.running > 0 && leftMs() > IN_PROGRESS_WAIT_MS) {
          waitsLeft = { ...waitsLeft, running: waitsLeft.running - 1 }
          await sleep(IN_PROGRESS_WAIT_MS)
        } else if (restartMs !== null && waitsLeft.restarting > 0 && leftMs() > restartMs) {
          waitsLeft = { ...waitsLeft, restarting: waitsLeft.restarting - 1 }
          await sleep(restartMs)
        } else return received
      } catch (error) {
        const mayBeRepeated = error instanceof NoAnswer && !error.isTimedOut && (isRepeatable || error.isUnsent)
        if (!mayRepeat || !mayBeRepeated) throw errorWithout(error)
        mayRepeat = false
      }
    }
  }

  return async (call) => {
    const received = await exchange(call)
    const { status, header, requestId } = received
    if (status !== 200 && status !== 204) throw errorFor(received)
    const reading = read(call.answer, received.body)
    if (!reading.ok) {
      const details = { status, requestId, reason: 'unexpected-answer' } as const
      throw new UnavailableError('unavailable', 'the service did not answer as agreed', details)
    }
    const expiresInSeconds = wholeSeconds(header(CHALLENGE_EXPIRES_IN_HEADER), EXPIRES_IN_SECONDS_MAX)
    return { value: reading.value, expiresInSeconds, isReplayed: header(REPLAYED_HEADER) === 'true', requestId }
  }
}

/** Time to wait for a service that will be back; null for any other answer, or when it takes too long. */
function restartingMs({ status, header }: Received): number | null {
  if (!RESTARTING_STATUSES.includes(status)) return null
  const seconds = wholeSeconds(header('Retry-After'), Number.MAX_SAFE_INTEGER) ?? RESTARTING_WAIT_SECONDS
  return seconds > RESTARTING_WAIT_SECONDS_MAX ? null : seconds * 1_000
}

type Sending = { body: string | undefined; token: string; timeoutMs: number }

async function send(
  transport: Transport,
  { method, url, idempotencyKey, mayDiffer = [], owner, trace = {} }: ServiceCall<z.ZodMiniType>,
  { body, token, timeoutMs }: Sending,
): Promise<Received> {
  const response = await transport({
    method,
    url,
    // The whole list: of what a browser sent, nothing but the two names of a request and the widget's version is passed
    // on as a header.
    headers: {
      Authorization: `Bearer ${token}`,
      Accept: 'application/json',
      'User-Agent': USER_AGENT,
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...(idempotencyKey === undefined ? {} : { [IDEMPOTENCY_KEY_HEADER]: idempotencyKey }),
      ...(mayDiffer.length === 0 ? {} : { [IDEMPOTENCY_IGNORE_HEADER]: mayDiffer.join(', ') }),
      ...(owner === undefined ? {} : { [IDEMPOTENCY_OWNER_HEADER]: owner }),
      ...trace,
    },
    ...(body === undefined ? {} : { body }),
    timeoutMs,
  })
  const requestId = /^[\w.:-]{1,128}$/.exec(response.header('X-Request-Id') ?? '')?.[0]
  return { ...response, requestId }
}
