import { eraseReport } from '../reports/erase-report.ts'
import { describe } from '../reports/read-report.ts'
import { listReports } from '../reports/store.ts'
import { type Command, printRows, readLimit, readOption, UsageError } from './command.ts'
import { requireTenantId } from './tenants.ts'

const REPORTS_SHOWN = 50

export const findReportsCommand: Command = {
  name: 'report find',
  usage: 'TENANT [--reference REFERENCE] [--limit REPORTS] [--json]',
  summary: 'lists a lender’s newest reports, or those under its own reference; nothing about people',
  role: 'reader',
  async run(input) {
    const tenantId = await requireTenantId(input)
    const limit = readLimit(input, REPORTS_SHOWN)
    const externalReference = readOption(input, 'reference')?.trim() ?? null
    const reports = await listReports(input.database, { tenantId, externalReference, after: null, limit })
    const moment = { nowMs: input.nowMs, lifetimeMs: input.config.challengeLifetimeMs }
    const rows = reports.map((report) => {
      const {
        createdAt,
        test,
        status,
        creditReportId,
        externalReference = null,
      } = describe(report, moment, input.nowMs)
      return { createdAt, mode: test ? 'test' : 'live', status, creditReportId, externalReference }
    })
    printRows(input, ['createdAt', 'mode', 'status', 'creditReportId', 'externalReference'], rows)
    return reports.length === 0 ? 1 : 0
  },
}

export const eraseCommand: Command = {
  name: 'erase',
  usage: 'REPORT_ID…',
  summary: 'makes what is known about a consumer unreadable, for good; a challenge that is open ends',
  role: 'operator',
  isFinal: () => true,
  async run({ words, act, database, nowMs, print }) {
    if (words.length === 0) throw new UsageError('the id of a credit report is missing')
    const missing: string[] = []
    for (const creditReportId of words) {
      if (await eraseReport(database, { creditReportId, nowMs, act })) print(`erased ${creditReportId}`)
      else missing.push(creditReportId)
    }
    await database.scrub('sealed_report')
    for (const creditReportId of missing) print(`nothing to erase: ${creditReportId}`)
    return missing.length === 0 ? 0 : 1
  },
}
