/** The only way the service learns the time, so that a test can hold it still and the demo can move it. */
export type Clock = () => number

/** How far the clocks of two processes may be apart. */
export const CLOCK_SKEW_MAX_MS = 5_000
