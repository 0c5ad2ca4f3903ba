// The console's page about spend caps.
import type { Hono } from 'hono'
import type { Clock } from '../../kit/clock.ts'
import {
  type AllCaps,
  capName,
  changeCaps,
  findCapProblems,
  PERIODS,
  type PURPOSES,
  readSpend,
} from '../../plugins/limits/spend-caps.ts'
import type { ServiceEnv } from '../../service/http/context.ts'
import { type Prices, readTenant } from '../../service/ledger/tenants.ts'
import type { Database } from '../../service/store/database.ts'
import { capsBody, problemWords, readPounds, type TypedCaps } from './cap-pages.ts'
import type { Visits } from './page-context.ts'

type CapPageOptions = { database: Database; clock: Clock; settings: Prices; visits: Visits }

const path = '/console/caps'

export function capPageRoutes({ database, clock, settings, visits }: CapPageOptions): Hono<ServiceEnv> {
  const { show, choose, tenantPages } = visits
  const { routes, get, post } = tenantPages()

  get(path, async (context, visit) => {
    const prices = await readTenant(database, visit.tenant.id, settings)
    if (prices === null) return choose(context, visit)
    const spend = await readSpend(database, visit.tenant.id, clock())
    const body = capsBody({ spend, prices, press: visit.press })
    return show(context, visit, { path, title: 'Spend caps', body })
  })

  post(path, path, async (context, visit, form) => {
    const { id: tenantId } = visit.tenant
    const prices = await readTenant(database, tenantId, settings)
    if (prices === null) return choose(context, visit)
    const { typed, caps } = readCaps(form, prices)
    if (caps === null) {
      const spend = await readSpend(database, tenantId, clock())
      const body = capsBody({ spend, prices, typed, press: visit.press })
      return show(context, visit, { path, title: 'Error: spend caps', body }, 400)
    }
    await changeCaps(context.get('act'), { tenantId, caps, nowMs: clock() })
    return { notice: 'The caps are in force.' }
  })

  return routes
}

/** `caps`: null when something typed is no cap. */
function readCaps(form: URLSearchParams, prices: Prices): { typed: TypedCaps; caps: AllCaps | null } {
  const typed: TypedCaps = {}
  const read = (name: string) => {
    const input = (form.get(name) ?? '').trim()
    const credits = readPounds(input)
    typed[name] =
      credits === undefined ? { input, problem: 'Type an amount in pounds, or nothing for no cap.' } : { input }
    return credits ?? null
  }
  const capsOf = (purpose: (typeof PURPOSES)[number]) => {
    const [hour = null, day = null] = PERIODS.map((period) => read(capName(purpose, period)))
    return { hour, day }
  }
  const caps = { report: capsOf('report'), sms: capsOf('sms') }
  for (const problem of findCapProblems(caps, prices)) {
    const field = typed[capName(problem.purpose, problem.period)]
    if (field) field.problem ??= problemWords(problem)
  }
  return { typed, caps: Object.values(typed).some(({ problem }) => problem !== undefined) ? null : caps }
}
