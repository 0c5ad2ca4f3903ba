// Limits the searches of one person's credit file a day for one lender: every search leaves a mark on it. A check that
// a stranger can begin must not refuse the person, so a check counts in the place of what it has proved, and each place
// has as many searches:
//
//   nothing proved     generate, with the hold ─▶ full: a code is needed, whatever risk says
//                                             └─▶ block or challenge: given back
//   a right code       claimed with the lease ─▶ full: refused
//   a right code, and the number is known for the person: the same, in the place of person and number
//
// One claim per report: a repeated request under the same key, or the same code again, counts once.
import { type Clock, DAY_MS } from '../../kit/clock.ts'
import { foldName } from '../../kit/fold-name.ts'
import { keyedIndex } from '../../kit/keys.ts'
import { foldSurname } from '../../service/check/person-index.ts'
import { RateLimited } from '../../service/http/api-error.ts'
import { type KnownCheck, needsCode, type ProvedCheck } from '../../service/plugin.ts'
import type { BureauConsumer } from '../../service/providers/consumer.ts'
import type { Queries, SqlValue } from '../../service/store/database.ts'
import { DELETE_ROWS_MAX } from '../../service/store/sweep-rows.ts'

class SearchesUsedUp extends Error {
  readonly placeIndex: string
  constructor(placeIndex: string) {
    super('the searches of the day are used up')
    this.placeIndex = placeIndex
  }
}

/** `max`: in one place in any 24 hours. */
export function createSearchLimit({ clock, key, max }: { clock: Clock; key: Uint8Array; max: number }) {
  /**
   * Counts the report's search where its place has room. Belongs in a batch, which has the lender to itself: so the
   * limit holds however many requests arrive at once, and on however many processes.
   */
  const claimOf = (creditReportId: string, placeIndex: string): [sql: string, ...values: SqlValue[]] => {
    const nowMs = clock()
    return [CLAIM, creditReportId, placeIndex, nowMs, max, placeIndex, nowMs - DAY_MS, creditReportId]
  }

  return {
    /** For a check that has proved nothing. Resolves to `needsCode` when its place is full. */
    async claim(queries: Queries, { tenantId, creditReportId, consumer }: KnownCheck): Promise<unknown> {
      const claimed = await queries.run(...claimOf(creditReportId, placeOf(key, tenantId, consumer, 'unproved')))
      return claimed === 0 ? needsCode : null
    },

    /** For a check whose code was right; ends the transaction when its place is full. */
    async claimProved(queries: Queries, check: ProvedCheck): Promise<void> {
      const { tenantId, creditReportId, consumer, mobileNumber } = check
      const proof = check.match === 'matched' ? `matched ${mobileNumber}` : 'code'
      const placeIndex = placeOf(key, tenantId, consumer, proof)
      await queries.must({ error: () => new SearchesUsedUp(placeIndex) }, ...claimOf(creditReportId, placeIndex))
    },

    /** For a report whose file was not searched after all. */
    async giveBack(queries: Queries, creditReportId: string): Promise<void> {
      await queries.run('DELETE FROM person_search WHERE report_id = ?', creditReportId)
    },

    /** The error that a caller reads whose `claimProved` ended its transaction; any other error as it is. */
    async explain(queries: Queries, error: unknown): Promise<unknown> {
      if (!(error instanceof SearchesUsedUp)) return error
      const nowMs = clock()
      // Room is there again once the oldest of the last `max` is a day old.
      const row = await queries.first<{ claimed_at_ms: number }>(
        `SELECT claimed_at_ms FROM person_search WHERE place_index = ? AND claimed_at_ms > ?
         ORDER BY claimed_at_ms DESC LIMIT 1 OFFSET ?`,
        error.placeIndex,
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

/** Deletes searches that no limit counts any more; resolves to how many. */
export function forgetOldSearches(queries: Queries, nowMs: number): Promise<number> {
  return queries.run(
    `DELETE FROM person_search WHERE report_id IN (SELECT report_id FROM person_search WHERE claimed_at_ms < ? LIMIT ?)`,
    nowMs - DAY_MS,
    DELETE_ROWS_MAX,
  )
}

const CLAIM = `
  INSERT INTO person_search (report_id, place_index, claimed_at_ms)
  SELECT ?, ?, ? WHERE ? > (
    SELECT COUNT(*) FROM person_search WHERE place_index = ? AND claimed_at_ms > ? AND report_id <> ?)
  ON CONFLICT (report_id) DO UPDATE SET place_index = excluded.place_index, claimed_at_ms = excluded.claimed_at_ms`

export type FilePerson = Pick<BureauConsumer, 'firstName' | 'lastName' | 'dateOfBirth'>

/**
 * One person's credit file for one lender, and what was proved. Without an address: bureaus also search previous ones,
 * so an invented current address would find the same file as often as one likes. The first name tells twins and
 * namesakes apart; middle names do not.
 */
export function placeOf(key: Uint8Array, tenantId: string, person: FilePerson, proof: string): string {
  const [firstName = ''] = person.firstName.trim().split(/\s+/)
  const name = `${foldName(firstName)} ${foldSurname(person.lastName)}`
  return keyedIndex(key, 'searched file', [tenantId, name, person.dateOfBirth, proof].join('\n'))
}
