// Rules that hold for the books at every moment. Each is a query that finds the rows that break it.
import { CORRECTION } from '../../service/ledger/ledger.ts'
import type { Database, Queries } from '../../service/store/database.ts'

export type Rule = {
  /** A sentence that is true while the query finds nothing. */
  name: string
  /** Selects the `id` of each breach. */
  sql: string
}

type Finding = { name: string; breaches: readonly string[] }

type Reconciliation = {
  counts: { wallets: number; lines: number; reports: number; texts: number; heldCredits: number }
  findings: readonly Finding[]
}

/** Reads everything as of one moment; changes nothing and blocks no writer. */
export function reconcile(database: Database): Promise<Reconciliation> {
  return database.snapshot(async (queries) => {
    const findings: Finding[] = []
    for (const { name, sql } of RULES) {
      const rows = await queries.all<{ id: string }>(sql)
      findings.push({ name, breaches: rows.map(({ id }) => id) })
    }
    return { counts: await count(queries), findings }
  })
}

export function isClean({ findings }: Reconciliation): boolean {
  return findings.every(({ breaches }) => breaches.length === 0)
}

const OPEN_HOLD = `hold.kind = 'hold' AND NOT EXISTS (SELECT 1 FROM wallet_line settled WHERE settled.hold_id = hold.id)`
const HOLD_OF_REPORT = `hold.id = 'hold_report_' || report.id`
const HOLD_OF_TEXT = `hold.id = 'hold_text_' || text.id`
const settledAs = (kind: string, hold: string) =>
  `EXISTS (SELECT 1 FROM wallet_line hold JOIN wallet_line line ON line.hold_id = hold.id AND line.kind = '${kind}' WHERE ${hold})`
const heldOpen = (hold: string) => `EXISTS (SELECT 1 FROM wallet_line hold WHERE ${hold} AND ${OPEN_HOLD})`

/** The sums of lines, for a query that groups them. */
export const BALANCE_OF_LINES = `
  CAST(SUM(CASE kind WHEN 'hold' THEN -credits WHEN 'capture' THEN 0 ELSE credits END) AS BIGINT) AS balance,
  CAST(SUM(CASE kind WHEN 'hold' THEN credits WHEN 'top-up' THEN 0 ELSE -credits END) AS BIGINT) AS held`

