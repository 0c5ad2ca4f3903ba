import { Hono } from 'hono'
import type { ServiceEnv } from '../../service/http/context.ts'
import { serve } from '../../service/http/serve.ts'
import { refusalRows } from './operations.ts'
import type { Refusals } from './refusals.ts'

const at = (timeMs: number) => new Date(timeMs).toISOString()

export function refusalRoutes(kept: Refusals): Hono<ServiceEnv> {
  const routes = new Hono<ServiceEnv>()
  serve(routes, refusalRows.operations.listRefusals, async (context) => {
    const { refusals, hours } = await kept.list(context.get('tenantId'))
    return {
      hours: hours.map(({ hourMs, ...counted }) => ({ startedAt: at(hourMs), ...counted })),
      refusals: refusals.map(({ tenantId: _own, atMs, ...refusal }) => ({ createdAt: at(atMs), ...refusal })),
    }
  })
  return routes
}
