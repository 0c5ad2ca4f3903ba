/** The only way the service learns the time, so that a test can hold it still and the demo can move it. */
export type Clock = () => number

export const MINUTE_MS = 60_000
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS

/** The difference allowed between the clocks of two processes. */
export const CLOCK_SKEW_MAX_MS = 5_000
