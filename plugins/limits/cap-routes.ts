// A lender's spend caps and its low-balance alert, for programs to read.
import { Hono } from 'hono'
import type { Clock } from '../../kit/clock.ts'
import type { ServiceEnv } from '../../service/http/context.ts'
import { serve } from '../../service/http/serve.ts'
import type { Database } from '../../service/store/database.ts'
import { capRows } from './operations.ts'
import { readLowBalance } from './spend-alerts.ts'
import { readSpend } from './spend-caps.ts'

const { operations } = capRows

export function capRoutes({ database, clock }: { database: Database; clock: Clock }): Hono<ServiceEnv> {
  const routes = new Hono<ServiceEnv>()
  serve(routes, operations.getSpendCaps, async (context) => ({
    caps: await readSpend(database, context.get('tenantId'), clock()),
  }))
  serve(routes, operations.getLowBalance, async (context) => ({
    thresholdCredits: await readLowBalance(database, context.get('tenantId')),
  }))
  return routes
}
