// When something ends, seen from a device whose clocks cannot be trusted alone.
//
//   monotonic   never jumps, but may stand still while the device sleeps
//   wall        counts through sleep, but a person (or the network) may set it
//
// A deadline is kept on both, and the nearer one counts: after sleep the wall clock is right, after a clock was set
// back the monotonic one is. When they disagree, only the server knows; `clockMoved` says it is time to ask.

export type Clock = { monotonicMs: number; wallMs: number }
export type Deadline = Clock

const DRIFT_TOLERATED_MS = 2_000

export function readClock(): Clock {
  return { monotonicMs: performance.now(), wallMs: Date.now() }
}

export function deadlineIn(durationMs: number, now: Clock): Deadline {
  return { monotonicMs: now.monotonicMs + durationMs, wallMs: now.wallMs + durationMs }
}

/** Never negative. */
export function remainingMs(deadline: Deadline, now: Clock): number {
  return Math.max(0, Math.min(deadline.monotonicMs - now.monotonicMs, deadline.wallMs - now.wallMs))
}

/** True when the two clocks have come apart since the deadline was set: the device slept, or its clock was set. */
export function clockMoved(deadline: Deadline, now: Clock): boolean {
  const drift = deadline.wallMs - now.wallMs - (deadline.monotonicMs - now.monotonicMs)
  return Math.abs(drift) > DRIFT_TOLERATED_MS
}
