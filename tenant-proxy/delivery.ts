import { setTimeout as sleep } from 'node:timers/promises'
import { createBoundedMap } from '../kit/bounded-map.ts'
import type { Emit, Hook } from './events.ts'

/** Waits between tries: six tries, about half a minute of waiting. */
export const RETRY_WAITS_MS: readonly number[] = [500, 1_000, 2_000, 8_000, 20_000]
/** Time limit of one try: a hook that hangs must not lose a report in silence, nor keep a shutdown waiting for ever. */
const TRY_MS_MAX = 60_000
/** Time for which the consumer's answer waits for the first try. */
const FIRST_TRY_WAIT_MS = 2_000
const REMEMBERED_MAX = 10_000

export type Delivery<Value> = {
  /**
   * Hands `value` to the hook once per `creditReportId`, however often and however parallel it is called. Resolves when
   * the first try has settled, or after two seconds: by then the lender's server usually has what the page is about to
   * hear of. Further tries go on behind. Each try gets a copy: what a hook changes, no one else sees. Never rejects.
   */
  once(creditReportId: string, value: Value): Promise<void>
  /** True once this process has handed it over. */
  isDelivered(creditReportId: string): boolean
  /** Resolves when nothing is in progress. */
  drain(): Promise<void>
}

type DeliveryOptions<Value> = {
  hook: Hook
  /** Undefined where the lender has set no hook. */
  deliver: ((value: Value) => unknown) | undefined
  emit: Emit
  wait?: (ms: number) => Promise<unknown>
  tryMsMax?: number
}

export function createDelivery<Value>({
  hook,
  deliver,
  emit,
  wait = (ms) => sleep(ms),
  tryMsMax = TRY_MS_MAX,
}: DeliveryOptions<Value>): Delivery<Value> {
  const begun = createBoundedMap<Promise<void>>(REMEMBERED_MAX)
  const underWay = new Set<Promise<void>>()
  const delivered = createBoundedMap<true>(REMEMBERED_MAX)

  async function isDelivered(creditReportId: string, value: Value, tries: number): Promise<boolean> {
    try {
      await settledWithin(tryMsMax, deliver?.(structuredClone(value)))
      delivered.set(creditReportId, true)
      return true
    } catch (error) {
      emit({ type: 'hook-failed', hook, creditReportId, error })
      if (tries > RETRY_WAITS_MS.length) emit({ type: 'undelivered', hook, creditReportId, tries, error })
      return false
    }
  }

  async function keepTrying(creditReportId: string, value: Value, first: Promise<boolean>): Promise<void> {
    if (await first) return
    for (const [index, waitMs] of RETRY_WAITS_MS.entries()) {
      await wait(waitMs)
      if (await isDelivered(creditReportId, value, index + 2)) return
    }
    // The service will tell again: then it is tried anew.
    begun.delete(creditReportId)
  }

  return {
    once(creditReportId, value) {
      const known = begun.get(creditReportId)
      if (known) return known
      const first = isDelivered(creditReportId, value, 1)
      const whole = keepTrying(creditReportId, value, first).finally(() => underWay.delete(whole))
      underWay.add(whole)
      const answered = settledWithin(FIRST_TRY_WAIT_MS, first).catch(() => {})
      begun.set(creditReportId, answered)
      return answered
    },
    isDelivered: (creditReportId) => delivered.get(creditReportId) ?? false,
    async drain() {
      while (underWay.size > 0) await Promise.all(underWay)
    },
  }
}

/** The result of `promise`; rejects when there is none after `limitMs`. */
async function settledWithin(limitMs: number, promise: unknown): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    const words = `did not settle within ${limitMs / 1_000} s`
    timer = setTimeout(() => reject(new DOMException(words, 'TimeoutError')), limitMs)
  })
  try {
    await Promise.race([promise, late])
  } finally {
    clearTimeout(timer)
  }
}
