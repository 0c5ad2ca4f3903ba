import { PersonQuery } from '../../contract/person-query.ts'
import { read } from '../../contract/problems.ts'
import { printRows, readOption, UsageError } from '../../kit/command-line.ts'
import { type Command, type CommandInput, requireTenantId } from '../../service/command.ts'
import { deriveKeys } from '../../service/keys.ts'
import { eraseReport } from './erase-report.ts'
import { erasePerson, findReportsOf } from './people.ts'

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
  summary: 'List the ids of a lender’s reports about one person; separate several postcodes with commas',
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
  summary: 'Erase everything a lender’s reports hold about one person, for good',
  role: 'operator',
  isFinal: () => true,
  async run(input) {
    const tenantId = await requireTenantId(input)
    const { database, act, nowMs, print } = input
    const keys = deriveKeys(input.config.secretKeys).indexes
    const erased = await erasePerson(database, keys, {
      tenantId,
      person: personOf(input),
      nowMs,
      act,
      plugins: input.plugins,
    })
    if (erased.length > 0) await database.scrub('sealed_report')
    for (const id of erased) print(`erased ${id}`)
    if (erased.length === 0) print('nothing to erase')
    return erased.length === 0 ? 1 : 0
  },
}

export const eraseCommand: Command = {
  name: 'erase',
  usage: 'REPORT_ID…',
  summary: 'Erase what is known about a consumer, for good; an open challenge ends',
  role: 'operator',
  isFinal: () => true,
  async run({ words, act, database, nowMs, plugins, print }) {
    if (words.length === 0) throw new UsageError('the id of a credit report is missing')
    const missing: string[] = []
    for (const creditReportId of words) {
      if (await eraseReport(database, { creditReportId, nowMs, act, plugins })) print(`erased ${creditReportId}`)
      else missing.push(creditReportId)
    }
    await database.scrub('sealed_report')
    for (const creditReportId of missing) print(`nothing to erase: ${creditReportId}`)
    return missing.length === 0 ? 0 : 1
  },
}
