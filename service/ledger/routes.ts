// A lender's balance and prices.
import { Hono } from 'hono'
import { forbidden } from '../http/access.ts'
import type { ServiceEnv } from '../http/context.ts'
import { serve } from '../http/serve.ts'
import type { Database } from '../store/database.ts'
import { walletRows } from './operations.ts'
import { type Prices, readTenant } from './tenants.ts'

type WalletOptions = {
  database: Database
  prices: Prices
  /** Null where the installation has no match provider. */
  matchPriceCredits: number | null
  bureaus: readonly string[]
  /** Providers whose answers are invented. */
  simulated: readonly string[]
}

export function walletRoutes({ database, prices, ...site }: WalletOptions): Hono<ServiceEnv> {
  const about = {
    ...(site.matchPriceCredits === null ? {} : { matchPriceCredits: site.matchPriceCredits }),
    bureaus: [...site.bureaus],
    ...(site.simulated.length === 0 ? {} : { simulated: [...site.simulated] }),
  }
  const routes = new Hono<ServiceEnv>()

  serve(routes, walletRows.operations.getWallet, async (context) => {
    const tenant = await readTenant(database, context.get('tenantId'), prices)
    if (tenant === null) throw forbidden()
    const { id: tenantId, balanceCredits, heldCredits, reportPriceCredits, textPriceCredits } = tenant
    const credits = { balanceCredits, heldCredits, reportPriceCredits, textPriceCredits }
    return { tenantId, ...credits, ...about }
  })

  return routes
}
