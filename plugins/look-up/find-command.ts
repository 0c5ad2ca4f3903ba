import { printRows, readLimit, readOption } from '../../kit/command-line.ts'
import { listReports } from '../../service/check/list-reports.ts'
import { describe } from '../../service/check/read-report.ts'
import { type Command, requireTenantId } from '../../service/command.ts'
import { findReports } from './find-reports.ts'

const REPORTS_SHOWN = 50

export const findReportsCommand: Command = {
  name: 'report find',
  usage: 'TENANT [--reference REFERENCE] [--limit REPORTS] [--json]',
  summary:
    'List a lender’s newest reports, or find them by the consumer’s short reference, an id, a request id or the lender’s own reference; nothing about people',
  role: 'reader',
  async run(input) {
    const tenantId = await requireTenantId(input)
    const limit = readLimit(input, REPORTS_SHOWN)
    const { database, nowMs } = input
    const typed = readOption(input, 'reference')
    const reports =
      typed === undefined
        ? await listReports(database, { tenantId, externalReference: null, after: null, limit })
        : await findReports(database, { tenantId, typed, limit })
    const moment = { nowMs, lifetimeMs: input.config.challengeLifetimeMs }
    const rows = reports.map((report) => {
      const item = describe(report, moment, nowMs)
      const { test, externalReference = null, reference, reason = null, ...rest } = item
      return { ...rest, mode: test ? 'test' : 'live', reason, reference, externalReference }
    })
    const columns = [
      'createdAt',
      'mode',
      'status',
      'reason',
      'reference',
      'creditReportId',
      'externalReference',
    ] as const
    printRows(input, columns, rows)
    return reports.length === 0 ? 1 : 0
  },
}
