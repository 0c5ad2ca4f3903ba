// What is kept no longer than it is needed. Everything here can be run at any time, from any process, any number of times.
import { IDEMPOTENCY_KEY_LIFETIME_MS } from '../contract/limits.ts'
import type { Clock } from './clock.ts'
import type { Database } from './store/database.ts'
import { firstIdAt } from './store/new-id.ts'

/** Rows looked at in one go. */
const WINDOW_ROWS = 500

export type RetentionParts = { database: Database; clock: Clock; reportRetentionMs: number }

export type Retention = {
  /** Erases the content of reports whose time is over, and all of a trial; resolves to how many contents that were. */
  eraseOldReports(): Promise<number>
  /** Forgets idempotency keys after their day; resolves to how many. */
  forgetOldKeys(): Promise<number>
}

export function createRetention({ database, clock, reportRetentionMs }: RetentionParts): Retention {
  // What stays of a live report (ids and states, for the books) stays for good. This is how far it has been looked at, so
  // that years of it are not looked at again every few seconds. A new process begins at the beginning, once.
  let lookedUpTo = ''

  return {
    async eraseOldReports() {
      // Ids begin with their time, so the old ones are found without an index of their own.
      const window = await database.first(
        `SELECT MAX(id) AS last FROM (SELECT id FROM credit_report WHERE id > ? AND id < ? ORDER BY id LIMIT ?) AS next`,
        lookedUpTo,
        firstIdAt(clock() - reportRetentionMs),
        WINDOW_ROWS,
      )
      if (window === null || window.last === null) return 0
      const range = [lookedUpTo, String(window.last)] as const
      const erased = await database.transaction(async (queries) => {
        const count = await queries.run('DELETE FROM sealed_report WHERE report_id > ? AND report_id <= ?', ...range)
        await queries.run('DELETE FROM credit_report WHERE id > ? AND id <= ? AND test = 1', ...range)
        return count
      })
      lookedUpTo = range[1]
      return erased
    },

    forgetOldKeys() {
      return database.run(
        'DELETE FROM idempotency WHERE scope IN (SELECT scope FROM idempotency WHERE created_at_ms < ? LIMIT ?)',
        clock() - IDEMPOTENCY_KEY_LIFETIME_MS,
        WINDOW_ROWS,
      )
    },
  }
}
