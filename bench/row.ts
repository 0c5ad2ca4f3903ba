/**
 * One figure of `npm run bench`. Timings on a shared machine mean little alone, so each is given beside its floor or
 * peer from the same run.
 */
export type Row = {
  name: string
  value: number
  /** The unit of `value` and `floor`: `ms`, `B`, `req/s`. */
  unit?: string
  /** Its comparison, in words. */
  against?: string
  floor: number
  /** `value / floor`. */
  ratio: number
  /** Bounds of the ratio; none for a figure that is only reported. */
  target?: Target | null
}

/** See targets.ts. Both are the most the ratio may be, or the least where `is` says so. */
export type Target = { goal: number; guard: number; is?: 'least' }

export type Bench = { title: string; run: () => Promise<Row[]> }
