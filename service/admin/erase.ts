import { eraseReport } from '../reports/erase-report.ts'
import { type Command, UsageError } from './command.ts'

export const eraseCommand: Command = {
  name: 'erase',
  usage: 'REPORT_ID…',
  summary: 'makes what is known about a consumer unreadable, for good; a challenge that is open ends',
  options: {},
  role: 'operator',
  async run({ words, database, nowMs, print }) {
    if (words.length === 0) throw new UsageError('the id of a credit report is missing')
    const missing: string[] = []
    for (const creditReportId of words) {
      if (await eraseReport(database, { creditReportId, nowMs })) print(`erased ${creditReportId}`)
      else missing.push(creditReportId)
    }
    await database.scrub('sealed_report')
    for (const creditReportId of missing) print(`nothing to erase: ${creditReportId}`)
    return missing.length === 0 ? 0 : 1
  },
}
