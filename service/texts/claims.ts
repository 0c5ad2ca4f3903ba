// The limits on texts, in the database: they hold across processes and survive a restart.
import type { Queries, SqlValue } from '../store/database.ts'
import { DELETE_ROWS_MAX } from '../store/sweep-rows.ts'
import {
  CLAIM_LIFETIME_MS,
  CONVERSION_WINDOW_MS,
  COUNTED,
  type Counted,
  judgeText,
  type TextLimit,
  type TextVerdict,
  TRAITS,
} from './limits.ts'
import type { TextTraits } from './text-traits.ts'

const columns = TRAITS.map((trait) => `${trait}_index`)

/** A text somebody wants sent. */
export type WantedText = { creditReportId: string; traits: TextTraits; nowMs: number }
/** Which of its report's texts it is; 1 is the first. */
export type TextClaim = WantedText & { send: number }

/**
 * Counts one text towards every limit, unless one of them is reached: then nothing is written. Call it in the
 * transaction that queues the text. However many ask at once, and on however many processes, no limit is passed.
 */
export async function claimText(
  queries: Queries,
  claim: TextClaim,
  limits: readonly TextLimit[],
): Promise<TextVerdict> {
  await takeTurn(queries, claim)
  const verdict = await foreseeText(queries, claim, limits)
  if (verdict.allowed) await record(queries, claim)
  return verdict
}

/** What `claimText` would say now. Only a claim has the last word: another text may come in between. */
export async function foreseeText(
  queries: Queries,
  claim: WantedText,
  limits: readonly TextLimit[],
): Promise<TextVerdict> {
  return judgeText(limits, await count(queries, claim, limits))
}

/** The traits of a report's first text, which its later ones share; null when there was none, or long ago. */
export async function findTraits(queries: Queries, creditReportId: string): Promise<TextTraits | null> {
  const row = await queries.first<{ [index in `${keyof TextTraits}_index`]: string }>(
    `SELECT ${columns.join(', ')} FROM text_claim WHERE report_id = ? AND send_number = 1`,
    creditReportId,
  )
  if (row === null) return null
  return Object.fromEntries(TRAITS.map((trait) => [trait, row[`${trait}_index`]])) as TextTraits
}

/** Forgets what no limit looks at any more, so many at a time; resolves to how many rows that were. */
export async function forgetOldClaims(queries: Queries, nowMs: number): Promise<number> {
  const beforeMs = nowMs - CLAIM_LIFETIME_MS
  const turns = await queries.run(
    `DELETE FROM text_claim_turn WHERE trait_index IN (SELECT trait_index FROM text_claim_turn WHERE taken_at_ms < ? LIMIT ?)`,
    beforeMs,
    DELETE_ROWS_MAX,
  )
  const claims = await queries.run(
    `DELETE FROM text_claim WHERE (report_id, send_number) IN
       (SELECT report_id, send_number FROM text_claim WHERE claimed_at_ms < ? LIMIT ?)`,
    beforeMs,
    DELETE_ROWS_MAX,
  )
  return turns + claims
}

/** From here to the end of the transaction, no other claim that shares a trait is judged. */
async function takeTurn(queries: Queries, { traits, nowMs }: TextClaim): Promise<void> {
  // Always in the same order: two claims that wait at several places must not wait for each other in a circle.
  const indexes = Object.values(traits).toSorted()
  await queries.run(
    `INSERT INTO text_claim_turn (trait_index, taken_at_ms) VALUES ${indexes.map(() => '(?, ?)').join(', ')}
     ON CONFLICT (trait_index) DO UPDATE SET taken_at_ms = excluded.taken_at_ms`,
    ...indexes.flatMap((index) => [index, nowMs]),
  )
}

type Count = { sql: string; values: SqlValue[] }

async function count(queries: Queries, claim: WantedText, limits: readonly TextLimit[]): Promise<Counted> {
  const counts = [...limits.map((limit) => countOf(limit, claim)), countOfPrefix(claim), countOfCompleted(claim)]
  const row = await queries.first<{ [count: string]: number }>(
    `SELECT ${counts.map(({ sql }, index) => `(${sql}) AS count_${index}`).join(', ')}`,
    ...counts.flatMap(({ values }) => values),
  )
  const counted = counts.map((_count, index) => row?.[`count_${index}`] ?? 0)
  return {
    counts: counted.slice(0, limits.length),
    prefixTexts: counted[limits.length] ?? 0,
    prefixCompleted: counted[limits.length + 1] ?? 0,
  }
}

/** What repeats something this text has too (its number, its report) is left out: only what is new counts one more. */
function countOf({ same, windowMs }: TextLimit, { creditReportId, traits, nowMs }: WantedText): Count {
  const from = `FROM text_claim WHERE ${same}_index = ? AND claimed_at_ms > ?`
  const values = [traits[same], nowMs - windowMs]
  switch (COUNTED[same]) {
    case 'texts':
      return { sql: `SELECT COUNT(*) ${from}`, values }
    case 'numbers':
      return {
        sql: `SELECT COUNT(DISTINCT number_index) ${from} AND number_index <> ?`,
        values: [...values, traits.number],
      }
    case 'reports':
      return { sql: `SELECT COUNT(DISTINCT report_id) ${from} AND report_id <> ?`, values: [...values, creditReportId] }
  }
}

const OF_PREFIX = 'prefix_index = ? AND claimed_at_ms > ?'

function countOfPrefix({ traits, nowMs }: WantedText): Count {
  return {
    sql: `SELECT COUNT(*) FROM text_claim WHERE ${OF_PREFIX}`,
    values: [traits.prefix, nowMs - CONVERSION_WINDOW_MS],
  }
}

function countOfCompleted({ traits, nowMs }: WantedText): Count {
  return {
    sql: `SELECT COUNT(*) FROM text_claim JOIN credit_report ON credit_report.id = text_claim.report_id
          WHERE ${OF_PREFIX} AND credit_report.status = 'complete'`,
    values: [traits.prefix, nowMs - CONVERSION_WINDOW_MS],
  }
}

async function record(queries: Queries, { creditReportId, send, traits, nowMs }: TextClaim): Promise<void> {
  await queries.run(
    `INSERT INTO text_claim (report_id, send_number, claimed_at_ms, ${columns.join(', ')})
     VALUES (?, ?, ?, ${columns.map(() => '?').join(', ')})`,
    creditReportId,
    send,
    nowMs,
    ...TRAITS.map((trait) => traits[trait]),
  )
}
