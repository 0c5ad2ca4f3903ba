// A lender's spend caps and its low-balance alert.
import { Hono } from 'hono'
import type { Problem } from '../../contract/problems.ts'
import type { CapStates, LowBalanceAlert } from '../../contract/wallet.ts'
import type { Clock } from '../../kit/clock.ts'
import { forbidden } from '../../service/http/access.ts'
import { validationError } from '../../service/http/api-error.ts'
import type { ServiceEnv } from '../../service/http/context.ts'
import { serve } from '../../service/http/serve.ts'
import { type Prices, readTenant } from '../../service/ledger/tenants.ts'
import type { Database } from '../../service/store/database.ts'
import { capRows } from './operations.ts'
import { readLowBalance, setLowBalance } from './spend-alerts.ts'
import { type CapProblem, changeCaps, findCapProblems, readSpend } from './spend-caps.ts'

const { operations } = capRows

type CapOptions = { database: Database; clock: Clock; prices: Prices }

export function capRoutes({ database, clock, prices }: CapOptions): Hono<ServiceEnv> {
  const routes = new Hono<ServiceEnv>()

  const readCaps = async (tenantId: string): Promise<CapStates> => ({
    caps: await readSpend(database, tenantId, clock()),
  })
  serve(routes, operations.getSpendCaps, (context) => readCaps(context.get('tenantId')))

  serve(routes, operations.setSpendCaps, async (context, caps) => {
    const tenantId = context.get('tenantId')
    const tenant = await readTenant(database, tenantId, prices)
    if (tenant === null) throw forbidden()
    const problems = findCapProblems(caps, tenant)
    if (problems.length > 0) throw validationError(problems.map(explainCap))
    await changeCaps(context.get('act'), { tenantId, caps, nowMs: clock() })
    return readCaps(tenantId)
  })

  const readAlert = async (tenantId: string): Promise<LowBalanceAlert> => ({
    thresholdCredits: await readLowBalance(database, tenantId),
  })
  serve(routes, operations.getLowBalance, (context) => readAlert(context.get('tenantId')))

  serve(routes, operations.setLowBalance, async (context, { thresholdCredits: credits }) => {
    const tenantId = context.get('tenantId')
    await setLowBalance(context.get('act'), { tenantId, credits, nowMs: clock() })
    return readAlert(tenantId)
  })

  return routes
}

function explainCap({ purpose, period, why, priceCredits }: CapProblem): Problem {
  const expected =
    why === 'buys-nothing'
      ? `must be null, 0 or at least ${priceCredits}, the price of one`
      : 'must not be below the cap for an hour'
  return { path: `${purpose}.${period}`, expected }
}
