import { createHash, timingSafeEqual } from 'node:crypto'
import { Hono } from 'hono'
import type { Metrics } from '../metrics.ts'
import { ApiError } from './api-error.ts'
import { isLocal } from './client-address.ts'

export type MetricsOptions = { metrics: Metrics; token: string | null; publicUrl: string; trustedHops: number }

/**
 * `GET /metrics`, for a scraper that shows the token; without a configured token, for one on the same machine. To anyone
 * else it does not exist: the numbers tell how much business a lender does.
 */
export function metricsRoute({ metrics, token, publicUrl, trustedHops }: MetricsOptions): Hono {
  // A proxy on the same machine that does not say whom it speaks for would make everybody local.
  const tellsStrangers = trustedHops > 0 || loopback.test(new URL(publicUrl).hostname)
  return new Hono().get('/metrics', async (context) => {
    const isAllowed =
      token === null
        ? tellsStrangers && isLocal(context)
        : sameText(context.req.header('Authorization') ?? '', `Bearer ${token}`)
    if (!isAllowed) throw new ApiError('not-found', 'there is nothing at this address')
    return context.body(await metrics.render(), 200, { 'Content-Type': metrics.contentType })
  })
}

const loopback = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/

/** In the same time whatever the difference is. */
function sameText(one: string, other: string): boolean {
  return timingSafeEqual(digest(one), digest(other))
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
