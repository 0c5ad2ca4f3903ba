// An act as an operator's command: words name what it is done to, options say the rest.
import type * as z from 'zod/mini'
import { type Problem, read, readProblems } from '../contract/problems.ts'
import { printRows, requireWord, UsageError } from '../kit/command-line.ts'
import { type AnyAct, definitionOf, fieldsAt, fieldWith, nest, readTyped } from '../service/act/act.ts'
import { type Command, type CommandInput, requireTenantId } from '../service/command.ts'
import { ApiError } from '../service/http/api-error.ts'
import { deriveKeys } from '../service/keys.ts'

/** `overlapHours` → `overlap-hours`, `report.hour` → `report-hour` */
function optionOf(field: string): string {
  return field.replaceAll('.', '-').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

/** Prints what came of it, one line for each value. */
export function commandOf(act: AnyAct): Command {
  const { name, says, audit, isFinal = false } = act
  return {
    name: name.replace('.', ' '),
    usage: `TENANT ${usageOf(act)}`.trimEnd(),
    summary: says,
    role: 'operator',
    ...(audit === undefined ? {} : { action: audit }),
    isFinal: () => isFinal,
    async run(input) {
      const { config, environment, database, nowMs, print } = input
      const tenantId = await requireTenantId(input)
      const fields = readFields(act, input)
      const core = { config, environment, database, clock: () => nowMs, keys: deriveKeys(config.secretKeys) }
      const actor = { tenantId, person: null, isOperator: true, may: () => true, acting: input.act }
      try {
        show(await act.run(core, actor, fields), print)
      } catch (error) {
        if (!(error instanceof ApiError) || error.code !== 'validation-error') throw error
        throw new UsageError(explain(act, readProblems(error.message)))
      }
      return 0
    },
  }
}

type Fields = Pick<AnyAct, 'reads' | 'names' | 'words'>

/** The words and options after the tenant's id, for `Command.usage`. */
export function usageOf(fields: Fields): string {
  const options = Object.entries(fieldsAt(fields, 'admin'))
  return [
    ...wordsOf(fields).map(([field, schema]) => wordUsageOf(field, schema)),
    ...options.map(([field, schema]) => optionUsageOf(field, schema)),
  ].join(' ')
}

/** The words and options after the tenant's id, as the schema reads them. */
export function readFields<Shape extends z.core.$ZodLooseShape>(
  fields: Fields & { reads: z.ZodMiniObject<Shape> },
  input: CommandInput,
): z.output<z.ZodMiniObject<Shape>> {
  const words = wordsOf(fields).map(([field, schema], index): [string, unknown] => [
    field,
    readTyped(schema, [requireWord(input, index + 1, wordOf(field))]),
  ])
  const options = Object.entries(fieldsAt(fields, 'admin')).map(([field, schema]): [string, unknown] => [
    field,
    readTyped(schema, textsOf(input, optionOf(field))),
  ])
  const reading = read(fields.reads, nest([...words, ...options]))
  if (!reading.ok) throw new UsageError(explain(fields, reading.problems))
  return reading.value
}

function wordsOf({ reads, names = [], words = names }: Fields): [field: string, schema: z.core.$ZodType][] {
  return words.map((field) => [field, (reads.shape as { [field: string]: z.core.$ZodType })[field] as z.core.$ZodType])
}

function textsOf({ options }: Pick<CommandInput, 'options'>, option: string): string[] {
  const given = options[option]
  // From a script whose variable is not set: it must not lift a limit, or make each retry a payment of its own.
  if (given === '') throw new UsageError(`--${option} must not be empty`)
  return given === undefined ? [] : [String(given)]
}

function wordOf(field: string): string {
  return optionOf(field).replaceAll('-', '_').toUpperCase()
}

/** `CLIENT_ID`, `all|any`, `DAYS|none` */
function wordUsageOf(field: string, schema: z.core.$ZodType): string {
  const definition = definitionOf(schema)
  if (definition.type === 'enum') return Object.values(definition.entries).join('|')
  return `${wordOf(field)}${isNullable(schema) ? '|none' : ''}`
}

function isNullable(schema: z.core.$ZodType): boolean {
  return read(schema as z.ZodMiniType, null).ok
}

/** `[--overlap-hours HOURS]` */
function optionUsageOf(field: string, schema: z.core.$ZodType): string {
  const { type } = definitionOf(schema)
  const option = `--${optionOf(field)}${type === 'boolean' ? '' : ` ${valueWord(field, schema)}`}`
  return schema._zod.optin === 'optional' ? `[${option}]` : option
}

/** The placeholder of a field: one of these words, a number, or the last word of its name. */
function valueWord(field: string, schema: z.core.$ZodType): string {
  const definition = definitionOf(schema)
  if (definition.type === 'enum') return Object.values(definition.entries).join('|')
  const unit = optionOf(field).split('-').at(-1)?.toUpperCase() ?? ''
  const value = definition.type === 'number' && !/.[A-Z].*s$/.test(field) ? 'NUMBER' : unit
  return `${value}${definition.type === 'array' ? ',…' : ''}${isNullable(schema) ? '|none' : ''}`
}

function explain(typed: Fields, problems: readonly Problem[]): string {
  const words = wordsOf(typed).map(([field]) => field)
  const fields = [...words, ...Object.keys(fieldsAt(typed, 'admin'))]
  const nameOf = (problem: Problem) => {
    const field = fieldWith(problem, fields) ?? problem.path
    return words.includes(field) ? wordOf(field) : `--${optionOf(field)}`
  }
  return problems.map((problem) => `${nameOf(problem)} ${problem.expected}`).join('; ')
}

const SHOWN_ONCE = 'the secret is not kept: store it now'

/** A line for each value, then a table for each list. */
function show(result: unknown, print: (line: string) => void): void {
  const entries = typeof result === 'object' && result !== null ? Object.entries(result) : []
  const facts = entries.filter(([, value]) => typeof value !== 'object' || value === null)
  const labels = facts.map(([field]) => optionOf(field).replaceAll('-', ' '))
  const width = Math.max(0, ...labels.map((label) => label.length)) + 2
  for (const [index, [, value]] of facts.entries()) print(`${labels[index]?.padEnd(width)}${value ?? 'none'}`)
  for (const [, value] of entries)
    if (Array.isArray(value) && value.length > 0) printRows({ options: {}, print }, Object.keys(value[0]), value)
  if (entries.length === 0) print('done')
  if (facts.some(([field]) => field.endsWith('Secret'))) print(SHOWN_ONCE)
}
