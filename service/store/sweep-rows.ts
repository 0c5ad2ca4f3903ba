import type { Row } from './database.ts'

/** Rows per task and round of the sweeper. */
export const SWEEP_ROWS_MAX = 200

/** Works on all rows at once, so that they share a commit. One that fails is told once the others are done. */
export async function countEach(rows: Row[], work: (row: Row) => Promise<boolean>): Promise<number> {
  const done = await Promise.allSettled(rows.map(work))
  for (const outcome of done) if (outcome.status === 'rejected') throw outcome.reason
  return done.filter((outcome) => outcome.status === 'fulfilled' && outcome.value).length
}
