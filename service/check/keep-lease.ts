// Work that takes as long as the providers do, under a lease of a few seconds that is renewed meanwhile: when the
// process dies, a retry takes the report over soon; while it lives, none can.
import type { Clock } from '../../kit/clock.ts'
import type { Database } from '../store/database.ts'
import { renewLease } from './store.ts'

/** Time for which a report stays with a process that no longer renews its lease. */
export const WORK_LEASE_MS = 5_000
const RENEW_EVERY_MS = 1_500

/**
 * `work.leaseUntilMs` is what the lease is known by: it moves with every renewal, and stands still once `run` is over.
 */
export async function keepLease<T>(
  { database, clock }: { database: Database; clock: Clock },
  work: { creditReportId: string; leaseUntilMs: number },
  run: () => Promise<T>,
): Promise<T> {
  let renewing = Promise.resolve()

  async function renew(): Promise<void> {
    const nextMs = clock() + WORK_LEASE_MS
    // One that is lost, or cannot be renewed, ends by itself: what is written under it is refused then.
    const isOurs = await renewLease(database, { ...work, nextMs }).catch(() => false)
    if (isOurs) work.leaseUntilMs = nextMs
  }

  const timer = setInterval(() => {
    renewing = renewing.then(renew)
  }, RENEW_EVERY_MS)
  try {
    return await run()
  } finally {
    clearInterval(timer)
    await renewing
  }
}
