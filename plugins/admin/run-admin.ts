// The operator's commands, as `npm run admin -- …` and `npx credit-report-service admin …` run them.
import { userInfo } from 'node:os'
import { readArguments, UsageError } from '../../kit/command-line.ts'
import { openDatabase } from '../../plugins/postgres/open-database.ts'
import { type Command, type CommandInput, type OperatorLine, Refused } from '../../service/command.ts'
import type { Config, Environment } from '../../service/config.ts'
import { failureLine } from '../../service/explain-failure.ts'
import { createActing, type Tell } from '../../service/http/acting.ts'
import { ApiError } from '../../service/http/api-error.ts'
import type { Database } from '../../service/store/database.ts'
import { dialectOf, type Migration, missingOf, OtherVersion } from '../../service/store/migration.ts'
import { readConfig } from '../settings.ts'

/** Exit codes besides 0: what was asked for was refused, failed or found something wrong; and a wrong command line. */
const FAILED = 1
const WRONG_USAGE = 2

const HELP = ['--help', '-h']

type AdminOptions = {
  /** Every command there is. */
  commands: readonly Command[]
  /** The tables of the database they work on. */
  tables: readonly Migration[]
  plugins: CommandInput['plugins']
  environment: Environment
  print(line: string): void
  /** Prints the reason of a failure. */
  complain(line: string): void
  /** Reads a line from the operator. @default there is no terminal: what is given on the command line counts */
  ask?: (question: string) => Promise<string>
}

/** Resolves to the exit code. */
export async function runAdmin(given: readonly string[], options: AdminOptions): Promise<number> {
  const { commands, tables, environment, print, complain, ask, plugins } = options
  const words = given.filter((word, index) => !HELP.includes(word) && !(index === 0 && word === 'help'))
  const isHelp = words.length < given.length || given.length === 0
  const found = findCommand(commands, words)
  if (isHelp || found === null) {
    const group = found ? [found.command] : commands.filter(({ name }) => startsWith(name, words))
    if (group.length === 0) complain(noCommand(commands, words))
    for (const line of helpOf(group)) (isHelp ? print : complain)(line)
    return isHelp && group.length > 0 ? 0 : WRONG_USAGE
  }
  const { command, rest } = found
  try {
    const asked = readArguments(command.usage, rest)
    if (ask && command.isFinal?.(asked) && !(await isConfirmed(command, asked.words, ask))) {
      throw new Refused('not confirmed: nothing was changed')
    }
    const config = readConfig(environment)
    const input = { ...asked, config, environment, tables, nowMs: Date.now(), print }
    if (command.role === 'offline') {
      const noteBegun = () => writeBegun(command, asked.words, { config, tables, tell: plugins.act })
      return await command.run({ ...input, plugins, noteBegun, line: (object) => ({ ...lineOf(command, []), object }) })
    }
    const database = await openDatabase(config, { migrations: tables, role: command.role })
    try {
      if (command.role === 'reader')
        return await command.run({ ...input, plugins, database }).catch(orTooOld(database, tables))
      const act = createActing(database, plugins.act, () => [lineOf(command, asked.words)])
      const code = await command.run({ ...input, plugins, database, act }).catch(async (error: unknown) => {
        await act.note('failed', { isFailure: true })
        throw error
      })
      if (code !== 0) await act.note('failed', { isFailure: true })
      return code
    } finally {
      await database.close()
    }
  } catch (error) {
    const isOurs = error instanceof UsageError || error instanceof Refused || error instanceof ApiError
    complain(isOurs ? error.message : failureLine('could not be done', error))
    if (!(error instanceof UsageError)) return FAILED
    complain(`usage: admin ${wordsOf(command)}`)
    return WRONG_USAGE
  }
}

/** A command that only reads does not bring the tables up to date: of an older version's, some may be missing. */
const orTooOld = (database: Database, tables: readonly Migration[]) => async (error: unknown) => {
  if (error instanceof Refused) throw error
  const missing = await missingOf(database, dialectOf(database), tables).catch((refused: unknown) => {
    throw refused instanceof OtherVersion ? refused : error
  })
  if (missing.length === 0) throw error
  throw new Refused(
    'the tables are missing or of an older version: run "migrate", or start this version of the service',
  )
}

/** For commands that cannot be undone. */
async function isConfirmed(
  { name }: Command,
  words: readonly string[],
  ask: NonNullable<AdminOptions['ask']>,
): Promise<boolean> {
  const word = words.at(-1) ?? name
  return (await ask(`"${name}" cannot be taken back. Type ${word} to go on: `)).trim() === word
}

function lineOf({ name, usage, action }: Command, words: readonly string[]): OperatorLine {
  return {
    atMs: Date.now(),
    // So that the lender's own audit page shows it too.
    tenantId: usage.startsWith('TENANT') ? (words[0] ?? null) : null,
    actorKind: 'operator',
    actorId: userInfo().username,
    actorName: null,
    actorEmail: null,
    action: action ?? `admin ${name}`,
    object: (action === undefined ? words : words.slice(1)).join(' ') || null,
    address: null,
  }
}

/** A backup is recorded before anything is read, so that a failed one is recorded too. */
async function writeBegun(
  command: Command,
  words: readonly string[],
  { config, tables, tell }: { config: Config; tables: readonly Migration[]; tell: Tell },
): Promise<void> {
  const database = await openDatabase(config, { migrations: tables, role: 'operator' })
  await createActing(database, tell, () => [lineOf(command, words)])
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

/** True when a command's name starts with the words; every name starts with none. */
function startsWith(name: string, words: readonly string[]): boolean {
  return words.every((word, index) => name.split(' ')[index] === word)
}

function noCommand(commands: readonly Command[], words: readonly string[]): string {
  const distances = commands.map(({ name }) => {
    const typed = words.slice(0, name.split(' ').length).join(' ')
    return { name, distance: distanceOf(typed, name) }
  })
  const nearest = distances.sort((one, other) => one.distance - other.distance)[0]
  const hint = nearest && nearest.distance <= NEAR ? `did you mean "${nearest.name}"?` : '"admin help" lists them'
  return `there is no command "${words.slice(0, 2).join(' ')}"; ${hint}`
}

/** The number of letters by which two words may differ. */
const NEAR = 3

/** The number of letters to add, remove or change. */
function distanceOf(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (const [index, letter] of [...one.slice(0, 40)].entries()) {
    const next = [index + 1]
    for (let at = 0; at < other.length; at += 1) {
      const changed = (row[at] ?? 0) + (letter === other[at] ? 0 : 1)
      next.push(Math.min(changed, (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}

/** Of one command, or of several. */
function helpOf(commands: readonly Command[]): string[] {
  const [one] = commands
  if (one === undefined) return []
  if (commands.length === 1) return [`usage: admin ${wordsOf(one)}`, `      ${one.summary}`]
  return [
    'usage: admin COMMAND',
    '',
    ...commands.map((command) => `  ${wordsOf(command)}\n      ${command.summary}`),
    '',
    'Exit codes: 0 done, 1 refused or failed, 2 a wrong command line.',
    'The database is the service’s: DATABASE_URL, or the file below DATA_DIR.',
  ]
}

/** A command as it is typed. */
function wordsOf({ name, usage: parameters }: Command): string {
  return `${name} ${parameters}`.trimEnd()
}
