// Looking up one check: its timeline, and the search by anything that names it. For support and developers.
import { Hono } from 'hono'
import type { ServiceEnv } from '../../service/http/context.ts'
import { serve } from '../../service/http/serve.ts'
import type { Core, Plugin } from '../../service/plugin.ts'
import { findReportsCommand } from './find-command.ts'
import { lookUpRows } from './operations.ts'
import { readTimeline } from './timeline.ts'

export const lookUp: Plugin = {
  name: 'look-up',
  serve: async (core) => ({ routes: lookUpRoutes(core), rows: [lookUpRows] }),
  commands: [findReportsCommand],
}

function lookUpRoutes(core: Core): Hono<ServiceEnv> {
  const routes = new Hono<ServiceEnv>()

  serve(routes, lookUpRows.operations.getCreditReportTimeline, async (context) => {
    const creditReportId = context.req.param('creditReportId')
    const { timeline } = await readTimeline(core, { tenantId: context.get('tenantId'), creditReportId })
    return timeline
  })

  return routes
}
