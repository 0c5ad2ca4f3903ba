import { createBoundedMap } from '../../kit/bounded-map.ts'
import type { Clock } from '../../kit/clock.ts'
import type { Queries } from '../store/database.ts'
import type { TenantRow } from './tables.ts'

/** A changed limit counts after so long at most, on every process. */
const REMEMBER_MS = 10_000
const TENANTS_MAX = 10_000

type TenantLimitsOptions = { database: Queries; clock: Clock; fallback: number }

/** Requests a minute of a tenant: its own, or else the installation's. */
export function createTenantLimits({ database, clock, fallback }: TenantLimitsOptions) {
  const known = createBoundedMap<{ limit: number; untilMs: number }>(TENANTS_MAX)
  return async (tenantId: string): Promise<number> => {
    const remembered = known.get(tenantId)
    if (remembered && Math.abs(remembered.untilMs - clock()) <= REMEMBER_MS && clock() < remembered.untilMs) {
      return remembered.limit
    }
    const row = await database.first<Pick<TenantRow, 'rate_limit_per_minute'>>(
      'SELECT rate_limit_per_minute FROM tenant WHERE id = ?',
      tenantId,
    )
    const limit = row?.rate_limit_per_minute ?? fallback
    known.set(tenantId, { limit, untilMs: clock() + REMEMBER_MS })
    return limit
  }
}
