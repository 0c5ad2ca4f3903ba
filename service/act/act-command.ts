// An act as an operator's command: words name what it is done to, options say the rest.
import type * as z from 'zod/mini'
import { type Problem, read, readProblems } from '../../contract/problems.ts'
import { type Command, Refused, requireTenantId, requireWord, UsageError } from '../command.ts'
import { ApiError } from '../http/api-error.ts'
import { deriveKeys } from '../keys.ts'
import { type AnyAct, fieldsAt, readTyped } from './act.ts'

/** `overlapHours` → `overlap-hours` */
function optionOf(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
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
      const named = words.map((field, index) => [
        field,
        readTyped(act.reads.shape[field] as z.core.$ZodType, [requireWord(input, index + 1, wordOf(field))]),
      ])
      const typed = options.map(([field, schema]) => [
        field,
        readTyped(schema, textsOf(input.options[optionOf(field)])),
      ])
      const reading = read(act.reads, Object.fromEntries([...named, ...typed]))
      if (!reading.ok) throw new UsageError(explain(act, reading.problems))
      const core = { config, database, clock: () => nowMs, keys: deriveKeys(config.secretKeys) }
      const actor = { tenantId, person: null, isOperator: true, may: () => true, acting: input.act }
      try {
        for (const line of linesOf(await act.run(core, actor, reading.value))) print(line)
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

/** `[--overlap-hours HOURS]`: the last word of a field is its unit. */
function usageOf(field: string, schema: z.core.$ZodType): string {
  const isOptional = schema._zod.optin === 'optional'
  const unit = optionOf(field).split('-').at(-1)?.toUpperCase()
  const option = `--${optionOf(field)}${typeOf(schema) === 'boolean' ? '' : ` ${unit}${typeOf(schema) === 'array' ? ',…' : ''}`}`
  return isOptional ? `[${option}]` : option
}

function typeOf(schema: z.core.$ZodType): string {
  const definition = (schema as z.core.$ZodTypes)._zod.def
  return definition.type === 'optional' || definition.type === 'nullable'
    ? typeOf(definition.innerType)
    : definition.type
}

function explain({ names = [], words = names }: AnyAct, problems: readonly Problem[]): string {
  const nameOf = (path: string) => {
    const field = path.replace(/[.[].*/, '')
    return words.includes(field) ? wordOf(field) : `--${optionOf(field)}`
  }
  return problems.map(({ path, expected }) => `${nameOf(path)} ${expected}`).join('; ')
}

const SHOWN_ONCE = 'the secret is not kept: store it now'

function linesOf(result: unknown): string[] {
  const entries = typeof result === 'object' && result !== null ? Object.entries(result) : []
  const facts = entries.filter(([, value]) => typeof value !== 'object' || value === null)
  const labels = facts.map(([field]) => optionOf(field).replaceAll('-', ' '))
  const width = Math.max(0, ...labels.map((label) => label.length)) + 2
  const lines = facts.map(([, value], index) => `${labels[index]?.padEnd(width)}${value ?? 'none'}`)
  const hasSecret = facts.some(([field]) => field.endsWith('Secret'))
  return [...(lines.length === 0 ? ['done'] : lines), ...(hasSecret ? [SHOWN_ONCE] : [])]
}
