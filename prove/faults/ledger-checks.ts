// After every fault: books that balance, and one charge for each report that was delivered.

import { reconcile } from '../../plugins/statement/reconcile.ts'
import type { Database } from '../../service/store/database.ts'
import type { TestApp } from '../../testing/test-app.ts'
import { must } from './must.ts'

export async function booksMustBalance(database: Database): Promise<void> {
  const { findings } = await reconcile(database)
  const broken = findings.filter(({ breaches }) => breaches.length > 0).map(({ name }) => name)
  must(broken.length === 0, `the books must balance, but not: ${broken.join('; ')}`)
}

/** A lender's complete live reports; each has exactly one capture when the books balance. */
export async function completeReports(database: Database, tenantId = 'demo-lender'): Promise<number> {
  const row = await database.first(
    `SELECT COUNT(*) AS n FROM credit_report WHERE test = 0 AND status = 'complete' AND tenant_id = ?`,
    tenantId,
  )
  return Number(row?.n)
}

/** Figures that a failed report must not change. */
export async function creditsOf(app: TestApp, tenantId = 'demo-lender'): Promise<string> {
  const row = await app.database.first('SELECT balance_credits, held_credits FROM wallet WHERE tenant_id = ?', tenantId)
  return `${row?.balance_credits} and ${row?.held_credits} held`
}
