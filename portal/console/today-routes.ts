// The console's first page: what happens to the lender's checks.
import type { Hono } from 'hono'
import { calendarDateOf } from '../../contract/calendar-date.ts'
import type { DayEnds } from '../../contract/stats.ts'
import type { Clock } from '../../kit/clock.ts'
import type { ServiceEnv } from '../../service/http/context.ts'
import type { ReportSettings } from '../../service/reports/report-options.ts'
import { hasStats, readDayEnds, readFigures } from '../../service/stats/read-stats.ts'
import type { Database } from '../../service/store/database.ts'
import { readTenant, type TenantAccount } from '../../service/tenants/store.ts'
import { readSpend } from '../../service/wallet/spend.ts'
import type { Visits } from './page-context.ts'
import { type Money, todayBody } from './today-pages.ts'
import { addDays, BYS, type By, type Period, periodOf, periodsUpTo } from './today-periods.ts'

type TodayPageOptions = { database: Database; clock: Clock; settings: ReportSettings; visits: Visits }

const path = '/console'
/** Columns of the chart. */
const SHOWN: Record<By, number> = { day: 30, week: 13, month: 12 }
const PACE_DAYS = 7

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
    const body = todayBody({ tenantName: account.name, by, mode, period, figures, before, columns, money, isNew })
    return show(context, visit, { path, title: 'Today', body })
  })

  return routes

  async function readColumns(whose: { tenantId: string; test: boolean }, by: By, period: Period) {
    const periods = periodsUpTo(by, period, SHOWN[by])
    const days = await readDayEnds(database, { ...whose, from: periods[0]?.from ?? period.from, to: period.to })
    return periods.map(({ from, to, name }) => {
      const sum: DayEnds & { name: string } = { name, day: from, complete: 0, blocked: 0, failed: 0, expired: 0 }
      for (const ends of days.filter(({ day }) => day >= from && day <= to)) {
        sum.complete += ends.complete
        sum.blocked += ends.blocked
        sum.failed += ends.failed
        sum.expired += ends.expired
      }
      return sum
    })
  }

  /** Balance and spend are the ledger's; only the pace is an estimate, from the counters of the last whole days. */
  async function readMoney({
    id: tenantId,
    balanceCredits,
    reportPriceCredits,
    smsPriceCredits,
  }: TenantAccount): Promise<Money> {
    const spend = await readSpend(database, tenantId, clock())
    const today = calendarDateOf(clock())
    const days = { from: addDays(today, -PACE_DAYS), to: addDays(today, -1) }
    const { ends, texts } = await readFigures(database, { tenantId, test: false, ...days })
    const complete = ends.find(({ end }) => end === 'complete')?.count ?? 0
    const spentCredits = complete * reportPriceCredits + texts.delivered * smsPriceCredits
    const daysLeft = spentCredits === 0 ? null : Math.floor((balanceCredits * PACE_DAYS) / spentCredits)
    return { balanceCredits, spend, daysLeft }
  }
}
