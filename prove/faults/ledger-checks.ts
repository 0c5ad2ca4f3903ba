// After every fault: books that balance, and one charge for each report that was delivered.

import { setTimeout as sleep } from 'node:timers/promises'
import { reconcile } from '../../plugins/statement/reconcile.ts'
import type { Database } from '../../service/store/database.ts'
import type { TestApp } from '../../testing/test-app.ts'
import { readWallet } from '../cuts/demo-lender.ts'
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

/** The hold of a check that is over is given back by the sweeper. */
const SETTLED_WITHIN_MS = 60_000

/** The wallet of a service in another process: from now on so many reports and texts must be charged, and none else. */
export async function watchWallet(url: string) {
  const before = await readWallet(url)
  return {
    async mustHaveBought({ reports, texts }: { reports: number; texts: number }): Promise<void> {
      const deadlineMs = performance.now() + SETTLED_WITHIN_MS
      let wallet = await readWallet(url)
      while (wallet.heldCredits > 0 && performance.now() < deadlineMs) {
        await sleep(500)
        wallet = await readWallet(url)
      }
      must(wallet.heldCredits === 0, `nothing may stay held, but ${wallet.heldCredits} credits are`)
      const spent = before.balanceCredits + before.heldCredits - wallet.balanceCredits
      const due = reports * wallet.reportPriceCredits + texts * wallet.textPriceCredits
      must(spent === due, `${reports} reports and ${texts} texts must cost ${due} credits, not ${spent}`)
    },
  }
}
