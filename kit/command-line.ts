// Reads the words and options of a command line, and prints lists.
import { type ParseArgsConfig, parseArgs } from 'node:util'

/** The arguments without a name, in order, and those given as `--option value`. */
export type Arguments = {
  words: readonly string[]
  options: { readonly [option: string]: string | boolean | undefined }
}

/** The command line is wrong; the message says what to write instead. Exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** `--option`, or `--option VALUE`; what is left of a usage without them is its words. */
const OPTION = /\[?--([a-z-]+)( [^\s[\]-][^\s\]]*)?\]?/g

export function readArguments(usage: string, typed: readonly string[]): Arguments {
  const options: NonNullable<ParseArgsConfig['options']> = {}
  for (const [, name = '', value] of usage.matchAll(OPTION)) options[name] = { type: value ? 'string' : 'boolean' }
  const expected = usage.replace(OPTION, '').split(' ').filter(Boolean)
  const { words, values } = parse(typed, options)
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
    return { words: positionals.map(asGiven), values: Object.fromEntries(named) as Arguments['options'] }
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
  { options, print }: Pick<Arguments, 'options'> & { print(line: string): void },
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

export function requireWord({ words }: Pick<Arguments, 'words'>, index: number, what: string): string {
  const word = words[index]
  if (word === undefined || word === '') throw new UsageError(`${what} is missing`)
  return word
}

export function readOption({ options }: Pick<Arguments, 'options'>, option: string): string | undefined {
  const value = options[option]
  return typeof value === 'string' ? value : undefined
}

const LIMIT_MAX = 1_000_000

/** The number of rows of a list to show. */
export function readLimit(input: Pick<Arguments, 'options'>, fallback: number): number {
  const text = readOption(input, 'limit') ?? String(fallback)
  const limit = /^\d{1,7}$/.test(text) ? Number(text) : 0
  if (limit >= 1 && limit <= LIMIT_MAX) return limit
  throw new UsageError(`--limit must be a whole number from 1 to ${LIMIT_MAX}, got "${text}"`)
}

// Ids are path segments and parts of other ids: nothing in them may need escaping.
const idShape = /^[a-z0-9](?:[a-z0-9-]{1,38}[a-z0-9])$/

export function requireId(id: string): string {
  if (idShape.test(id)) return id
  throw new UsageError(`an id has 3 to 40 lower-case letters, digits and hyphens, got "${id}"`)
}
