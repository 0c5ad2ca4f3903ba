// The limits on texts, in the database: they hold across processes and survive a restart.
import type { Queries, SqlValue } from '../../service/store/database.ts'
import { DELETE_ROWS_MAX } from '../../service/store/sweep-rows.ts'
import {
  CLAIM_LIFETIME_MS,
  CONVERSION_TEXTS_MIN,
  CONVERSION_TEXTS_PER_CODE_MAX,
  CONVERSION_WINDOW_MS,
  COUNTED,
  TENANT_ALERT_SHARE,
  type TextLimit,
  TRAITS,
} from './text-limits.ts'
import type { TextTraits } from './text-traits.ts'

const columns = TRAITS.map((trait) => `${trait}_index`)

/** A text to be sent; `send` is its number within the report, from 1. */
export type TextClaim = { creditReportId: string; send: number; traits: TextTraits; nowMs: number }

/**
 * Counts one text towards every limit, unless one of them is reached: then `refusal` ends the transaction. However many
 * ask at once, and on however many processes, no limit is passed. Resolves to whether the tenant comes near its limit
 * of the day.
 */
export async function claimText(
  queries: Queries,
  claim: TextClaim,
  limits: readonly TextLimit[],
  refusal: () => Error,
): Promise<{ nearTenantLimit: boolean }> {
  const [, , ofDay] = await Promise.all([
    takeTurn(queries, claim),
    record(queries, claim, limits, refusal),
    countOfDay(queries, claim),
  ])
  return {
    nearTenantLimit: limits.some((limit) => isDaily(limit) && ofDay === Math.ceil(limit.max * TENANT_ALERT_SHARE)),
  }
}

/** When every limit has room for a refused text again, provided that no other text takes it. */
export async function findRoom(queries: Queries, claim: TextClaim, limits: readonly TextLimit[]): Promise<number> {
  const { sql, values } = countOfCompleted(claim)
  const completed = (await queries.first<{ count: number }>(sql, ...values))?.count ?? 0
  const max = Math.max(CONVERSION_TEXTS_MIN, completed * CONVERSION_TEXTS_PER_CODE_MAX + 1)
  let roomAtMs = claim.nowMs
  for (const limit of [...limits, { same: 'prefix' as const, max, windowMs: CONVERSION_WINDOW_MS }]) {
    const { countedBy, from, values } = claimsOf(limit, claim)
    const row = await queries.first<{ newest_at_ms: number }>(
      `SELECT MAX(claimed_at_ms) AS newest_at_ms ${from} GROUP BY ${countedBy} ORDER BY 1 DESC LIMIT 1 OFFSET ?`,
      ...values,
      limit.max - 1,
    )
    // There is room once one of the newest `max` leaves the window.
    if (row !== null) roomAtMs = Math.max(roomAtMs, row.newest_at_ms + limit.windowMs)
  }
  return roomAtMs
}

/** Deletes claims that no limit counts any more, a bounded number at a time; resolves to how many. */
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

const isDaily = ({ same, windowMs }: TextLimit) => same === 'tenant' && windowMs === CLAIM_LIFETIME_MS

async function countOfDay(queries: Queries, { traits, nowMs }: TextClaim): Promise<number> {
  const row = await queries.first<{ texts: number }>(
    'SELECT COUNT(*) AS texts FROM text_claim WHERE tenant_index = ? AND claimed_at_ms > ?',
    traits.tenant,
    nowMs - CLAIM_LIFETIME_MS,
  )
  return row?.texts ?? 0
}

/** The columns that tell one of what is counted from the next. */
const COUNTED_BY = { texts: 'report_id, send_number', numbers: 'number_index', reports: 'report_id' } as const

/** Earlier texts that share the trait's value are left out: only a new value counts one more. */
function claimsOf({ same, windowMs }: TextLimit, { creditReportId, traits, nowMs }: TextClaim) {
  const counted = COUNTED[same]
  const countedBy = COUNTED_BY[counted]
  const own = { texts: [], numbers: [traits.number], reports: [creditReportId] }[counted]
  const isOther = own.map(() => ` AND ${countedBy} <> ?`).join('')
  const from = `FROM text_claim WHERE ${same}_index = ? AND claimed_at_ms > ?${isOther}`
  return { countedBy, from, values: [traits[same], nowMs - windowMs, ...own] }
}

function countOf(limit: TextLimit, claim: TextClaim): Count {
  const { countedBy, from, values } = claimsOf(limit, claim)
  const what = COUNTED[limit.same] === 'texts' ? '*' : `DISTINCT ${countedBy}`
  return { sql: `SELECT COUNT(${what}) ${from}`, values }
}

const OF_PREFIX = 'prefix_index = ? AND claimed_at_ms > ?'

function countOfPrefix({ traits, nowMs }: TextClaim): Count {
  return {
    sql: `SELECT COUNT(*) FROM text_claim WHERE ${OF_PREFIX}`,
    values: [traits.prefix, nowMs - CONVERSION_WINDOW_MS],
  }
}

function countOfCompleted({ traits, nowMs }: TextClaim): Count {
  return {
    sql: `SELECT COUNT(*) AS count FROM text_claim JOIN credit_report ON credit_report.id = text_claim.report_id
          WHERE ${OF_PREFIX} AND credit_report.status = 'complete'`,
    values: [traits.prefix, nowMs - CONVERSION_WINDOW_MS],
  }
}

/**
 * Counts and writes in one statement. The refusal is the same for every limit, so that it does not tell which one to
 * evade.
 */
async function record(
  queries: Queries,
  claim: TextClaim,
  limits: readonly TextLimit[],
  refusal: () => Error,
): Promise<void> {
  const { creditReportId, send, traits, nowMs } = claim
  const counts = limits.map((limit, index) => ({ ...countOf(limit, claim), name: `count_${index}` }))
  counts.push(
    { ...countOfPrefix(claim), name: 'prefix_texts' },
    { ...countOfCompleted(claim), name: 'prefix_completed' },
  )
  await queries.must(
    { error: refusal },
    `INSERT INTO text_claim (report_id, send_number, claimed_at_ms, ${columns.join(', ')})
     SELECT ?, ?, ?, ${columns.map(() => '?').join(', ')}
     FROM (SELECT ${counts.map(({ sql, name }) => `(${sql}) AS ${name}`).join(', ')}) AS counted
     WHERE ${[...limits.map(({ max }, index) => `count_${index} < ${max}`), CONVERTS].join(' AND ')}`,
    creditReportId,
    send,
    nowMs,
    ...TRAITS.map((trait) => traits[trait]),
    ...counts.flatMap(({ values }) => values),
  )
}

const CONVERTS = `(prefix_texts < ${CONVERSION_TEXTS_MIN} OR prefix_completed * ${CONVERSION_TEXTS_PER_CODE_MAX} >= prefix_texts)`
