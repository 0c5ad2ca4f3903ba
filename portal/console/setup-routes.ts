// The console's page about a lender's set-up.
import type { Hono } from 'hono'
import type { Clock } from '../../kit/clock.ts'
import type { ServiceEnv } from '../../service/http/context.ts'
import { readSetUp, type SetUpOptions } from '../../service/integration/findings.ts'
import type { Visits } from './page-context.ts'
import { setUpBody } from './setup-pages.ts'

const path = '/console/setup'

export function setUpPageRoutes({
  clock,
  visits,
  ...options
}: SetUpOptions & { clock: Clock; visits: Visits }): Hono<ServiceEnv> {
  const { show, choose, tenantPages } = visits
  const { routes, get } = tenantPages()

  get(path, async (context, visit) => {
    const facts = await readSetUp(options, visit.tenant.id, clock())
    if (facts === null) return choose(context, visit)
    return show(context, visit, { path, title: 'Set-up', body: setUpBody(facts) })
  })

  return routes
}
