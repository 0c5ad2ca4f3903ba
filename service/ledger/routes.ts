// What a lender may see of its wallet.
import { Hono } from 'hono'
import type { Problem } from '../../contract/problems.ts'
import type { Statement, StatementLine } from '../../contract/statement.ts'
import type { CapStates, Holds, LowBalanceAlert, Wallet, WalletLine, WalletLines } from '../../contract/wallet.ts'
import type { Clock } from '../../kit/clock.ts'
import { walletOperations } from '../../openapi/wallet-operations.ts'
import { setLowBalance } from '../../plugins/limits/spend-alerts.ts'
import { type CapProblem, changeCaps, findCapProblems, readSpend } from '../../plugins/limits/spend-caps.ts'
import { type BookedLine, listBooked, listHolds, readMonth } from '../../plugins/statement/statement.ts'
import { forbidden } from '../http/access.ts'
import { validationError } from '../http/api-error.ts'
import type { ServiceEnv } from '../http/context.ts'
import { serve } from '../http/serve.ts'
import type { Database } from '../store/database.ts'
import { pageOf } from '../store/page.ts'
import { listLines, type StoredLine } from './ledger.ts'
import { type Prices, readTenant } from './tenants.ts'

/** `matchPriceCredits` is null where the installation has no match provider. */
type WalletOptions = { database: Database; clock: Clock; prices: Prices; matchPriceCredits: number | null }

export function walletRoutes({ database, clock, prices, matchPriceCredits }: WalletOptions): Hono<ServiceEnv> {
  const routes = new Hono<ServiceEnv>()

  serve(routes, walletOperations.getWallet, async (context) => {
    const tenant = await readTenant(database, context.get('tenantId'), prices)
    if (tenant === null) throw forbidden()
    const { id: tenantId, balanceCredits, heldCredits, reportPriceCredits, smsPriceCredits } = tenant
    const credits = { balanceCredits, heldCredits, reportPriceCredits, smsPriceCredits }
    const wallet: Wallet = { tenantId, ...credits, ...(matchPriceCredits === null ? {} : { matchPriceCredits }) }
    return context.json(wallet)
  })

  serve(routes, walletOperations.listWalletLines, async (context, _body, query) => {
    const { before = null, creditReportId = null, limit } = query
    const found = await listLines(database, {
      tenantId: context.get('tenantId'),
      before,
      creditReportId,
      limit: limit + 1,
    })
    if (found === null) throw validationError([{ path: 'before', expected: 'must be the id of a line of this wallet' }])
    const { rows, last } = pageOf(found, limit)
    const page: WalletLines = { lines: rows.map(show), ...(last && { nextBefore: last.id }) }
    return context.json(page)
  })

  serve(routes, walletOperations.getStatement, async (context, _body, { month, after = null, limit }) => {
    const tenantId = context.get('tenantId')
    // One moment, so that the first page of a running month has the totals of its lines.
    const [totals, found] = await database.snapshot(async (queries) => [
      await readMonth(queries, { tenantId, month }),
      await listBooked(queries, { tenantId, month, after, limit: limit + 1 }),
    ])
    if (found === null) throw unknownCursor()
    const { items, ...sums } = totals
    const { rows, last } = pageOf(found, limit)
    const next = last && { nextAfter: last.id }
    const statement: Statement = { ...sums, totals: items, lines: rows.map(showBooked), ...next }
    return context.json(statement)
  })

  serve(routes, walletOperations.listHolds, async (context, _body, { after = null, limit }) => {
    const found = await listHolds(database, { tenantId: context.get('tenantId'), after, limit: limit + 1 })
    if (found === null) throw unknownCursor()
    const { rows, last } = pageOf(found, limit)
    const holds: Holds = {
      holds: rows.map(({ externalReference, createdAtMs, ...hold }) => ({
        ...hold,
        ...(externalReference === null ? {} : { externalReference }),
        createdAt: new Date(createdAtMs).toISOString(),
      })),
      ...(last && { nextAfter: last.id }),
    }
    return context.json(holds)
  })

  const readCaps = async (tenantId: string): Promise<CapStates> => ({
    caps: await readSpend(database, tenantId, clock()),
  })
  serve(routes, walletOperations.getSpendCaps, async (context) => context.json(await readCaps(context.get('tenantId'))))

  serve(routes, walletOperations.setSpendCaps, async (context, caps) => {
    const tenantId = context.get('tenantId')
    const tenant = await readTenant(database, tenantId, prices)
    if (tenant === null) throw forbidden()
    const problems = findCapProblems(caps, tenant)
    if (problems.length > 0) throw validationError(problems.map(explainCap))
    await changeCaps(context.get('act'), { tenantId, caps, nowMs: clock() })
    return context.json(await readCaps(tenantId))
  })

  const readAlert = async (tenantId: string): Promise<LowBalanceAlert> => {
    const tenant = await readTenant(database, tenantId, prices)
    return { thresholdCredits: tenant?.lowBalanceCredits ?? null }
  }
  serve(routes, walletOperations.getLowBalance, async (context) =>
    context.json(await readAlert(context.get('tenantId'))),
  )

  serve(routes, walletOperations.setLowBalance, async (context, { thresholdCredits: credits }) => {
    const tenantId = context.get('tenantId')
    await setLowBalance(context.get('act'), { tenantId, credits, nowMs: clock() })
    return context.json(await readAlert(tenantId))
  })

  return routes
}

function unknownCursor() {
  return validationError([{ path: 'after', expected: 'must be the nextAfter of an earlier page' }])
}

function explainCap({ purpose, period, why, priceCredits }: CapProblem): Problem {
  const expected =
    why === 'buys-nothing'
      ? `must be null, 0 or at least ${priceCredits}, the price of one`
      : 'must not be below the cap for an hour'
  return { path: `${purpose}.${period}`, expected }
}

function showBooked({
  creditReportId,
  externalReference,
  createdAtMs,
  agencies,
  reason,
  ...line
}: BookedLine): StatementLine {
  return {
    ...line,
    ...(creditReportId === null ? {} : { creditReportId }),
    ...(externalReference === null ? {} : { externalReference }),
    ...(agencies === null ? {} : { agencies }),
    createdAt: new Date(createdAtMs).toISOString(),
    ...(reason === null ? {} : { reason }),
  }
}

function show({
  creditReportId,
  externalReference,
  holdId,
  createdAtMs,
  agencies,
  reason,
  ...line
}: StoredLine): WalletLine {
  return {
    ...line,
    ...(creditReportId === null ? {} : { creditReportId }),
    ...(externalReference === null ? {} : { externalReference }),
    ...(holdId === null ? {} : { holdId }),
    ...(agencies === null ? {} : { agencies }),
    createdAt: new Date(createdAtMs).toISOString(),
    ...(reason === null ? {} : { reason }),
  }
}
