// One POST to the service: signed in, bounded in time, repeated only where a repeat cannot charge, text or count twice.
//
//   send ──▶ 401, first time ─────────────▶ new token ──▶ send
//        ──▶ broken connection, first time, safe to repeat ──▶ send
//        ──▶ 409 still running ───────────▶ wait ──▶ send (same idempotency key)
//        ──▶ anything else ───────────────▶ outcome
import { setTimeout as sleep } from 'node:timers/promises'
import type * as z from 'zod/mini'
import { IDEMPOTENCY_IGNORE_HEADER, IDEMPOTENCY_KEY_HEADER, IGNORABLE_FIELDS } from '../contract/idempotency.ts'
import { read } from '../contract/problems.ts'
import { CHALLENGE_EXPIRES_IN_HEADER } from '../contract/tenant-proxy.ts'
import { type AccessToken, TokenError } from './access-token.ts'
import type { Emit, Operation } from './events.ts'
import { parseJson } from './parse-json.ts'
import { Refusal } from './refusal.ts'
import { idOf, type Received, reasonFor, refusalFor, wholeSeconds } from './service-refusal.ts'
import { NoAnswer, type Transport } from './transport.ts'

const USER_AGENT = 'credit-report-widget-tenant-proxy'
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

export type ServiceOptions = {
  serviceUrl: string
  tenantId: string
  timeoutMs: number
  transport: Transport
  accessToken: AccessToken
  emit: Emit
}

export function createServiceClient(parts: ServiceOptions): ServiceClient {
  const { serviceUrl, tenantId, timeoutMs, transport, accessToken, emit } = parts
  const base = `${serviceUrl}/${encodeURIComponent(tenantId)}/v1/credit-reports`

  async function exchange(call: ServiceCall<z.ZodMiniType>): Promise<Received> {
    const { operation, idempotencyKey } = call
    const deadlineMs =
      performance.now() + (operation === 'generate' ? timeoutMs : Math.min(timeoutMs, QUICK_TIMEOUT_MS))
    const leftMs = () => Math.max(1, Math.ceil(deadlineMs - performance.now()))
    const body = JSON.stringify(call.body)
    let [mayRenew, mayRepeat, waitsLeft] = [true, true, idempotencyKey ? IN_PROGRESS_WAITS_MAX : 0]
    for (;;) {
      try {
        const token = await accessToken.get()
        const received = await send({
          transport,
          url: base + call.path,
          body,
          token,
          timeoutMs: leftMs(),
          idempotencyKey,
        })
        if (received.status === 401 && mayRenew) {
          mayRenew = false
          accessToken.forget(token)
        } else if (received.status === 409 && waitsLeft > 0 && leftMs() > IN_PROGRESS_WAIT_MS) {
          waitsLeft -= 1
          await sleep(IN_PROGRESS_WAIT_MS)
        } else return received
      } catch (error) {
        const mayBeRepeated = error instanceof NoAnswer && !error.isTimedOut && (idempotencyKey || error.isUnsent)
        if (!mayRepeat || !mayBeRepeated) throw withoutAnswer(error, operation, emit)
        mayRepeat = false
      }
    }
  }

  return {
    async post(call) {
      const received = await exchange(call)
      const { status, header, requestId } = received
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
      const expiresInSeconds = wholeSeconds(header(CHALLENGE_EXPIRES_IN_HEADER), EXPIRES_IN_SECONDS_MAX)
      return { value: reading.value, expiresInSeconds, requestId }
    },
  }
}

type Sending = {
  transport: Transport
  url: string
  body: string
  token: string
  timeoutMs: number
  idempotencyKey: string | undefined
}

async function send({ transport, url, body, token, timeoutMs, idempotencyKey }: Sending): Promise<Received> {
  const { status, header, text } = await transport({
    method: 'POST',
    url,
    // The whole list: nothing that a browser sent is passed on as a header.
    headers: {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/json',
      Accept: 'application/json',
      'User-Agent': USER_AGENT,
      ...(idempotencyKey === undefined ? {} : repeatable(idempotencyKey)),
    },
    body,
    timeoutMs,
  })
  const requestId = /^[\w.:-]{1,128}$/.exec(header('X-Request-Id') ?? '')?.[0]
  return { status, header, body: parseJson(text), requestId }
}

// The key stands for the consumer's details already; where the phone was when it sent them may have changed since.
function repeatable(idempotencyKey: string): Record<string, string> {
  return { [IDEMPOTENCY_KEY_HEADER]: idempotencyKey, [IDEMPOTENCY_IGNORE_HEADER]: IGNORABLE_FIELDS.join(', ') }
}

/** What the browser reads when there was no answer at all; any other error is a mistake of ours and stays one. */
function withoutAnswer(error: unknown, operation: Operation, emit: Emit): unknown {
  if (error instanceof TokenError && error.isRefused) {
    emit({ type: 'misconfigured', problem: 'the service refused `credentials`: check client id and secret' })
    return new Refusal('unavailable')
  }
  if (!(error instanceof TokenError || error instanceof NoAnswer)) return error
  const status = error instanceof TokenError ? error.status : undefined
  emit({ type: 'unavailable', operation, reason: reasonOf(error), ...(status === undefined ? {} : { status }) })
  return new Refusal('unavailable')
}

function reasonOf(error: TokenError | NoAnswer) {
  if (error instanceof TokenError && error.status !== undefined) return reasonFor(error.status)
  const line = error instanceof TokenError ? error.cause : error
  return line instanceof NoAnswer && line.isTimedOut ? 'timed-out' : 'unreachable'
}
