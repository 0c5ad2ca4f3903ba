import { type ParseArgsConfig, parseArgs } from 'node:util'
import type { Act, ActedBy } from '../audit/act.ts'
import type { Config } from '../config.ts'
import type { Database } from '../store/database.ts'
import type { Migration } from '../store/migration.ts'
import { CREDITS_MAX } from '../wallet/spend.ts'

/** One thing an operator can ask for. */
export type Command = {
  /** How it is called: `tenant create`. */
  name: string
  /** What follows the name, and with it which arguments are taken: `ID --name NAME [--now]`. */
  usage: string
  summary: string
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
  /** What was given without a name, in order. */
  words: readonly string[]
  /** What was given as `--option value`. */
  options: { readonly [option: string]: string | boolean | undefined }
  config: Config
  database: Database
  /** The tables this version knows. */
  tables: readonly Migration[]
  nowMs: number
  print(line: string): void
}

type OperatorInput = CommandInput & {
  /** Runs its transactions, each with its line in the audit trail. */
  act: Act
}

export type OfflineInput = Omit<CommandInput, 'database'> & {
  /** This command in the audit trail. */
  line(object: string | null): ActedBy
}

/** The command line is wrong; the message says what to write instead. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
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

function parse(args: readonly string[], options: NonNullable<ParseArgsConfig['options']>) {
  try {
    const { positionals, values } = parseArgs({ args: [...args], options, allowPositionals: true })
    return { words: positionals, values: values as CommandInput['options'] }
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : 'the arguments cannot be read')
  }
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

export function readCredits(given: string, what: string, min = 0): number {
  const credits = /^\d{1,15}$/.test(given) ? Number(given) : Number.NaN
  if (credits >= min && credits <= CREDITS_MAX) return credits
  throw new UsageError(`${what} must be a whole number of credits from ${min} to ${CREDITS_MAX}, got "${given}"`)
}
