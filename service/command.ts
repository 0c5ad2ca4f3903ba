import { type ParseArgsConfig, parseArgs } from 'node:util'
import { CREDITS_MAX } from '../contract/limits.ts'
import type { Environment } from '../kit/setting-reader.ts'
import type { Config } from './config.ts'
import type { Acting, Tell } from './http/acting.ts'
import { readTenant } from './ledger/tenants.ts'
import type { Database, Queries } from './store/database.ts'
import type { Migration } from './store/migration.ts'

/** One thing an operator can ask for. */
export type Command = {
  /** Its words on the command line: `tenant create`. */
  name: string
  /** The arguments after the name: `ID --name NAME [--now]`. They are read by this text. */
  usage: string
  summary: string
  /** Its name in the audit trail. @default `admin` and its own name */
  action?: string
  /** True where the effect cannot be undone: on a terminal the operator then types it a second time. @default never */
  isFinal?(asked: Pick<CommandInput, 'words' | 'options'>): boolean
} & (
  | {
      /** Only reads, also beside a running service. */
      role: 'reader'
      /** Resolves to the exit code. */
      run(input: CommandInput): Promise<number>
    }
  | {
      role: 'operator'
      run(input: OperatorInput): Promise<number>
    }
  | {
      /** Opens the database itself, if at all. */
      role: 'offline'
      /** `noteBegun` is for what copies people's files: it leaves a line in the audit trail. */
      run(input: OfflineInput & { noteBegun(): Promise<void> }): Promise<number>
    }
)

export type CommandInput = {
  /** The arguments without a name, in order. */
  words: readonly string[]
  /** The arguments given as `--option value`. */
  options: { readonly [option: string]: string | boolean | undefined }
  config: Config
  environment: Environment
  database: Database
  /** Tells plugins what the command does, in its transaction. */
  plugins: CommandMoments
  /** The tables this version knows. */
  tables: readonly Migration[]
  nowMs: number
  print(line: string): void
}

/** The moments of plugins that a command can cause (plugin.ts). */
type CommandMoments = {
  enrol(queries: Queries, tenantId: string): Promise<unknown>
  erase(queries: Queries, creditReportId: string): Promise<unknown>
  act: Tell
}

type OperatorInput = CommandInput & {
  /** Runs its transactions, each with its line in the audit trail. */
  act: Acting
}

export type OfflineInput = Omit<CommandInput, 'database'> & {
  /** This command in the audit trail. */
  line(object: string | null): OperatorLine
}

/** The line of a command in the audit trail. */
export type OperatorLine = {
  atMs: number
  tenantId: string | null
  actorKind: 'operator'
  actorId: string
  actorName: null
  actorEmail: null
  action: string
  object: string | null
  address: null
}

/** The command line is wrong; the message says what to write instead. Exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** The command line is right, and what it asks for cannot be done; the message says why. Exit code 1. */
export class Refused extends Error {
  override readonly name = 'Refused'
}

/** `--option`, or `--option VALUE`; what is left of a usage without them is its words. */
const OPTION = /\[?--([a-z-]+)( [^\s[\]-][^\s\]]*)?\]?/g

export function readArguments({ usage }: Command, given: readonly string[]): Pick<CommandInput, 'words' | 'options'> {
  const options: NonNullable<ParseArgsConfig['options']> = {}
  for (const [, name = '', value] of usage.matchAll(OPTION)) options[name] = { type: value ? 'string' : 'boolean' }
  const expected = usage.replace(OPTION, '').split(' ').filter(Boolean)
  const { words, values } = parse(given, options)
  const extra = expected.at(-1)?.endsWith('…') ? undefined : words[expected.length]
  if (extra !== undefined) throw new UsageError(`"${extra}" is one word too many; put quotes around what has spaces`)
  return { words, options: values }
}

// The parser takes `-5` for an option. With a NUL, which no command line can contain, in place of the minus it does
// not.
const NEGATIVE = /^-(?=\d)/
const MINUS = '\0'

