// The console's first page: what happens to the lender's checks.
import type { Hono } from 'hono'
import { ENDED_STATUSES } from '../../contract/report-list.ts'
import type { Links } from '../../hosted/links.ts'
import type { Clock } from '../../kit/clock.ts'
import type { Days } from '../../kit/london.ts'
import { readSpend } from '../../plugins/limits/spend-caps.ts'
import { readDays, readRate, readSpending, spentOf } from '../../plugins/statement/statement.ts'
import { hasStats, readDayEnds, readFigures } from '../../plugins/stats/read-stats.ts'
import type { CheckSettings } from '../../service/check/check-options.ts'
import type { ServiceEnv } from '../../service/http/context.ts'
import { readTenant, type TenantAccount } from '../../service/ledger/tenants.ts'
import type { Database } from '../../service/store/database.ts'
import type { Visits } from './page-context.ts'
import { headingOf, type Money, todayBody } from './today-pages.ts'
import { BYS, type By, columnsOf, type Period, periodOf } from './today-periods.ts'

type TodayPageOptions = {
  database: Database
  clock: Clock
  settings: CheckSettings
  links: Pick<Links, 'count'>
  visits: Visits
}

const path = '/console'
export function todayPageRoutes({ database, clock, settings, links, visits }: TodayPageOptions): Hono<ServiceEnv> {
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
    const daysBefore = periodOf(by, period.before, clock())
    const before = await readFigures(database, { ...whose, ...daysBefore })
    const columns = await readColumns(whose, by, period)
    const money = whose.test ? null : await readMoney(account, period, daysBefore)
    const linkCounts = await links.count({ ...whose, ...period })
    const isNew = !(await hasStats(database, whose))
    const body = todayBody({ by, mode, period, figures, before, columns, money, linkCounts, isNew })
    return show(context, visit, { path, title: headingOf({ by, period }), body })
  })

  return routes

  async function readColumns(whose: { tenantId: string; test: boolean }, by: By, period: Period) {
    const columns = columnsOf(by, period)
    const shown = { from: columns[0]?.from ?? period.from, to: period.to }
    const ends = await readDayEnds(database, { ...whose, ...shown })
    const spending = await readSpending(database, { tenantId: whose.tenantId, ...shown })
    return columns.map((column) => {
      const isIn = ({ day }: { day: string }) => day >= column.from && day <= column.to
      const sum = { ...column, day: column.from, complete: 0, blocked: 0, failed: 0, expired: 0, spentCredits: 0 }
      for (const day of ends.filter(isIn)) for (const status of ENDED_STATUSES) sum[status] += day[status]
      for (const { credits } of spending.filter(isIn)) sum.spentCredits += credits
      return sum
    })
  }

  async function readMoney(
    { id: tenantId, balanceCredits }: TenantAccount,
    period: Period,
    before: Days,
  ): Promise<Money> {
    const nowMs = clock()
    const spent = async ({ from, to }: Days) => spentOf(await readDays(database, { tenantId, from, to }))
    return {
      spentCredits: await spent(period),
      spentBeforeCredits: await spent(before),
      now: period.isOpen
        ? {
            balanceCredits,
            spend: await readSpend(database, tenantId, nowMs),
            rate: await readRate(database, tenantId, nowMs),
          }
        : null,
    }
  }
}
