// Test support: the columns that a row of `credit_report` needs besides the ones a test is about.

/** For an INSERT of a report with this status. */
export const REPORT_COLUMNS = 'short_reference, history, ended_at_ms, ending'

const ENDINGS: { readonly [status: string]: string } = {
  complete: 'complete',
  blocked: 'risk',
  failed: 'interrupted',
  expired: 'timeout',
}

/** The values of `REPORT_COLUMNS`, as SQL. `ending`: how it ended, where that matters. */
export function reportValues(status: string, ending = ENDINGS[status]): string {
  return `'SHORTREF', '{}', ${ending === undefined ? 'NULL, NULL' : `1, '${ending}'`}`
}
