// The timeline of one check, for programs.
import { Hono } from 'hono'
import type { ServiceEnv } from '../../service/http/context.ts'
import { serve } from '../../service/http/serve.ts'
import type { Core } from '../../service/plugin.ts'
import { lookUpRows } from './operations.ts'
import { readTimeline } from './timeline.ts'

export function lookUpRoutes(core: Core): Hono<ServiceEnv> {
  const routes = new Hono<ServiceEnv>()

  serve(routes, lookUpRows.operations.getCreditReportTimeline, async (context) => {
    const creditReportId = context.req.param('creditReportId')
    const { timeline } = await readTimeline(core, { tenantId: context.get('tenantId'), creditReportId })
    return timeline
  })

  return routes
}
