import { PersonQuery } from '../../contract/person-query.ts'
import { read } from '../../contract/problems.ts'
import { findReports, listReports } from '../../service/check/list-reports.ts'
import { describe } from '../../service/check/read-report.ts'
import { type Command, type CommandInput, printRows, readLimit, readOption, UsageError } from '../../service/command.ts'
import { deriveKeys } from '../../service/keys.ts'
import { requireTenantId } from '../admin/tenants.ts'
import { listAudit } from '../audit/store.ts'
import { eraseReport } from './erase-report.ts'
import { erasePerson, findReportsOf } from './people.ts'

const REPORTS_SHOWN = 50

export const findReportsCommand: Command = {
  name: 'report find',
  usage: 'TENANT [--reference REFERENCE] [--limit REPORTS] [--json]',
  summary:
    'lists a lender’s newest reports, or finds them by what a consumer reads out, an id, a request id or the lender’s own reference; nothing about people',
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

const PERSON = 'TENANT --last-name NAME --date-of-birth DATE --postcode POSTCODES'

const PERSON_OPTIONS = { lastName: 'last-name', dateOfBirth: 'date-of-birth', postcodes: 'postcode' } as const

function personOf(input: CommandInput): PersonQuery {
  const reading = read(PersonQuery, {
    lastName: readOption(input, PERSON_OPTIONS.lastName),
    dateOfBirth: readOption(input, PERSON_OPTIONS.dateOfBirth),
    postcodes: readOption(input, PERSON_OPTIONS.postcodes)?.split(','),
  })
  if (reading.ok) return reading.value
  const optionOf = (path: string) => PERSON_OPTIONS[path.replace(/\[.*/, '') as keyof typeof PERSON_OPTIONS]
  throw new UsageError(reading.problems.map(({ path, expected }) => `--${optionOf(path)} ${expected}`).join('; '))
}

export const personFindCommand: Command = {
  name: 'person find',
  usage: `${PERSON} [--json]`,
  summary: 'lists the ids of a lender’s reports about one person; several postcodes with commas between',
  role: 'reader',
  async run(input) {
    const tenantId = await requireTenantId(input)
    const keys = deriveKeys(input.config.secretKeys).indexes
    const ids: string[] = []
    let after: string | undefined
    do {
      const person = { ...personOf(input), ...(after === undefined ? {} : { after }) }
      const page = await findReportsOf(input.database, keys, { tenantId, person })
      ids.push(...page.creditReportIds)
      after = page.nextAfter
    } while (after !== undefined)
    printRows(
      input,
      ['creditReportId'],
      ids.map((creditReportId) => ({ creditReportId })),
    )
    return ids.length === 0 ? 1 : 0
  },
}

export const personEraseCommand: Command = {
  name: 'person erase',
  usage: PERSON,
  summary: 'erases everything a lender’s reports hold about one person, for good',
  role: 'operator',
  isFinal: () => true,
  async run(input) {
    const tenantId = await requireTenantId(input)
    const { database, act, nowMs, print } = input
    const keys = deriveKeys(input.config.secretKeys).indexes
    const erased = await erasePerson(database, keys, { tenantId, person: personOf(input), nowMs, act })
    if (erased.length > 0) await database.scrub('sealed_report')
    for (const id of erased) print(`erased ${id}`)
    if (erased.length === 0) print('nothing to erase')
    return erased.length === 0 ? 1 : 0
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

const LIMIT_DEFAULT = 100

export const auditCommand: Command = {
  name: 'audit',
  usage: '[--tenant TENANT] [--limit EVENTS] [--json]',
  summary: 'shows who did what, newest first; with --json also what was changed, and names',
  role: 'reader',
  async run(input) {
    const limit = readLimit(input, LIMIT_DEFAULT)
    const events = await listAudit(input.database, { tenantId: readOption(input, 'tenant') ?? null, limit })
    const rows = events.map(({ atMs, ...event }) => ({ at: new Date(atMs).toISOString(), ...event }))
    if (input.options.json === true) for (const row of rows) input.print(JSON.stringify(row))
    else printRows(input, ['at', 'tenantId', 'actorKind', 'actorId', 'action', 'object', 'address', 'outcome'], rows)
    return 0
  },
}
