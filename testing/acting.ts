// Test support: routes without the service around them, which act as the service lets them.
import { Hono } from 'hono'
import type { Clock } from '../kit/clock.ts'
import { writeAudit } from '../plugins/audit/store.ts'
import type { ServiceEnv } from '../service/http/context.ts'
import { createRequestActing } from '../service/http/request-acting.ts'
import type { Database } from '../service/store/database.ts'

/** An app whose requests can act, with their lines in the audit trail. */
export function createActingApp({ database, clock }: { database: Database; clock: Clock }): Hono<ServiceEnv> {
  const actingOf = createRequestActing({ database, tell: writeAudit, clock, trustedHops: 1 })
  return new Hono<ServiceEnv>().use(async (context, next) => {
    context.set('actAs', actingOf(context))
    await next()
  })
}
