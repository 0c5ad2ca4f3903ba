/** One figure of `npm run bench`. Timings on a shared machine mean little alone, so each is given beside its floor or peer from the same run. */
export type Row = {
  name: string
  value: number
  /** What `value` and `floor` are counted in: `ms`, `B`, `req/s`. */
  unit?: string
  /** What it is measured against, in words. */
  against?: string
  floor: number
  /** `value / floor`. */
  ratio: number
  /** The ratio that must not be crossed; null for a figure that is only reported. */
  limit: number | null
  /** Whether the limit is the most (the default) or the least the ratio may be. */
  limitIs?: 'most' | 'least'
}

export type Bench = { title: string; run: () => Promise<Row[]> }
