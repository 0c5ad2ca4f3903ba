// The lines of a lender's wallet: all of them, those of a month, and what is held now.
import { Hono } from 'hono'
import type { StatementLine } from '../../contract/statement.ts'
import type { WalletLine } from '../../contract/wallet.ts'
import type { Clock } from '../../kit/clock.ts'
import { unknownCursor, validationError } from '../../service/http/api-error.ts'
import type { ServiceEnv } from '../../service/http/context.ts'
import { serve } from '../../service/http/serve.ts'
import { listLines, type StoredLine } from '../../service/ledger/ledger.ts'
import type { Database } from '../../service/store/database.ts'
import { pageOf } from '../../service/store/rows.ts'
import { statementRows } from './operations.ts'
import { type BookedLine, listBooked, listHolds, monthOf, readMonth } from './statement.ts'

const { operations } = statementRows

export function statementRoutes({ database, clock }: { database: Database; clock: Clock }): Hono<ServiceEnv> {
  const routes = new Hono<ServiceEnv>()

  async function isReport(id: string, tenantId: string): Promise<boolean> {
    return (
      (await database.first<{ id: string }>(
        'SELECT id FROM credit_report WHERE id = ? AND tenant_id = ?',
        id,
        tenantId,
      )) !== null
    )
  }

  serve(routes, operations.listWalletLines, async (context, _body, query) => {
    const { after: before = null, creditReportId = null, limit } = query
    const found = await listLines(database, {
      tenantId: context.get('tenantId'),
      before,
      creditReportId,
      limit: limit + 1,
    })
    if (found === null) throw unknownCursor()
    if (creditReportId !== null && found.length === 0 && !(await isReport(creditReportId, context.get('tenantId'))))
      throw validationError([{ path: 'creditReportId', expected: 'must be the id of one of your reports' }])
    const { rows, last } = pageOf(found, limit)
    return { lines: rows.map(show), ...(last && { nextAfter: last.id }) }
  })

  serve(routes, operations.getStatement, async (context, _body, { month, after = null, limit }) => {
    const tenantId = context.get('tenantId')
    if (month > monthOf(clock()))
      throw validationError([{ path: 'month', expected: 'must not be later than this month' }])
    // One moment, so that the first page of a running month has the totals of its lines.
    const [totals, found] = await database.snapshot(async (queries) => [
      await readMonth(queries, { tenantId, month }),
      await listBooked(queries, { tenantId, month, after, limit: limit + 1 }),
    ])
    if (found === null) throw unknownCursor()
    const { items, ...sums } = totals
    const { rows, last } = pageOf(found, limit)
    const next = last && { nextAfter: last.id }
    return { ...sums, totals: items, lines: rows.map(showBooked), ...next }
  })

  serve(routes, operations.listHolds, async (context, _body, { after = null, limit }) => {
    const found = await listHolds(database, { tenantId: context.get('tenantId'), after, limit: limit + 1 })
    if (found === null) throw unknownCursor()
    const { rows, last } = pageOf(found, limit)
    return {
      holds: rows.map(({ credits, externalReference, createdAtMs, ...hold }) => ({
        ...hold,
        credits: -credits,
        ...(externalReference === null ? {} : { externalReference }),
        createdAt: new Date(createdAtMs).toISOString(),
      })),
      ...(last && { nextAfter: last.id }),
    }
  })

  return routes
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
  credits,
  creditReportId,
  externalReference,
  holdId,
  createdAtMs,
  agencies,
  reason,
  ...line
}: StoredLine): WalletLine {
  const isLess = line.kind === 'hold' || line.kind === 'capture'
  return {
    ...line,
    credits: isLess ? -credits : credits,
    ...(creditReportId === null ? {} : { creditReportId }),
    ...(externalReference === null ? {} : { externalReference }),
    ...(holdId === null ? {} : { holdId }),
    ...(agencies === null ? {} : { agencies }),
    createdAt: new Date(createdAtMs).toISOString(),
    ...(reason === null ? {} : { reason }),
  }
}
