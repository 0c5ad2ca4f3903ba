// An act as an operator's command: words name what it is done to, options say the rest.
import type * as z from 'zod/mini'
import { type Problem, read, readProblems } from '../contract/problems.ts'
import { printRows, requireWord, UsageError } from '../kit/command-line.ts'
import { type AnyAct, definitionOf, fieldsAt, fieldWith, nest, readTyped } from '../service/act/act.ts'
import { type Command, Refused, requireTenantId } from '../service/command.ts'
import { ApiError } from '../service/http/api-error.ts'
import { deriveKeys } from '../service/keys.ts'

/** `overlapHours` → `overlap-hours`, `report.hour` → `report-hour` */
function optionOf(field: string): string {
  return field.replaceAll('.', '-').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}

/** Prints what came of it, one line for each value. */
export function commandOf(act: AnyAct): Command {
  const { name, says, audit, isFinal = false, names = [], words = names } = act
  const options = Object.entries(fieldsAt(act, 'admin'))
  return {
    name: name.replace('.', ' '),
    usage: ['TENANT', ...words.map(wordOf), ...options.map(([field, schema]) => usageOf(field, schema))].join(' '),
    summary: says,
    role: 'operator',
    ...(audit === undefined ? {} : { action: audit }),
    isFinal: () => isFinal,
    async run(input) {
      const { config, database, nowMs, print } = input
      const tenantId = await requireTenantId(input)
      const named = words.map((field, index): [string, unknown] => [
        field,
        readTyped(act.reads.shape[field] as z.core.$ZodType, [requireWord(input, index + 1, wordOf(field))]),
      ])
      const typed = options.map(([field, schema]): [string, unknown] => [
        field,
        readTyped(schema, textsOf(input.options[optionOf(field)])),
      ])
      const reading = read(act.reads, nest([...named, ...typed]))
      if (!reading.ok) throw new UsageError(explain(act, reading.problems))
      const core = { config, database, clock: () => nowMs, keys: deriveKeys(config.secretKeys) }
      const actor = { tenantId, person: null, isOperator: true, may: () => true, acting: input.act }
      try {
        show(await act.run(core, actor, reading.value), print)
      } catch (error) {
        if (!(error instanceof ApiError)) throw error
        if (error.code !== 'validation-error') throw new Refused(error.message)
        throw new UsageError(explain(act, readProblems(error.message)))
      }
      return 0
    },
  }
}

function textsOf(given: string | boolean | undefined): string[] {
  return given === undefined ? [] : [String(given)]
}

function wordOf(field: string): string {
  return optionOf(field).replaceAll('-', '_').toUpperCase()
}

/** `[--overlap-hours HOURS]` */
function usageOf(field: string, schema: z.core.$ZodType): string {
  const { type } = definitionOf(schema)
  const option = `--${optionOf(field)}${type === 'boolean' ? '' : ` ${valueWord(field, schema)}`}`
  return schema._zod.optin === 'optional' ? `[${option}]` : option
}

/** The placeholder of a field: one of these words, a number, or the last word of its name. */
function valueWord(field: string, schema: z.core.$ZodType): string {
  const definition = definitionOf(schema)
  if (definition.type === 'enum') return Object.values(definition.entries).join('|')
  const unit = optionOf(field).split('-').at(-1)?.toUpperCase() ?? ''
  const value = definition.type === 'number' && !unit.endsWith('S') ? 'NUMBER' : unit
  return `${value}${definition.type === 'array' ? ',…' : ''}${read(schema as z.ZodMiniType, null).ok ? '|none' : ''}`
}

function explain(act: AnyAct, problems: readonly Problem[]): string {
  const { names = [], words = names } = act
  const fields = [...words, ...Object.keys(fieldsAt(act, 'admin'))]
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