export const RULES: readonly Rule[] = [
  {
    name: 'every balance is the sum of its lines',
    sql: `SELECT wallet.tenant_id AS id FROM wallet LEFT JOIN (
        SELECT tenant_id, ${BALANCE_OF_LINES} FROM wallet_line GROUP BY tenant_id
      ) lines ON lines.tenant_id = wallet.tenant_id
      WHERE balance_credits <> COALESCE(balance, 0) OR held_credits <> COALESCE(held, 0)`,
  },
  {
    name: 'every day is the sum of its lines',
    sql: `SELECT wallet.tenant_id AS id FROM wallet LEFT JOIN (
        SELECT tenant_id, ${BALANCE_OF_LINES} FROM wallet_line GROUP BY tenant_id
      ) lines ON lines.tenant_id = wallet.tenant_id LEFT JOIN (
        SELECT tenant_id, CAST(SUM(credits) AS BIGINT) AS booked, CAST(SUM(held_credits) AS BIGINT) AS days_held
        FROM wallet_day GROUP BY tenant_id
      ) days ON days.tenant_id = wallet.tenant_id
      WHERE COALESCE(booked, 0) <> COALESCE(balance + held, 0) OR COALESCE(days_held, 0) <> COALESCE(held, 0)`,
  },
  {
    name: 'nothing is below zero',
    sql: `SELECT tenant_id AS id FROM wallet WHERE balance_credits < 0 OR held_credits < 0
      UNION ALL SELECT id FROM wallet_line WHERE credits < 0`,
  },
  {
    name: 'a hold is settled at most once',
    sql: `SELECT hold_id AS id FROM wallet_line WHERE hold_id IS NOT NULL GROUP BY hold_id HAVING COUNT(*) > 1`,
  },
  {
    name: 'a capture or release is for exactly what was held',
    sql: `SELECT line.id FROM wallet_line line LEFT JOIN wallet_line hold ON hold.id = line.hold_id AND hold.kind = 'hold'
      WHERE line.kind IN ('capture', 'release') AND (hold.id IS NULL OR hold.credits <> line.credits
        OR hold.tenant_id <> line.tenant_id OR hold.purpose <> line.purpose OR hold.report_id <> line.report_id)`,
  },
  {
    name: 'a live complete report has exactly one capture',
    sql: `SELECT report.id FROM credit_report report WHERE test = 0 AND status = 'complete'
      AND NOT ${settledAs('capture', HOLD_OF_REPORT)}`,
  },
  {
    name: 'what is given back of a report is the share of the agencies missing from it, once',
    sql: `SELECT refund.id FROM wallet_line refund LEFT JOIN wallet_line line ON line.id = 'capture_report_' || refund.report_id
      WHERE refund.kind = 'top-up' AND refund.report_id IS NOT NULL AND (line.id IS NULL OR line.kind <> 'capture'
        OR refund.id <> 'refund_report_' || refund.report_id OR refund.tenant_id <> line.tenant_id OR line.agencies_asked IS NULL
        OR refund.credits <> line.credits * (line.agencies_asked - line.agencies_delivered) / line.agencies_asked)`,
  },
  {
    name: 'a blocked, failed or expired report has given its hold back',
    sql: `SELECT report.id FROM credit_report report WHERE test = 0 AND status IN ('blocked', 'failed', 'expired')
      AND NOT ${settledAs('release', HOLD_OF_REPORT)}`,
  },
  {
    name: 'a live report in progress has its hold',
    sql: `SELECT report.id FROM credit_report report WHERE test = 0 AND status IN ('pending', 'challenged')
      AND NOT ${heldOpen(HOLD_OF_REPORT)}`,
  },
  {
    name: 'a text is charged when it was delivered, and only then',
    sql: `SELECT text.id FROM text_message text
      WHERE (status = 'delivered' AND NOT ${settledAs('capture', HOLD_OF_TEXT)})
        OR (status = 'undelivered' AND NOT ${settledAs('release', HOLD_OF_TEXT)})
        OR (status IN ('queued', 'accepted') AND NOT ${heldOpen(HOLD_OF_TEXT)})`,
  },
  {
    name: 'every send of a live challenge has its text',
    sql: `SELECT report.id FROM credit_report report WHERE test = 0
      AND sends <> (SELECT COUNT(*) FROM text_message text WHERE text.report_id = report.id)`,
  },
  {
    name: 'every hold is for a live report or text that exists, or a correction',
    sql: `SELECT hold.id FROM wallet_line hold WHERE hold.kind = 'hold' AND hold.id NOT LIKE '${CORRECTION}%' AND NOT EXISTS (
        SELECT 1 FROM credit_report report WHERE hold.id = 'hold_' || hold.purpose || '_' || report.id AND hold.purpose IN ('report', 'match')
          AND report.id = hold.report_id AND report.tenant_id = hold.tenant_id AND report.test = 0
      ) AND NOT EXISTS (
        SELECT 1 FROM text_message text WHERE hold.purpose = 'text' AND ${HOLD_OF_TEXT}
          AND text.report_id = hold.report_id AND text.tenant_id = hold.tenant_id
      )`,
  },
  {
    name: 'test mode leaves no line and no text',
    sql: `SELECT line.id FROM wallet_line line JOIN credit_report report ON report.id = line.report_id WHERE report.test = 1
      UNION ALL SELECT text.id FROM text_message text JOIN credit_report report ON report.id = text.report_id WHERE report.test = 1`,
  },
]

async function count(queries: Queries): Promise<Reconciliation['counts']> {
  const row = await queries.first<Reconciliation['counts']>(
    `SELECT (SELECT COUNT(*) FROM wallet) AS wallets, (SELECT COUNT(*) FROM wallet_line) AS lines,
       (SELECT COUNT(*) FROM credit_report) AS reports, (SELECT COUNT(*) FROM text_message) AS texts,
       (SELECT CAST(COALESCE(SUM(held_credits), 0) AS BIGINT) FROM wallet) AS "heldCredits"`,
  )
  if (row === null) throw new Error('a count returned no row')
  return row
}
