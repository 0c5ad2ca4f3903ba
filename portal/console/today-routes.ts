// The console's first page: what happens to the lender's checks.
import type { Hono } from 'hono'
import { ENDED_STATUSES } from '../../contract/report-list.ts'
import type { Clock } from '../../kit/clock.ts'
import { readSpend } from '../../plugins/limits/spend-caps.ts'
import { readRate } from '../../plugins/statement/statement.ts'
import { hasStats, readDayEnds, readFigures } from '../../plugins/stats/read-stats.ts'
import type { CheckSettings } from '../../service/check/check-options.ts'
import type { ServiceEnv } from '../../service/http/context.ts'
import { readTenant, type TenantAccount } from '../../service/ledger/tenants.ts'
import type { Database } from '../../service/store/database.ts'
import type { Visits } from './page-context.ts'
import { headingOf, type Money, todayBody } from './today-pages.ts'
import { BYS, type By, columnsOf, type Period, periodOf } from './today-periods.ts'

type TodayPageOptions = { database: Database; clock: Clock; settings: CheckSettings; visits: Visits }

const path = '/console'
export function todayPageRoutes({ database, clock, settings, visits }: TodayPageOptions): Hono<ServiceEnv> {
  const { show, choose, tenantPages } = visits
  const { routes, get } = tenantPages()

  get(path, async (context, visit) => {
    const account = await readTenant(database, visit.tenant.id, settings)
    if (account === null) return choose(context, visit)
    const by = BYS.find((each) => each === context.req.query('by')) ?? 'day'
    const mode = context.req.query('mode') === 'test' ? 'test' : 'live'
    const whose = { tenantId: account.id, test: mode === 'test' }
    const period = periodOf(by, context.req.query('at'), clock())
    const figures = await readFigures(database, { ...whose, ...period })
    const before = await readFigures(database, { ...whose, ...periodOf(by, period.before, clock()) })
    const columns = await readColumns(whose, by, period)
    const money = whose.test ? null : await readMoney(account)
    const isNew = !(await hasStats(database, whose))
    const body = todayBody({ by, mode, period, figures, before, columns, money, isNew })
    return show(context, visit, { path, title: headingOf({ by, period }), body })
  })

  return routes

  async function readColumns(whose: { tenantId: string; test: boolean }, by: By, period: Period) {
    const columns = columnsOf(by, period)
    const days = await readDayEnds(database, { ...whose, from: columns[0]?.from ?? period.from, to: period.to })
    return columns.map((column) => {
      const sum = { ...column, day: column.from, complete: 0, blocked: 0, failed: 0, expired: 0 }
      for (const ends of days.filter(({ day }) => day >= column.from && day <= column.to)) {
        for (const status of ENDED_STATUSES) sum[status] += ends[status]
      }
      return sum
    })
  }

  async function readMoney({ id: tenantId, balanceCredits }: TenantAccount): Promise<Money> {
    const spend = await readSpend(database, tenantId, clock())
    return { balanceCredits, spend, rate: await readRate(database, tenantId, clock()) }
  }
}
