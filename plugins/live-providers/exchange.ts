// One HTTP exchange with a provider: what it answered, or why there is no usable answer.
import type * as z from 'zod/mini'
import { read } from '../../contract/problems.ts'
import { readCapped } from '../../kit/json-body.ts'
import { wasNeverConnected } from '../../kit/outgoing.ts'
import { parseJson } from '../../kit/parse-json.ts'
import type { Unavailability } from '../../service/providers/providers.ts'

/** The largest answer that is read. */
const ANSWER_BYTES_MAX = 2_000_000

export type Outgoing = {
  url: string
  headers: { [name: string]: string }
  /** A string is JSON, parameters are a form. */
  body: string | URLSearchParams
}

/** `body` is undefined when the provider refused (4xx) in words that are not JSON. */
export type ProviderAnswer = { status: number; body: unknown }

/** Resolves to an answer of 2xx or 4xx; rejects with `ExchangeFailed` on everything else. */
export async function exchange({ url, headers, body }: Outgoing, signal: AbortSignal): Promise<ProviderAnswer> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        Accept: 'application/json',
        ...(typeof body === 'string' ? { 'Content-Type': 'application/json' } : {}),
        ...headers,
      },
      body,
      redirect: 'manual',
      signal,
    })
    return await readAnswer(response)
  } catch (error) {
    if (error instanceof ExchangeFailed) throw error
    if (signal.aborted) throw new ExchangeFailed('time-out', error)
    throw new ExchangeFailed(wasNeverConnected(error) ? 'unreachable' : 'disconnected', error)
  }
}

export class ExchangeFailed extends Error {
  readonly reason: Unavailability
  constructor(reason: Unavailability, cause?: unknown) {
    super(reason, { cause })
    this.name = 'ExchangeFailed'
    this.reason = reason
  }
}

/** An answer of 2xx that fits the schema; anything else is a failed exchange. */
export function expectBody<Schema extends z.ZodMiniType>(
  schema: Schema,
  { status, body }: ProviderAnswer,
): z.output<Schema> {
  if (status >= 400) throw new ExchangeFailed('rejected')
  const reading = read(schema, body)
  if (!reading.ok) throw new ExchangeFailed('garbage')
  return reading.value
}

async function readAnswer(response: Response): Promise<ProviderAnswer> {
  const { status, ok } = response
  if (!ok && !isRefusal(status)) {
    await response.body?.cancel()
    throw new ExchangeFailed(isLostOnTheWay(status) ? 'disconnected' : 'error-status')
  }
  // Counted while it arrives: neither a missing length nor compression gets past.
  const bytes = await readCapped(response.body ?? [], ANSWER_BYTES_MAX)
  if (bytes.length > ANSWER_BYTES_MAX) throw new ExchangeFailed('too-large')
  try {
    return { status, body: parseJson(bytes) }
  } catch (error) {
    if (ok) throw new ExchangeFailed('garbage', error)
    return { status, body: undefined }
  }
}

/** The provider refused the request: a retry would be refused too. Timeouts and "too many" are not refusals. */
function isRefusal(status: number): boolean {
  return status >= 400 && status < 500 && status !== 408 && status !== 425 && status !== 429
}

/** A proxy in between got no answer: the provider may have acted. */
function isLostOnTheWay(status: number): boolean {
  return status === 502 || status === 504
}
