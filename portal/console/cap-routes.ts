// The console's page about spend caps.
import type { Hono } from 'hono'
import { setSpendCaps } from '../../plugins/limits/acts.ts'
import { readSpend } from '../../plugins/limits/spend-caps.ts'
import type { ActCore } from '../../service/act/act.ts'
import type { ServiceEnv } from '../../service/http/context.ts'
import { readTenant } from '../../service/ledger/tenants.ts'
import { carryOut, type Refusal } from './act-form.ts'
import { capsBody, readTypedPounds } from './cap-pages.ts'
import type { TenantVisit } from './frame.ts'
import type { PageContext, Visits } from './page-context.ts'

const path = '/console/caps'

export function capPageRoutes({ core, visits }: { core: ActCore; visits: Visits }): Hono<ServiceEnv> {
  const { show, choose, tenantPages } = visits
  const { routes, get, post } = tenantPages()

  async function showCaps(context: PageContext, visit: TenantVisit, typed?: Refusal & { form: URLSearchParams }) {
    const { database, config, clock } = core
    const prices = await readTenant(database, visit.tenant.id, config)
    if (prices === null) return choose(context, visit)
    const spend = await readSpend(database, visit.tenant.id, clock())
    const body = capsBody({ spend, prices, typed, press: visit.press })
    return show(context, visit, { path, title: typed ? 'Error: spend caps' : 'Spend caps', body }, typed ? 400 : 200)
  }

  get(path, (context, visit) => showCaps(context, visit))

  post(path, path, async (context, visit, form) => {
    const changed = await carryOut(context, { core, act: setSpendCaps, form }, readTypedPounds)
    if ('refused' in changed) return showCaps(context, visit, { ...changed, form })
    return { notice: 'The caps are in force.' }
  })

  return routes
}
