import { type Command, UsageError } from './command.ts'

export const eraseCommand: Command = {
  name: 'erase',
  usage: 'REPORT_ID…',
  summary: 'makes what is known about a consumer unreadable, for good',
  options: {},
  role: 'operator',
  async run({ words, database, print }) {
    if (words.length === 0) throw new UsageError('the id of a credit report is missing')
    const missing: string[] = []
    for (const reportId of words) {
      // The key goes with the row. What stays names nobody: ids, states and credits.
      const erased = await database.run('DELETE FROM sealed_report WHERE report_id = ?', reportId)
      if (erased === 0) missing.push(reportId)
      else print(`erased ${reportId}`)
    }
    await database.scrub('sealed_report')
    for (const reportId of missing) print(`nothing to erase: ${reportId}`)
    return missing.length === 0 ? 0 : 1
  },
}
