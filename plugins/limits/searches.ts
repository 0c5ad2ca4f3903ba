// How often a day one person's credit file may be searched for one lender, whatever led there: every search leaves a mark on the file,
// and a caller who knows a name, a birthday and an address could ask for as many as the wallet pays for.
//
//   generate: claimed with the hold ─▶ block, or a code is needed: given back
//   right code: claimed with the lease ─▶ kept
//
// One claim per report: a repeated request under the same key, or the same code again, counts once.
import { type Clock, DAY_MS } from '../../kit/clock.ts'
import { fileIndexOf } from '../../service/check/person-index.ts'
import { RateLimited } from '../../service/http/api-error.ts'
import type { KnownCheck } from '../../service/plugin.ts'
import type { Queries } from '../../service/store/database.ts'
import { DELETE_ROWS_MAX } from '../../service/store/sweep-rows.ts'

class SearchesUsedUp extends Error {
  readonly personIndex: string
  constructor(personIndex: string) {
    super('the person’s searches of the day are used up')
    this.personIndex = personIndex
  }
}

/** `max`: of one person for one lender in any 24 hours. */
export function createSearchLimit({ clock, key, max }: { clock: Clock; key: Uint8Array; max: number }) {
  return {
    /**
     * Counts the report's search, or ends the transaction. Belongs in a batch, which has the lender to itself: so the limit holds
     * however many requests arrive at once, and on however many processes.
     */
    async claim(queries: Queries, { tenantId, creditReportId, consumer }: KnownCheck): Promise<void> {
      const nowMs = clock()
      const personIndex = fileIndexOf(key, tenantId, consumer)
      await queries.must(
        { error: () => new SearchesUsedUp(personIndex) },
        `INSERT INTO person_search (report_id, person_index, claimed_at_ms)
         SELECT ?, ?, ? WHERE ? > (
           SELECT COUNT(*) FROM person_search WHERE person_index = ? AND claimed_at_ms > ? AND report_id <> ?)
         ON CONFLICT (report_id) DO UPDATE SET claimed_at_ms = excluded.claimed_at_ms`,
        creditReportId,
        personIndex,
        nowMs,
        max,
        personIndex,
        nowMs - DAY_MS,
        creditReportId,
      )
    },

    /** For a report whose file was not searched after all. */
    async giveBack(queries: Queries, creditReportId: string): Promise<void> {
      await queries.run('DELETE FROM person_search WHERE report_id = ?', creditReportId)
    },

    /** The error that a caller reads whose `claim` ended its transaction; any other error as it is. */
    async explain(queries: Queries, error: unknown): Promise<unknown> {
      if (!(error instanceof SearchesUsedUp)) return error
      const nowMs = clock()
      // Room is there again once the oldest of the last `max` is a day old.
      const row = await queries.first<{ claimed_at_ms: number }>(
        `SELECT claimed_at_ms FROM person_search WHERE person_index = ? AND claimed_at_ms > ?
         ORDER BY claimed_at_ms DESC LIMIT 1 OFFSET ?`,
        error.personIndex,
        nowMs - DAY_MS,
        max - 1,
      )
      const freeAtMs = (row?.claimed_at_ms ?? nowMs - DAY_MS) + DAY_MS
      const waitSeconds = Math.max(1, Math.ceil((freeAtMs - nowMs) / 1_000))
      return new RateLimited('searches', 'this person has been checked too often today; try again later', {
        'Retry-After': String(waitSeconds),
      })
    },
  }
}

/** Forgets what no limit looks at any more; resolves to how many. */
export function forgetOldSearches(queries: Queries, nowMs: number): Promise<number> {
  return queries.run(
    `DELETE FROM person_search WHERE report_id IN (SELECT report_id FROM person_search WHERE claimed_at_ms < ? LIMIT ?)`,
    nowMs - DAY_MS,
    DELETE_ROWS_MAX,
  )
}
