import { describe } from '../reports/read-report.ts'
import { listReports } from '../reports/store.ts'
import { type Command, readText, requireNoMoreWords, UsageError } from './command.ts'
import { requireTenantId } from './tenants.ts'

const REPORTS_SHOWN = 50

export const findReportsCommand: Command = {
  name: 'report find',
  usage: 'TENANT [--reference REFERENCE] [--limit REPORTS]',
  summary: 'lists a lender’s newest reports, or those under its own reference; nothing about people',
  options: { reference: { type: 'string' }, limit: { type: 'string' } },
  role: 'reader',
  async run(input) {
    const tenantId = await requireTenantId(input)
    requireNoMoreWords(input, 1)
    const limit = Number(readText(input, 'limit') ?? REPORTS_SHOWN)
    if (!Number.isInteger(limit) || limit < 1) throw new UsageError('--limit must be a whole number of reports')
    const externalReference = readText(input, 'reference')?.trim() ?? null
    const reports = await listReports(input.database, { tenantId, externalReference, after: null, limit })
    const moment = { nowMs: input.nowMs, lifetimeMs: input.config.challengeLifetimeMs }
    for (const report of reports) {
      const {
        createdAt,
        creditReportId,
        status,
        test,
        externalReference: reference,
      } = describe(report, moment, input.nowMs)
      const mode = test ? 'test' : 'live'
      input.print(`${createdAt}  ${mode}  ${status.padEnd(23)}  ${creditReportId}  ${reference ?? ''}`.trimEnd())
    }
    if (reports.length === 0) input.print('no reports')
    return reports.length === 0 ? 1 : 0
  },
}
