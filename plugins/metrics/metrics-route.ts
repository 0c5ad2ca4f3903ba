import { Hono } from 'hono'
import { isSameSecret } from '../../kit/keys.ts'
import { isLoopbackHost } from '../../kit/network.ts'
import { notFound } from '../../service/http/api-error.ts'
import { isLocal } from '../../service/http/client-address.ts'
import type { ServiceEnv } from '../../service/http/context.ts'
import { serve } from '../../service/http/serve.ts'
import type { Metrics } from './metrics.ts'
import { metricsRows } from './operations.ts'

type MetricsOptions = { metrics: Metrics; token: string | null; publicUrl: string; trustedHops: number }

/**
 * `GET /metrics`, for a scraper that shows the token; without a configured token, for one on the same machine. To
 * anyone else it does not exist: the numbers tell how much business a lender does.
 */
export function metricsRoute({ metrics, token, publicUrl, trustedHops }: MetricsOptions): Hono<ServiceEnv> {
  // Behind a local reverse proxy that sets no X-Forwarded-For, every request would seem to come from this machine.
  const isSocketTrusted = trustedHops > 0 || isLoopbackHost(new URL(publicUrl).hostname)
  const routes = new Hono<ServiceEnv>()
  serve(routes, metricsRows.operations.getMetrics, async (context) => {
    const isAllowed =
      token === null
        ? isSocketTrusted && isLocal(context)
        : isSameSecret(context.req.header('Authorization') ?? '', `Bearer ${token}`)
    if (!isAllowed) throw notFound()
    return context.body(await metrics.render(), 200, { 'Content-Type': metrics.contentType })
  })
  return routes
}
