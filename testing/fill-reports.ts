// Test support: a database with as many reports as months of checks leave, filled in seconds.
import pg from 'pg'
import { DAY_MS } from '../kit/clock.ts'
import { loadSqliteDriver } from '../service/store/sqlite-driver.ts'

const LENDER = 'demo-lender'
const PRICE = 500
/** All of them younger than a report is kept. */
const FILLED_DAYS = 20
/** Shorter than a real one, which would fill five gigabytes: only the number of rows matters here. */
const CONTENT_BYTES = 256

const LINKED = `(SELECT COALESCE(MAX(link_position), 0) FROM audit_event WHERE tenant_id = '${LENDER}')`

export type FillOptions = {
  /** The file of an SQLite database, or the address of one on PostgreSQL, with tables and the demo's lenders. */
  database: string
  reports: number
  /** The newest was made then. @default now */
  nowMs?: number
}

/**
 * Live reports of the demo's lender that completed, each paid, with content, person, idempotency key, hold and capture,
 * oldest first as they would have come, and a top-up of twice what they cost. Their lines of the audit trail have the
 * place of linked ones, and no hash that a check would accept.
 */
export async function fillReports({ database, reports, nowMs = Date.now() }: FillOptions): Promise<void> {
  const isPostgres = database.startsWith('postgres')
  const { begin, series, id, random, end } = isPostgres ? POSTGRES : SQLITE
  const firstMs = nowMs - FILLED_DAYS * DAY_MS
  const stepMs = (FILLED_DAYS * DAY_MS) / reports
  await execute(database, [
    ...begin,
    `CREATE TEMP TABLE filled AS SELECT n, at_ms, ${id} AS id
     FROM (SELECT n, CAST(${firstMs} + n * ${stepMs} AS BIGINT) AS at_ms FROM ${series(reports)}) AS dated`,
    `INSERT INTO credit_report (id, tenant_id, test, status, created_at_ms, ended_at_ms, ending, history, short_reference,
       external_reference, request_id)
     SELECT id, '${LENDER}', 0, 'complete', at_ms, at_ms, 'complete', '{}', substr(id, 29), 'order-' || n, id
     FROM filled ORDER BY n`,
    `INSERT INTO sealed_report (report_id, wrapped_key, content)
     SELECT id, ${random.bytes(64)}, ${random.bytes(CONTENT_BYTES)} FROM filled ORDER BY n`,
    `INSERT INTO report_person (report_id, person_index) SELECT id, ${random.text} FROM filled ORDER BY n`,
    `INSERT INTO idempotency (scope, fingerprint, report_id, outcome, cost_credits, balance_credits, sends, created_at_ms)
     SELECT ${random.text}, ${random.text}, id, 'complete', 0, 0, 1, ${nowMs} FROM filled ORDER BY n`,
    `INSERT INTO wallet_line (id, tenant_id, kind, purpose, credits, created_at_ms)
     VALUES ('top-up_${LENDER}_filled', '${LENDER}', 'top-up', 'top-up', ${2 * PRICE * reports},
       (SELECT MIN(at_ms) FROM filled))`,
    `INSERT INTO wallet_line (id, tenant_id, kind, purpose, credits, report_id, created_at_ms)
     SELECT 'hold_report_' || id, '${LENDER}', 'hold', 'report', ${PRICE}, id, at_ms FROM filled ORDER BY n`,
    `INSERT INTO wallet_line (id, tenant_id, kind, purpose, credits, report_id, hold_id, created_at_ms)
     SELECT 'capture_report_' || id, '${LENDER}', 'capture', 'report', ${PRICE}, id, 'hold_report_' || id, at_ms
     FROM filled ORDER BY n`,
    // Each read once by the lender's program, and one in a thousand by a person.
    `INSERT INTO audit_event (created_at_ms, tenant_id, actor_kind, actor_id, actor_name, action, object, address, outcome,
       link_position, link_hash)
     SELECT at_ms, '${LENDER}', CASE n % 1000 WHEN 0 THEN 'person' ELSE 'client' END, '${LENDER}',
       CASE n % 1000 WHEN 0 THEN 'Una Often' END, 'report.read', id, '203.0.113.7', 'done', ${LINKED} + n, ${random.text}
     FROM filled ORDER BY n`,
    `INSERT INTO audit_head (tenant_id, position, hash, deleted_position, deleted_hash, jws)
     VALUES ('${LENDER}', ${LINKED}, '', 0, '', '') ON CONFLICT (tenant_id) DO UPDATE SET position = ${LINKED}`,
    ...end(reports),
  ])
}

type Engine = {
  begin: string[]
  /** Numbers `n` from 1. */
  series(count: number): string
  /** Made from `n` and `at_ms` as the service makes an id: older ones are smaller. */
  id: string
  random: { text: string; bytes(count: number): string }
  end(reports: number): string[]
}

const SQLITE: Engine = {
  begin: ['PRAGMA synchronous = OFF', 'BEGIN'],
  series: (count) =>
    `(WITH RECURSIVE counted (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < ${count}) SELECT n FROM counted)`,
  id: `printf('%08x-%04x-7%03x-8%03x-%012x', at_ms >> 16, at_ms & 65535, n & 4095, n >> 12, n)`,
  random: { text: 'hex(randomblob(22))', bytes: (count) => `randomblob(${count})` },
  end: () => ['DROP TABLE filled', 'COMMIT', 'ANALYZE', 'PRAGMA wal_checkpoint(TRUNCATE)'],
}

const POSTGRES: Engine = {
  // The sums that triggers add line by line are added at the end, at once.
  begin: ['SET session_replication_role = replica'],
  series: (count) => `generate_series(1::bigint, ${count}) AS n`,
  id: `lpad(to_hex(at_ms >> 16), 8, '0') || '-' || lpad(to_hex(at_ms & 65535), 4, '0') || '-7' || lpad(to_hex(n & 4095), 3, '0')
    || '-8' || lpad(to_hex((n >> 12) & 4095), 3, '0') || '-' || lpad(to_hex(n), 12, '0')`,
  random: { text: 'md5(id)', bytes: (count) => `decode(repeat(md5(id), ${count / 16}), 'hex')` },
  end: (reports) => [
    `UPDATE wallet SET balance_credits = balance_credits + ${PRICE * reports} WHERE tenant_id = '${LENDER}'`,
    `INSERT INTO wallet_day (tenant_id, day, item, lines, credits, held_credits)
     SELECT '${LENDER}', to_char(to_timestamp(at_ms / 1000) AT TIME ZONE 'Europe/London', 'YYYY-MM-DD') AS day, item, COUNT(*),
       SUM(credits), 0
     FROM (SELECT at_ms, 'report' AS item, ${-PRICE} AS credits FROM filled
       UNION ALL SELECT MIN(at_ms), 'top-up', ${2 * PRICE * reports} FROM filled) AS line
     GROUP BY day, item
     ON CONFLICT (tenant_id, day, item) DO UPDATE SET lines = wallet_day.lines + excluded.lines,
       credits = wallet_day.credits + excluded.credits`,
    'DROP TABLE filled',
    'VACUUM ANALYZE',
  ],
}

async function execute(database: string, statements: string[]): Promise<void> {
  if (!database.startsWith('postgres')) {
    const { DatabaseSync } = loadSqliteDriver()
    const connection = new DatabaseSync(database)
    for (const statement of statements) connection.exec(statement)
    connection.close()
    return
  }
  const client = new pg.Client({ connectionString: database })
  await client.connect()
  for (const statement of statements) await client.query(statement)
  await client.end()
}
