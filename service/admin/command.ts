import { parseArgs } from 'node:util'
import type { Config } from '../config.ts'
import type { Database } from '../store/database.ts'
import type { Migration } from '../store/migration.ts'

/** One thing an operator can ask for. */
export type Command = {
  /** How it is called: `tenant create`. */
  name: string
  /** What follows the name: `ID --name NAME`. */
  usage: string
  summary: string
  options: { [option: string]: { type: 'string' | 'boolean' } }
} & (
  | {
      /** `reader`: it changes nothing, and works beside anything. */
      role: 'reader' | 'operator'
      /** Resolves to the exit code. */
      run(input: CommandInput): Promise<number>
    }
  | {
      /** Opens the database itself, if at all. */
      role: 'offline'
      run(input: OfflineInput): Promise<number>
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

export type OfflineInput = Omit<CommandInput, 'database'>

/** What was asked for cannot be done as it was asked; the message says what to write instead. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'UsageError'
  }
}

export function readArguments(command: Command, given: readonly string[]): Pick<CommandInput, 'words' | 'options'> {
  try {
    const { positionals, values } = parseArgs({ args: [...given], options: command.options, allowPositionals: true })
    return { words: positionals, options: values }
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : 'the arguments cannot be read')
  }
}

export function requireWord({ words }: OfflineInput, index: number, what: string): string {
  const word = words[index]
  if (word === undefined || word === '') throw new UsageError(`${what} is missing`)
  return word
}

export function requireNoMoreWords({ words }: OfflineInput, count: number): void {
  const extra = words[count]
  if (extra !== undefined) throw new UsageError(`"${extra}" is one word too many; put quotes around what has spaces`)
}

export function readText({ options }: OfflineInput, option: string): string | undefined {
  const value = options[option]
  return typeof value === 'string' ? value : undefined
}

const CREDITS_MAX = 1_000_000_000_000

export function readCredits(text: string, what: string, min = 0): number {
  const credits = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
  if (credits >= min && credits <= CREDITS_MAX) return credits
  throw new UsageError(`${what} must be a whole number of credits from ${min} to ${CREDITS_MAX}, got "${text}"`)
}
