// The client of every provider: one time limit, one retry inside it, and a circuit breaker.
import { setTimeout as pause } from 'node:timers/promises'
import { limitTime } from '../../kit/outgoing.ts'
import { beginTrace, traceHeaders } from '../../kit/trace.ts'
import { describeError } from '../../service/describe-error.ts'
import { currentTrace, type Log } from '../../service/log.ts'
import { ProviderUnavailable, type Unavailability } from '../../service/providers/providers.ts'
import { createCircuitBreaker } from './circuit-breaker.ts'
import { ExchangeFailed, exchange, type ProviderAnswer } from './exchange.ts'

const TRIES_MAX = 2
const RETRY_PAUSE_MS = 250
/** Random, so that callers do not all retry a failing provider at the same moment. */
const RETRY_SPREAD_MS = 100
/** A second try with less time than this would only be cut off. */
const RETRY_BUDGET_MIN_MS = 500

type ProviderClientOptions = {
  /** Names the provider in logs and errors. */
  provider: string
  /** Nothing a consumer or lender sends can change where calls go, and redirects are not followed. */
  url: string
  /** Sent with every call. */
  headers: { [name: string]: string }
  /** Covers everything: connecting, both tries, the pause between them, reading the answer. */
  timeoutMs: number
  log: Log
}

type ProviderCall<T> = {
  path: string
  body: string | URLSearchParams
  headers?: { [name: string]: string }
  /** The provider counts the same call twice as one, so that it can be repeated although the first may have arrived. */
  repeatable: boolean
  /** Reads an answer of 2xx or 4xx, or throws `ExchangeFailed`: an answer that cannot be read is a failed call. */
  read(answer: ProviderAnswer): T
  /** The caller's own deadline. */
  signal: AbortSignal
}

export interface ProviderClient {
  /**
   * Resolves to what `read` made of the answer; rejects with `ProviderUnavailable`, or the caller's reason when it gave
   * up.
   */
  post<T>(call: ProviderCall<T>): Promise<T>
}

export function createProviderClient({
  provider,
  url,
  headers,
  timeoutMs,
  log,
}: ProviderClientOptions): ProviderClient {
  const breaker = createCircuitBreaker()

  async function tryOnce<T>(call: ProviderCall<T>, signal: AbortSignal): Promise<T> {
    const permit = breaker.enter()
    if (permit === null) throw new ProviderUnavailable(provider, 'circuit-open')
    try {
      const names = traceHeaders(currentTrace() ?? beginTrace())
      const outgoing = {
        url: url + call.path,
        headers: { ...headers, ...names, ...call.headers },
        body: call.body,
      }
      const answer = call.read(await exchange(outgoing, signal))
      permit('succeeded')
      return answer
    } catch (error) {
      permit(call.signal.aborted ? 'abandoned' : isWell(error) ? 'succeeded' : 'failed')
      call.signal.throwIfAborted()
      throw error instanceof ExchangeFailed ? new ProviderUnavailable(provider, error.reason, { cause: error }) : error
    }
  }

  return {
    async post(call) {
      const startedMs = performance.now()
      const budget = createBudget(timeoutMs, call.signal)
      try {
        for (let tries = 1; ; tries += 1) {
          try {
            return await tryOnce(call, budget.signal)
          } catch (error) {
            // The caller aborted, perhaps because another provider failed: not a failure of this one.
            if (call.signal.aborted || !(error instanceof ProviderUnavailable)) throw error
            const ms = Math.round(performance.now() - startedMs)
            log.warn('provider call failed', {
              provider,
              code: error.reason,
              ms,
              count: tries,
              errorCause: describeError(error).errorCause,
            })
            const pauseMs = RETRY_PAUSE_MS + Math.random() * RETRY_SPREAD_MS
            if (tries >= TRIES_MAX || !mayRepeat(error.reason, call.repeatable)) throw error
            if (ms + pauseMs + RETRY_BUDGET_MIN_MS > timeoutMs) throw error
            await pause(pauseMs)
            call.signal.throwIfAborted()
          }
        }
      } finally {
        budget.end()
      }
    },
  }
}

/** The provider is healthy; it refused this request. */
function isWell(error: unknown): boolean {
  return error instanceof ExchangeFailed && (error.reason === 'rejected' || error.reason === 'wrong-person')
}

/** True when the provider may have acted although no usable answer came. */
export function mayHaveActed(reason: Unavailability): boolean {
  return reason === 'time-out' || reason === 'disconnected' || reason === 'too-large' || reason === 'garbage'
}

function mayRepeat(reason: Unavailability, repeatable: boolean): boolean {
  if (reason === 'unreachable' || reason === 'error-status') return true
  return reason === 'disconnected' && repeatable
}

/** A signal that ends with the caller's or when the time is over, whichever comes first. */
function createBudget(timeoutMs: number, callers: AbortSignal): { signal: AbortSignal; end(): void } {
  const controller = new AbortController()
  const abort = () => controller.abort()
  const timer = limitTime(timeoutMs, abort)
  callers.addEventListener('abort', abort, { once: true })
  if (callers.aborted) abort()
  return {
    signal: controller.signal,
    end() {
      clearTimeout(timer)
      callers.removeEventListener('abort', abort)
    },
  }
}
