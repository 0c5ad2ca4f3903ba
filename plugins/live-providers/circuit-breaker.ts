// Stops calling a provider that mostly fails, so that callers fail in milliseconds instead of timing out.
//
//            ten of the last twenty failed              thirty seconds
//   closed ──────────────────────────────▶ open ───────────────────────────▶ probing (one call goes through)
//      ▲                                     ▲                                   │
//      └──────────── it succeeded ───────────┴────────── it failed ──────────────┘
import type { Clock } from '../../kit/clock.ts'

/** The number of recent calls that are remembered. */
export const CALLS_REMEMBERED = 20
/** This many failures among them open the circuit. */
export const FAILURES_MAX = 10
/** Time for which an open circuit refuses every call. */
export const OPEN_MS = 30_000

/** `abandoned`: the caller gave up, which says nothing about the provider. */
export type CallOutcome = 'succeeded' | 'failed' | 'abandoned'

/** Leave to make one call; say how it went, once. */
type Permit = (outcome: CallOutcome) => void

/** `clock` measures intervals only and should be monotonic: a stepped wall clock must not hold a circuit open. */
export function createCircuitBreaker(clock: Clock = () => performance.now()) {
  let failures: boolean[] = []
  let openedAtMs: number | null = null
  let probing = false

  function open(): void {
    openedAtMs = clock()
    failures = []
  }

  function settleCall(outcome: CallOutcome): void {
    // A call that began before the circuit opened must not close it.
    if (outcome === 'abandoned' || openedAtMs !== null) return
    failures = [...failures, outcome === 'failed'].slice(-CALLS_REMEMBERED)
    if (failures.filter(Boolean).length >= FAILURES_MAX) open()
  }

  function settleProbe(outcome: CallOutcome): void {
    probing = false
    if (outcome === 'failed') open()
    if (outcome === 'succeeded') openedAtMs = null
  }

  return {
    /** Null while the circuit is open. */
    enter(): Permit | null {
      if (openedAtMs === null) return settleCall
      if (probing || clock() - openedAtMs < OPEN_MS) return null
      probing = true
      return settleProbe
    },
    get isOpen(): boolean {
      return openedAtMs !== null
    },
  }
}
