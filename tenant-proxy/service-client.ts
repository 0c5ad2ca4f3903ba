// One POST to the service: signed in, bounded in time, repeated only where a repeat cannot charge, text or count twice.
//
//   send ──▶ 401, first time ─────────────▶ new token ──▶ send
//        ──▶ broken connection, first time, safe to repeat ──▶ send
//        ──▶ 409 still running ───────────▶ wait ──▶ send (same idempotency key)
//        ──▶ anything else ───────────────▶ outcome
import { setTimeout as sleep } from 'node:timers/promises'
import type * as z from 'zod/mini'
import { read } from '../contract/problems.ts'
import { CHALLENGE_EXPIRES_IN_HEADER } from '../contract/tenant-proxy.ts'
import { type AccessToken, TokenError } from './access-token.ts'
import type { Emit, Operation } from './events.ts'
import { IDEMPOTENCY_KEY_HEADER } from './idempotency.ts'
import { Refusal } from './refusal.ts'
import { idOf, type Received, refusalFor, wholeSeconds } from './service-refusal.ts'

const USER_AGENT = 'credit-report-widget-tenant-proxy'
const ANSWER_BYTES_MAX = 16 * 1024 * 1024
/** Codes and texts are quick, and the widget waits for them no longer than a quarter of a minute. */
const QUICK_TIMEOUT_MS = 10_000
const IN_PROGRESS_WAITS_MAX = 5
const IN_PROGRESS_WAIT_MS = 1_000
const EXPIRES_IN_SECONDS_MAX = 3_600

export type ServiceCall<Schema extends z.ZodMiniType> = {
  operation: Operation
  /** Below `{service}/{tenantId}/v1/credit-reports`; made from ids that the service itself gave. */
  path: string
  body: unknown
  /** With a key a broken connection is tried once more. Without, only when nothing was sent: a wrong code sent twice would be two attempts. */
  idempotencyKey?: string
  answer: Schema
  /** Fields the browser is responsible for; problems with others are the lender's to mend. */
  consumerFields?: readonly string[]
}

export type ServiceAnswer<Value> = {
  value: Value
  /** How long the challenge still lives, where the service says. */
  expiresInSeconds: number | null
  requestId: string | undefined
}

export type ServiceClient = {
  /** The service's answer; throws the `Refusal` that the browser should read. */
  post<Schema extends z.ZodMiniType>(call: ServiceCall<Schema>): Promise<ServiceAnswer<z.output<Schema>>>
}

export type ServiceParts = {
  serviceUrl: string
  tenantId: string
  timeoutMs: number
  fetch: typeof fetch
  accessToken: AccessToken
  emit: Emit
}

export function createServiceClient(parts: ServiceParts): ServiceClient {
  const { serviceUrl, tenantId, timeoutMs, accessToken, emit } = parts
  const base = `${serviceUrl}/${encodeURIComponent(tenantId)}/v1/credit-reports`

  async function exchange(call: ServiceCall<z.ZodMiniType>): Promise<Received> {
    const isQuick = call.operation !== 'generate'
    const deadline = AbortSignal.timeout(isQuick ? Math.min(timeoutMs, QUICK_TIMEOUT_MS) : timeoutMs)
    const body = JSON.stringify(call.body)
    let [mayRenew, mayRepeat, waitsLeft] = [true, true, call.idempotencyKey ? IN_PROGRESS_WAITS_MAX : 0]
    for (;;) {
      try {
        const token = await accessToken.get()
        const received = await send({ ...parts, url: base + call.path, body, token, deadline, call })
        if (received.status === 401 && mayRenew) {
          mayRenew = false
          accessToken.forget(token)
        } else if (received.status === 409 && waitsLeft > 0) {
          waitsLeft -= 1
          await sleep(IN_PROGRESS_WAIT_MS, undefined, { signal: deadline })
        } else return received
      } catch (error) {
        const isSafe = call.idempotencyKey !== undefined || wasNeverSent(error)
        if (deadline.aborted || error instanceof TokenError || !mayRepeat || !isSafe) {
          throw withoutAnswer(error, deadline.aborted, call.operation, emit)
        }
        mayRepeat = false
      }
    }
  }

  return {
    async post(call) {
      const received = await exchange(call)
      const { status, headers, requestId } = received
      if (status !== 200) throw refusalFor(received, call, emit)
      const reading = read(call.answer, received.body)
      if (!reading.ok) {
        emit({
          type: 'unavailable',
          operation: call.operation,
          reason: 'unexpected-answer',
          status,
          ...idOf(requestId),
        })
        throw new Refusal('unavailable')
      }
      const expiresInSeconds = wholeSeconds(headers.get(CHALLENGE_EXPIRES_IN_HEADER), EXPIRES_IN_SECONDS_MAX)
      return { value: reading.value, expiresInSeconds, requestId }
    },
  }
}

type Sending = ServiceParts & {
  url: string
  body: string
  token: string
  deadline: AbortSignal
  call: ServiceCall<z.ZodMiniType>
}

async function send({ fetch, url, body, token, deadline, call }: Sending): Promise<Received> {
  const response = await fetch(url, {
    method: 'POST',
    // The whole list: nothing that a browser sent is passed on as a header.
    headers: {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/json',
      Accept: 'application/json',
      'User-Agent': USER_AGENT,
      ...(call.idempotencyKey ? { [IDEMPOTENCY_KEY_HEADER]: call.idempotencyKey } : {}),
    },
    body,
    // A redirect would take the credentials wherever it says.
    redirect: 'manual',
    signal: deadline,
  })
  const { status, headers } = response
  const requestId = /^[\w.:-]{1,128}$/.exec(headers.get('X-Request-Id') ?? '')?.[0]
  return { status, headers, body: await readAnswer(response), requestId }
}

/** The answer as JSON; null when it is not JSON or too large. A connection that breaks meanwhile throws. */
async function readAnswer(response: Response): Promise<unknown> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength
    if (bytes > ANSWER_BYTES_MAX) return null
    chunks.push(chunk)
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString())
  } catch {
    return null
  }
}

const NEVER_SENT = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT']

function wasNeverSent(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : null
  return typeof cause === 'object' && cause !== null && 'code' in cause && NEVER_SENT.includes(String(cause.code))
}

function withoutAnswer(error: unknown, isTimedOut: boolean, operation: Operation, emit: Emit): Refusal {
  if (error instanceof TokenError && error.isRefused) {
    emit({ type: 'misconfigured', problem: 'the service refused `credentials`: check client id and secret' })
  } else emit({ type: 'unavailable', operation, reason: isTimedOut ? 'timed-out' : 'unreachable' })
  return new Refusal('unavailable')
}
