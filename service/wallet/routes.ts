// What a lender may see of its wallet.
import { Hono } from 'hono'
import * as z from 'zod/mini'
import { PageSize } from '../../contract/report-list.ts'
import type { Wallet, WalletLine, WalletLines } from '../../contract/wallet.ts'
import { walletOperations } from '../../openapi/wallet-operations.ts'
import { forbidden } from '../http/access.ts'
import { validationError } from '../http/api-error.ts'
import type { ServiceEnv } from '../http/context.ts'
import { readQuery } from '../http/read-query.ts'
import { serve } from '../http/serve.ts'
import type { Database } from '../store/database.ts'
import { type Prices, readTenant } from '../tenants/store.ts'
import { listLines, type StoredLine } from './store.ts'

const LinesQuery = z.object({
  /** The `nextBefore` of the page before. */
  before: z.optional(z.string()),
  /** Only the lines of one report and its texts. */
  creditReportId: z.optional(z.string()),
  limit: PageSize,
})

/** `matchPriceCredits` is null where the installation has no match provider. */
type WalletOptions = { database: Database; prices: Prices; matchPriceCredits: number | null }

export function walletRoutes({ database, prices, matchPriceCredits }: WalletOptions): Hono<ServiceEnv> {
  const routes = new Hono<ServiceEnv>()

  serve(routes, walletOperations.getWallet, async (context) => {
    const tenant = await readTenant(database, context.get('tenantId'), prices)
    if (tenant === null) throw forbidden()
    const { id: tenantId, balanceCredits, heldCredits, reportPriceCredits, smsPriceCredits } = tenant
    const credits = { balanceCredits, heldCredits, reportPriceCredits, smsPriceCredits }
    const wallet: Wallet = { tenantId, ...credits, ...(matchPriceCredits === null ? {} : { matchPriceCredits }) }
    return context.json(wallet)
  })

  serve(routes, walletOperations.listWalletLines, async (context) => {
    const { before = null, creditReportId = null, limit } = readQuery(context, LinesQuery)
    // One more than asked for says whether there is an older page.
    const found = await listLines(database, {
      tenantId: context.get('tenantId'),
      before,
      creditReportId,
      limit: limit + 1,
    })
    if (found === null) throw validationError([{ path: 'before', expected: 'must be the id of a line of this wallet' }])
    const lines = found.slice(0, limit).map(show)
    const nextBefore = found.length > limit ? lines.at(-1)?.id : undefined
    const page: WalletLines = { lines, ...(nextBefore === undefined ? {} : { nextBefore }) }
    return context.json(page)
  })

  return routes
}

function show({
  creditReportId,
  externalReference,
  holdId,
  createdAtMs,
  agencies,
  isMatch,
  reason,
  ...line
}: StoredLine): WalletLine {
  return {
    ...line,
    ...(isMatch ? { item: 'match' as const } : {}),
    ...(creditReportId === null ? {} : { creditReportId }),
    ...(externalReference === null ? {} : { externalReference }),
    ...(holdId === null ? {} : { holdId }),
    ...(agencies === null ? {} : { agencies }),
    createdAt: new Date(createdAtMs).toISOString(),
    ...(reason === null ? {} : { reason }),
  }
}
