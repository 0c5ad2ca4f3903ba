import { CLOCK_SKEW_MAX_MS, type Clock } from '../../kit/clock.ts'
import type { Database } from '../../service/store/database.ts'

export type Limit = { triesMax: number; windowMs: number }

export type Guesses = ReturnType<typeof createGuesses>

/** Counts tries per subject, for all processes together. */
export function createGuesses({ database, clock }: { database: Database; clock: Clock }) {
  return {
    /**
     * Counts a try before it is looked at. Null: go ahead; otherwise the seconds to wait. However many try at once, no
     * more than allowed get through.
     */
    async take(subject: string, { triesMax, windowMs }: Limit): Promise<number | null> {
      const nowMs = clock()
      // A window that ends too far in the future was written by a clock that has been put right since.
      await database.run(
        'DELETE FROM guess WHERE ends_at_ms <= ? OR (subject = ? AND ends_at_ms > ?)',
        nowMs,
        subject,
        nowMs + windowMs + CLOCK_SKEW_MAX_MS,
      )
      const row = await database.first<{ tries: number; ends_at_ms: number }>(
        `INSERT INTO guess (subject, tries, ends_at_ms) VALUES (?, 1, ?)
         ON CONFLICT (subject) DO UPDATE SET tries = guess.tries + 1 RETURNING tries, ends_at_ms`,
        subject,
        nowMs + windowMs,
      )
      if (row === null || row.tries <= triesMax) return null
      return Math.max(1, Math.ceil((row.ends_at_ms - nowMs) / 1000))
    },
    /** After the right answer the count starts again. */
    async forget(subject: string): Promise<void> {
      await database.run('DELETE FROM guess WHERE subject = ?', subject)
    },
  }
}
