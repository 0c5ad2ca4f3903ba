// An act as a form of the console: the address names what it is done to, fields are named like those of the act.
import type { Context } from 'hono'
import type * as z from 'zod/mini'
import { type Problem, read, readProblems } from '../../contract/problems.ts'
import {
  type Act,
  type ActCore,
  type AnyAct,
  fieldsAt,
  fieldWith,
  needsOf,
  nest,
  readTyped,
} from '../../service/act/act.ts'
import { actorOf } from '../../service/act/serve-act.ts'
import { ApiError } from '../../service/http/api-error.ts'
import type { ServiceEnv } from '../../service/http/context.ts'
import type { Rule } from '../../service/http/protect.ts'

/** The rule of the act's form. */
export function formOf(act: AnyAct): Rule {
  return { who: 'page', ...needsOf(act) }
}

/** Why a form was refused: what is wrong with its fields, or with the whole. */
export type Refusal = { refused: string; problems: readonly Problem[]; status?: 404 }

/** Carries out what the form says; `read` reads fields that people type in another unit. */
export async function carryOut<Fields extends z.core.$ZodLooseShape, Result>(
  context: Context<ServiceEnv>,
  { core, act, form }: { core: ActCore; act: Act<Fields, Result>; form: URLSearchParams },
  readField: (schema: z.core.$ZodType, texts: readonly string[]) => unknown = readTyped,
): Promise<{ done: Result } | Refusal> {
  const fields = Object.entries(fieldsAt(act, 'console'))
  const typed = fields.map(([field, schema]): [string, unknown] => [
    field,
    readField(
      schema,
      form.getAll(field).map((text) => text.trim()),
    ),
  ])
  const named = (act.names ?? []).map((name): [string, unknown] => [name, context.req.param(name)])
  const reading = read(act.reads, nest([...typed, ...named]))
  if (!reading.ok) return { refused: sentencesOf(reading.problems), problems: reading.problems }
  try {
    const done = await act.run(core, actorOf(context), reading.value)
    // The act has written its own line.
    context.set('isAsked', true)
    return { done }
  } catch (error) {
    if (!(error instanceof ApiError) || error.status >= 500) throw error
    const problems = error.code === 'validation-error' ? readProblems(error.message) : []
    const refused = problems.length > 0 ? sentencesOf(problems) : sentenceOf(error.message)
    return { refused, problems, ...(error.status === 404 ? { status: 404 } : {}) }
  }
}

/** The problem of a field, as a sentence; undefined where there is none. */
export function problemWith(field: string, { problems }: Pick<Refusal, 'problems'>): string | undefined {
  const problem = problems.find((each) => fieldWith(each, [field]) === field)
  return problem && sentenceOf(problem.expected)
}

function sentencesOf(problems: readonly Problem[]): string {
  return problems.map(({ path, expected }) => sentenceOf(`${wordsOf(path)} ${expected}`)).join(' ')
}

/** `overlapHours` → `overlap hours` */
function wordsOf(path: string): string {
  return path.replace(/[.[].*/, '').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
}

function sentenceOf(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`
}
