// The console's page about spend caps.
import type { Hono } from 'hono'
import type { Clock } from '../../kit/clock.ts'
import type { ServiceEnv } from '../../service/http/context.ts'
import type { Database } from '../../service/store/database.ts'
import { CREDITS_MAX, PERIODS, PURPOSES, readSpend, setCaps } from '../../service/wallet/spend.ts'
import { capName, capsBody, type TypedCaps } from './cap-pages.ts'
import type { Visits } from './page-context.ts'

type CapPageOptions = { database: Database; clock: Clock; visits: Visits }

const path = '/console/caps'

export function capPageRoutes({ database, clock, visits }: CapPageOptions): Hono<ServiceEnv> {
  const { show, tenantPages } = visits
  const { routes, get, post } = tenantPages()

  get(path, async (context, visit) => {
    const spend = await readSpend(database, visit.tenant.id, clock())
    return show(context, visit, { path, title: 'Spend caps', body: capsBody({ spend }) })
  })

  post(path, path, async (context, visit, form) => {
    const { id: tenantId } = visit.tenant
    const typed = readCaps(form)
    if (Object.values(typed).some(({ problem }) => problem !== undefined)) {
      const spend = await readSpend(database, tenantId, clock())
      return show(context, visit, { path, title: 'Error: spend caps', body: capsBody({ spend, typed }) }, 400)
    }
    const capOf = (name: string) => typed[name]?.credits ?? null
    let from: { [name: string]: number | null } = {}
    const to = Object.fromEntries(Object.entries(typed).map(([name, { credits }]) => [name, credits]))
    await context.get('act').transaction(
      async (queries) => {
        const spend = await readSpend(queries, tenantId, clock())
        from = Object.fromEntries(spend.map((each) => [capName(each.purpose, each.period), each.capCredits]))
        for (const purpose of PURPOSES) {
          const caps = { hour: capOf(capName(purpose, 'hour')), day: capOf(capName(purpose, 'day')) }
          await setCaps(queries, { tenantId, purpose, caps })
        }
      },
      () => ({
        object: Object.entries(to)
          .map(([name, cap]) => `${name} ${cap ?? 'none'}`)
          .join(', '),
        change: { from, to },
      }),
    )
    return { notice: 'The caps are in force.' }
  })

  return routes
}

function readCaps(form: URLSearchParams): TypedCaps {
  const typed: TypedCaps = {}
  for (const purpose of PURPOSES) {
    for (const period of PERIODS) {
      const name = capName(purpose, period)
      const input = (form.get(name) ?? '').trim()
      // The page itself shows numbers with commas.
      const digits = input.replace(/[,\s]/g, '')
      const credits = digits === '' ? null : /^\d{1,13}$/.test(digits) ? Number(digits) : Number.NaN
      if (credits === null || credits <= CREDITS_MAX) typed[name] = { input, credits }
      else typed[name] = { input, credits: null, problem: 'Type a whole number of credits, or nothing for no cap.' }
    }
    const [hour, day] = [typed[capName(purpose, 'hour')]?.credits, typed[capName(purpose, 'day')]]
    if (day?.credits != null && hour != null && day.credits < hour) {
      day.problem = 'The cap for a day must not be below the one for an hour.'
    }
  }
  return typed
}
