// A lender's balance and prices.
import { Hono } from 'hono'
import type { Wallet } from '../../contract/wallet.ts'
import { forbidden } from '../http/access.ts'
import type { ServiceEnv } from '../http/context.ts'
import { serve } from '../http/serve.ts'
import type { Database } from '../store/database.ts'
import { walletRows } from './operations.ts'
import { type Prices, readTenant } from './tenants.ts'

/** `matchPriceCredits` is null where the installation has no match provider. */
type WalletOptions = { database: Database; prices: Prices; matchPriceCredits: number | null }

export function walletRoutes({ database, prices, matchPriceCredits }: WalletOptions): Hono<ServiceEnv> {
  const routes = new Hono<ServiceEnv>()

  serve(routes, walletRows.operations.getWallet, async (context) => {
    const tenant = await readTenant(database, context.get('tenantId'), prices)
    if (tenant === null) throw forbidden()
    const { id: tenantId, balanceCredits, heldCredits, reportPriceCredits, smsPriceCredits } = tenant
    const credits = { balanceCredits, heldCredits, reportPriceCredits, smsPriceCredits }
    const wallet: Wallet = { tenantId, ...credits, ...(matchPriceCredits === null ? {} : { matchPriceCredits }) }
    return context.json(wallet)
  })

  return routes
}
