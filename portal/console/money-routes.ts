// The console's pages about money: what is there, what it is held for, and each month's statement.
import type { Hono } from 'hono'
import * as z from 'zod/mini'
import { Month } from '../../contract/statement.ts'
import { setLowBalanceAlert } from '../../plugins/limits/acts.ts'
import { readLowBalance } from '../../plugins/limits/spend-alerts.ts'
import { readSpend } from '../../plugins/limits/spend-caps.ts'
import {
  listBooked,
  listHolds,
  listMonths,
  monthOf,
  readMonth,
  readRate,
  walkBooked,
} from '../../plugins/statement/statement.ts'
import type { ActCore } from '../../service/act/act.ts'
import type { ServiceEnv } from '../../service/http/context.ts'
import { listLines } from '../../service/ledger/ledger.ts'
import { readTenant } from '../../service/ledger/tenants.ts'
import { pageOf } from '../../service/store/rows.ts'
import { carryOut, type Refusal } from './act-form.ts'
import { readTypedPounds } from './cap-pages.ts'
import { may, type TenantVisit } from './frame.ts'
import type { PageContext, Visits } from './page-context.ts'
import { nameOfMonth, STATEMENT, statementBody, statementCsv } from './statement-pages.ts'
import { walletBody } from './wallet-pages.ts'

type MoneyPageOptions = { core: ActCore; visits: Visits }

const path = '/console/money'
const LINES_SHOWN = 50
const HOLDS_SHOWN = 20
const STATEMENT_LINES_SHOWN = 50

export function moneyPageRoutes({ core, visits }: MoneyPageOptions): Hono<ServiceEnv> {
  const { database, clock, config } = core
  const { show, showUnknown, choose, download, tenantPages } = visits
  const { routes, get, post } = tenantPages()

  async function showMoneyPage(context: PageContext, visit: TenantVisit, typed?: Refusal & { form: URLSearchParams }) {
    const { id: tenantId } = visit.tenant
    const account = await readTenant(database, tenantId, config)
    if (account === null) return choose(context, visit)
    const before = typed === undefined ? (context.req.query('before') ?? null) : null
    const found = await listLines(database, { tenantId, before, creditReportId: null, limit: LINES_SHOWN + 1 })
    if (found === null) return showUnknown(context, visit, path)
    const { rows: lines, last } = pageOf(found, LINES_SHOWN)
    const holds = (await listHolds(database, { tenantId, after: null, limit: HOLDS_SHOWN + 1 })) ?? []
    const nowMs = clock()
    const body = walletBody({
      account,
      lowBalanceCredits: await readLowBalance(database, tenantId),
      nowMs,
      rate: await readRate(database, tenantId, nowMs),
      spend: await readSpend(database, tenantId, nowMs),
      months: await listMonths(database, tenantId),
      holds: holds.slice(0, HOLDS_SHOWN),
      hasMoreHolds: holds.length > HOLDS_SHOWN,
      lines,
      older: last?.id ?? null,
      mayChange: may(visit, 'money'),
      typed,
      press: visit.press,
    })
    const title = typed === undefined ? 'Money' : 'Error: money'
    return show(context, visit, { path, title, body }, typed === undefined ? 200 : 400)
  }

  get(path, (context, visit) => showMoneyPage(context, visit))

  post(`${path}/low-balance`, path, async (context, visit, form) => {
    const set = await carryOut(context, { core, act: setLowBalanceAlert, form }, readTypedPounds)
    if ('refused' in set) return showMoneyPage(context, visit, { ...set, form })
    return {
      notice: set.done.thresholdCredits === null ? 'The low-balance alert is off.' : 'The low-balance alert is set.',
    }
  })

  get(STATEMENT, async (context, visit) => {
    const { id: tenantId, name: lender } = visit.tenant
    const month = monthFrom(context)
    if (month === null) return showUnknown(context, visit, path)
    const wanted = { tenantId, month, after: context.req.query('after') ?? null, limit: STATEMENT_LINES_SHOWN + 1 }
    const found = await listBooked(database, wanted)
    if (found === null) return showUnknown(context, visit, path)
    const lines = found.slice(0, STATEMENT_LINES_SHOWN)
    const body = statementBody({
      lender,
      totals: await readMonth(database, { tenantId, month }),
      isOpen: month === monthOf(clock()),
      months: await listMonths(database, tenantId),
      lines,
      next: found.length > lines.length ? (lines.at(-1)?.id ?? null) : null,
    })
    return show(context, visit, { path, title: `Statement, ${nameOfMonth(month)}`, body })
  })

  get(`${STATEMENT}.csv`, async (context, visit) => {
    const month = monthFrom(context)
    if (month === null) return showUnknown(context, visit, path)
    const wanted = { tenantId: visit.tenant.id, month }
    const texts = statementCsv(await readMonth(database, wanted), walkBooked(database, wanted))
    return download(context, { name: `statement-${visit.tenant.id}-${month}.csv`, type: 'text/csv', texts })
  })

  /** This month where none is named; null for what is no month, or has not begun. */
  function monthFrom(context: PageContext): string | null {
    const thisMonth = monthOf(clock())
    const read = z.safeParse(Month, context.req.query('month') ?? thisMonth)
    return read.success && read.data <= thisMonth ? read.data : null
  }

  return routes
}