function parse(args: readonly string[], options: NonNullable<ParseArgsConfig['options']>) {
  try {
    const words = args.map((word) => word.replace(NEGATIVE, MINUS))
    const { positionals, values } = parseArgs({ args: words, options, allowPositionals: true })
    const named = Object.entries(values).map(([name, value]) => [name, asGiven(value)])
    return { words: positionals.map(asGiven), values: Object.fromEntries(named) as CommandInput['options'] }
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : 'the arguments cannot be read')
  }
}

function asGiven<T>(value: T): T | string {
  return typeof value === 'string' ? value.replace(MINUS, '-') : value
}

type Cell = string | number | boolean | null

/** Prints a list: with a heading, or with `--json` each row as a line of JSON. */
export function printRows<Column extends string>(
  { options, print }: Pick<CommandInput, 'options' | 'print'>,
  columns: readonly Column[],
  rows: readonly { readonly [column in Column]: Cell }[],
): void {
  if (options.json === true) {
    for (const row of rows) print(JSON.stringify(Object.fromEntries(columns.map((column) => [column, row[column]]))))
    return
  }
  const lines = [columns, ...rows.map((row) => columns.map((column) => shown(row[column])))]
  const widths = columns.map((_column, index) => Math.max(...lines.map((line) => line[index]?.length ?? 0)))
  for (const line of lines) {
    print(
      line
        .map((cell, index) => cell.padEnd(widths[index] ?? 0))
        .join('  ')
        .trimEnd(),
    )
  }
}

// Control, formatting and lone surrogate characters: they move a terminal's cursor, or make one name look like another.
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu

function shown(cell: Cell): string {
  if (cell === null) return '-'
  return String(cell).replace(UNSEEN, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`)
}

const NAME_LENGTH_MAX = 100

/** Words that people will read, on a phone, a page or a terminal. */
export function readName(given: string | undefined, what: string): string {
  const name = given?.trim() ?? ''
  if (name === '') throw new UsageError(`${what} is missing`)
  if (name.length > NAME_LENGTH_MAX) throw new UsageError(`${what} must have at most ${NAME_LENGTH_MAX} characters`)
  if (name.search(UNSEEN) === -1) return name
  throw new UsageError(`${what} must not contain control, direction or other invisible characters`)
}

export function requireWord({ words }: Pick<OfflineInput, 'words'>, index: number, what: string): string {
  const word = words[index]
  if (word === undefined || word === '') throw new UsageError(`${what} is missing`)
  return word
}

export function readOption({ options }: Pick<OfflineInput, 'options'>, option: string): string | undefined {
  const value = options[option]
  return typeof value === 'string' ? value : undefined
}

const LIMIT_MAX = 1_000_000

/** The number of rows of a list to show. */
export function readLimit(input: Pick<OfflineInput, 'options'>, fallback: number): number {
  const given = readOption(input, 'limit') ?? String(fallback)
  const limit = /^\d{1,7}$/.test(given) ? Number(given) : 0
  if (limit >= 1 && limit <= LIMIT_MAX) return limit
  throw new UsageError(`--limit must be a whole number from 1 to ${LIMIT_MAX}, got "${given}"`)
}

export function readCredits(given: string, what: string, min = 0): number {
  const credits = /^\d{1,15}$/.test(given) ? Number(given) : Number.NaN
  if (credits >= min && credits <= CREDITS_MAX) return credits
  throw new UsageError(`${what} must be a whole number of credits from ${min} to ${CREDITS_MAX}, got "${given}"`)
}

// Ids are path segments and parts of other ids: nothing in them may need escaping.
const idShape = /^[a-z0-9](?:[a-z0-9-]{1,38}[a-z0-9])$/

/** The first word, as the id of a tenant that exists. */
export async function requireTenantId(input: CommandInput): Promise<string> {
  const id = requireWord(input, 0, 'the tenant’s id')
  if ((await readTenant(input.database, id, input.config)) === null) throw new Refused(`there is no tenant "${id}"`)
  return id
}

export function requireId(id: string): string {
  if (idShape.test(id)) return id
  throw new UsageError(`an id has 3 to 40 lower-case letters, digits and hyphens, got "${id}"`)
}
