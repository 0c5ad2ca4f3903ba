// Deletes data whose retention has ended. Everything here can be run at any time, from any process, any number of
// times.
import { type Clock, DAY_MS } from '../../kit/clock.ts'
import { firstIdAt } from '../../kit/new-id.ts'
import type { Database, Queries } from '../../service/store/database.ts'

/** Rows looked at in one go. */
const WINDOW_ROWS = 500

const forgetOld = (table: 'sealed_report' | 'report_person') =>
  `DELETE FROM ${table} WHERE report_id IN (SELECT report_id FROM ${table} WHERE report_id < ? ORDER BY report_id LIMIT ?)`

type RetentionOptions = { database: Database; clock: Clock; reportRetentionMs: number }

export function createRetention({ database, clock, reportRetentionMs }: RetentionOptions) {
  // Ids begin with their time, so the old ones are found without an index of their own.
  const firstYoungId = () => firstIdAt(clock() - reportRetentionMs)

  return {
    /** Erases the content of reports whose time is over; resolves to how many. */
    async eraseOldReports(): Promise<number> {
      await database.run(forgetOld('report_person'), firstYoungId(), WINDOW_ROWS)
      // Reads the contents' own index: the next report to erase is its first row, however many reports are kept.
      return database.run(forgetOld('sealed_report'), firstYoungId(), WINDOW_ROWS)
    },

    /** The same for lenders that keep reports for a shorter time of their own. Resolves to the reports scanned. */
    async eraseOldOfTenants(): Promise<number> {
      let scanned = 0
      for (const { tenantId, days } of await listRetentions(database)) {
        const firstYoung = firstIdAt(clock() - days * DAY_MS)
        const after = await readScan(database, { tenantId, firstYoung })
        const window = await database.first<{ last: string | null; many: number }>(
          `SELECT MAX(id) AS last, COUNT(*) AS many
           FROM (SELECT id FROM credit_report WHERE tenant_id = ? AND id > ? AND id < ? ORDER BY id LIMIT ?) AS next`,
          tenantId,
          after,
          firstYoung,
          WINDOW_ROWS,
        )
        const last = window?.last ?? null
        if (window === null || last === null) continue
        await database.transaction(async (queries) => {
          for (const table of ['sealed_report', 'report_person']) {
            await queries.run(
              `DELETE FROM ${table} WHERE report_id IN (SELECT id FROM credit_report WHERE tenant_id = ? AND id > ? AND id <= ?)`,
              tenantId,
              after,
              last,
            )
          }
          await queries.run(
            `INSERT INTO retention_scan (tenant_id, last_report_id) VALUES (?, ?)
             ON CONFLICT (tenant_id) DO UPDATE SET last_report_id = excluded.last_report_id`,
            tenantId,
            last,
          )
        })
        scanned += window.many
      }
      return scanned
    },

    /**
     * Deletes expired test-mode reports; resolves to how many. What stays of a live one (ids and states, for the books)
     * stays for good.
     */
    async deleteOldTestReports(): Promise<number> {
      const window = await database.first<{ last: string | null; many: number }>(
        `SELECT MAX(id) AS last, COUNT(*) AS many
         FROM (SELECT id FROM credit_report WHERE test = 1 AND id < ? ORDER BY id LIMIT ?) AS next`,
        firstYoungId(),
        WINDOW_ROWS,
      )
      const last = window?.last ?? null
      if (window === null || last === null) return 0
      const old = 'FROM credit_report WHERE test = 1 AND id <= ?'
      await database.transaction(async (queries) => {
        await queries.run(`DELETE FROM sealed_report WHERE report_id IN (SELECT id ${old})`, last)
        await queries.run(`DELETE ${old}`, last)
      })
      return window.many
    },
  }
}

/**
 * The last report of the lender that was scanned. A scan beyond what is old now (the clock was ahead, or the lender
 * keeps reports for longer) begins again.
 */
async function readScan(
  queries: Queries,
  { tenantId, firstYoung }: { tenantId: string; firstYoung: string },
): Promise<string> {
  const scan = await queries.first<{ last_report_id: string }>(
    'SELECT last_report_id FROM retention_scan WHERE tenant_id = ?',
    tenantId,
  )
  return scan !== null && scan.last_report_id < firstYoung ? scan.last_report_id : ''
}

/** The column that `tables.ts` adds. Null: the installation's days. */
export type RetentionRow = { report_retention_days: number | null }

/** Null: as long as the installation keeps them. */
export async function readRetentionDays(queries: Queries, id: string): Promise<number | null> {
  const row = await queries.first<RetentionRow>('SELECT report_retention_days FROM tenant WHERE id = ?', id)
  return row?.report_retention_days ?? null
}

/** Lenders that keep reports for a time of their own. */
async function listRetentions(queries: Queries): Promise<{ tenantId: string; days: number }[]> {
  const rows = await queries.all<{ id: string; days: number }>(
    'SELECT id, report_retention_days AS days FROM tenant WHERE report_retention_days IS NOT NULL ORDER BY id',
  )
  return rows.map(({ id, days }) => ({ tenantId: id, days }))
}
