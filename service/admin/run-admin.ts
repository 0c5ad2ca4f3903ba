// The operator's commands, as `npm run admin -- …` and `npx credit-report-service admin …` run them.
import { userInfo } from 'node:os'
import { type ActedBy, createAct } from '../audit/act.ts'
import { type Config, type Environment, readConfig } from '../config.ts'
import { failureLine } from '../explain-failure.ts'
import type { Migration } from '../store/migration.ts'
import { openDatabase } from '../store/open-database.ts'
import { auditCommand } from './audit.ts'
import { backupCommands } from './backup.ts'
import { capsCommand } from './caps.ts'
import { type Command, readArguments, UsageError } from './command.ts'
import { migrateCommand } from './migrate.ts'
import { eraseCommand, findReportsCommand, personEraseCommand, personFindCommand, retentionCommand } from './reports.ts'
import { tenantCommands } from './tenants.ts'
import { verifyCommand } from './verify.ts'
import { ledgerCommand, reconcileCommand, topUpCommand } from './wallet.ts'
import { webhookCommands } from './webhooks.ts'

export const serviceCommands: readonly Command[] = [
  ...tenantCommands,
  topUpCommand,
  capsCommand,
  auditCommand,
  ledgerCommand,
  reconcileCommand,
  findReportsCommand,
  ...webhookCommands,
  eraseCommand,
  personFindCommand,
  personEraseCommand,
  retentionCommand,
  migrateCommand,
  ...backupCommands,
  verifyCommand,
]

/** Exit code of a command that could not be run, as opposed to one that found something wrong. */
const NOT_RUN = 2

const HELP = ['--help', '-h']

type AdminOptions = {
  /** Every command there is. */
  commands: readonly Command[]
  /** The tables of the database they work on. */
  tables: readonly Migration[]
  environment: Environment
  print(line: string): void
  /** Where it says why something could not be done. */
  complain(line: string): void
}

/** Resolves to the exit code. */
export async function runAdmin(
  given: readonly string[],
  { commands, tables, environment, print, complain }: AdminOptions,
): Promise<number> {
  const found = findCommand(commands, given)
  if (found === null) {
    const asked = given.length === 0 || ['help', ...HELP].includes(given[0] ?? '')
    const say = asked ? print : complain
    if (!asked) say(`there is no command "${given.join(' ')}"`)
    for (const line of usage(commands)) say(line)
    return asked ? 0 : NOT_RUN
  }
  const { command, rest } = found
  if (rest.some((word) => HELP.includes(word))) {
    print(`usage: admin ${wordsOf(command)}`)
    print(`      ${command.summary}`)
    return 0
  }
  try {
    const asked = readArguments(command, rest)
    const config = readConfig(environment)
    const input = { ...asked, config, tables, nowMs: Date.now(), print }
    if (command.role === 'offline')
      return await command.run({ ...input, noteBegun: () => writeBegun(command, asked.words, { config, tables }) })
    const database = await openDatabase(config, { migrations: tables, role: command.role })
    try {
      if (command.role === 'reader') return await command.run({ ...input, database })
      const act = createAct(database, () => [lineOf(command, asked.words)])
      const code = await command.run({ ...input, database, act }).catch(async (error: unknown) => {
        await act.note('failed', { isFailure: true })
        throw error
      })
      await act.note(code === 0 ? 'done' : 'failed', { isFailure: code !== 0 })
      return code
    } finally {
      await database.close()
    }
  } catch (error) {
    complain(error instanceof UsageError ? error.message : failureLine('could not be done', error))
    if (error instanceof UsageError) complain(`usage: admin ${wordsOf(command)}`)
    return NOT_RUN
  }
}

function lineOf({ name, usage }: Command, words: readonly string[]): ActedBy {
  return {
    atMs: Date.now(),
    // So that the lender's own audit page shows it too.
    tenantId: usage.startsWith('TENANT') ? (words[0] ?? null) : null,
    actorKind: 'operator',
    actorId: userInfo().username,
    actorName: null,
    actorEmail: null,
    action: `admin ${name}`,
    object: words.join(' ') || null,
    address: null,
  }
}

/** A copy of everything leaves a line before anything is read, also when the copy fails. */
async function writeBegun(
  command: Command,
  words: readonly string[],
  { config, tables }: { config: Config; tables: readonly Migration[] },
): Promise<void> {
  const database = await openDatabase(config, { migrations: tables, role: 'operator' })
  await createAct(database, () => [lineOf(command, words)])
    .note('begun', { isFailure: false })
    .finally(() => database.close())
}

function findCommand(
  commands: readonly Command[],
  given: readonly string[],
): { command: Command; rest: readonly string[] } | null {
  for (const command of commands) {
    const words = command.name.split(' ')
    if (words.every((word, index) => given[index] === word)) return { command, rest: given.slice(words.length) }
  }
  return null
}

function usage(commands: readonly Command[]): string[] {
  const lines = commands.map((command) => `  ${wordsOf(command)}\n      ${command.summary}`)
  return [
    'usage: admin COMMAND',
    '',
    ...lines,
    '',
    'The database is the service’s: DATABASE_URL, or the file below DATA_DIR.',
  ]
}

/** A command as it is typed. */
function wordsOf({ name, usage: parameters }: Command): string {
  return `${name} ${parameters}`.trimEnd()
}
