import { createHash, timingSafeEqual } from 'node:crypto'
import { Hono } from 'hono'
import type { Metrics } from '../metrics.ts'
import { ApiError } from './api-error.ts'
import { isLocal } from './client-address.ts'

/**
 * `GET /metrics`, for a scraper that shows the token; without a configured token, for one on the same machine. To anyone
 * else it does not exist: the numbers tell how much business a lender does.
 */
export function metricsRoute({ metrics, token }: { metrics: Metrics; token: string | null }): Hono {
  return new Hono().get('/metrics', async (context) => {
    const isAllowed =
      token === null ? isLocal(context) : sameText(context.req.header('Authorization') ?? '', `Bearer ${token}`)
    if (!isAllowed) throw new ApiError('not-found', 'there is nothing at this address')
    return context.body(await metrics.render(), 200, { 'Content-Type': metrics.contentType })
  })
}

/** In the same time whatever the difference is. */
function sameText(one: string, other: string): boolean {
  return timingSafeEqual(digest(one), digest(other))
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
