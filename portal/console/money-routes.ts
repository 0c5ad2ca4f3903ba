// The console's page about money.
import type { Hono } from 'hono'
import type { Clock } from '../../kit/clock.ts'
import type { ServiceEnv } from '../../service/http/context.ts'
import type { ReportSettings } from '../../service/reports/report-options.ts'
import type { Database } from '../../service/store/database.ts'
import { readTenant } from '../../service/tenants/store.ts'
import { readSpend } from '../../service/wallet/spend.ts'
import { listLines } from '../../service/wallet/store.ts'
import type { Visits } from './page-context.ts'
import { walletBody } from './wallet-pages.ts'

type MoneyPageOptions = { database: Database; clock: Clock; settings: ReportSettings; visits: Visits }

const path = '/console/money'
const LINES_SHOWN = 50

export function moneyPageRoutes({ database, clock, settings, visits }: MoneyPageOptions): Hono<ServiceEnv> {
  const { show, choose, tenantPages } = visits
  const { routes, get } = tenantPages()

  get(path, async (context, visit) => {
    const account = await readTenant(database, visit.tenant.id, settings)
    if (account === null) return choose(context, visit)
    const before = context.req.query('before') ?? null
    // One more than shown says whether there is an older page.
    const wanted = { tenantId: account.id, before, creditReportId: null, limit: LINES_SHOWN + 1 }
    const found = await listLines(database, wanted)
    if (found === null) return context.redirect(path, 303)
    const lines = found.slice(0, LINES_SHOWN)
    const spend = await readSpend(database, account.id, clock())
    const older = found.length > LINES_SHOWN ? (lines.at(-1)?.id ?? null) : null
    return show(context, visit, {
      path,
      title: 'Money',
      body: walletBody({ account, spend, lines, older, mayChangeCaps: visit.tenant.role === 'owner' }),
    })
  })

  return routes
}
