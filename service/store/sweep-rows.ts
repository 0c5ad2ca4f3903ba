/** Rows per task and round of the sweeper. */
export const SWEEP_ROWS_MAX = 200
/** The same for a plain DELETE, which costs little per row: few enough to end well inside a statement's time-out. */
export const DELETE_ROWS_MAX = 1_000

/** Few at once: most rows of a backlog are one lender's and wait for one wallet, and connections are for requests. */
const PARALLEL_MAX = 4

/** Some rows of a round failed; the others are done. */
export class SweepIncomplete extends Error {
  /** The number of rows found; at the maximum there may be more. */
  readonly rows: number
  constructor(rows: number, options: { cause: unknown }) {
    super('some rows could not be swept', options)
    this.name = 'SweepIncomplete'
    this.rows = rows
  }
}

/**
 * Works on the rows, a few at once; resolves to how many `work` dealt with. One that fails is reported once the others
 * are done.
 */
export async function countEach<R>(
  rows: readonly R[],
  work: (row: R) => Promise<boolean>,
  { parallelMax = PARALLEL_MAX } = {},
): Promise<number> {
  const queue = rows.values()
  let count = 0
  let failure: { cause: unknown } | null = null
  async function takeTurns(): Promise<void> {
    for (const row of queue) {
      try {
        if (await work(row)) count += 1
      } catch (cause) {
        failure ??= { cause }
      }
    }
  }
  await Promise.all(Array.from({ length: parallelMax }, takeTurns))
  if (failure !== null) throw new SweepIncomplete(rows.length, failure)
  return count
}
