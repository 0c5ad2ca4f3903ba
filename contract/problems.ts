// Problems of a value, in words that name its place. Both servers answer with these, and the widget parses them.
import type * as z from 'zod/mini'

export type Problem = {
  /** The place, as JavaScript would write it: `addresses[0].ukAddress.postcode`; empty for the whole body. */
  path: string
  /** The expected value, in words. */
  expected: string
}

export type Reading<T> = { ok: true; value: T } | { ok: false; problems: Problem[] }

/** Reads `value` as `schema` says. Never throws, whatever the value. */
export function read<Schema extends z.ZodMiniType>(schema: Schema, value: unknown): Reading<z.output<Schema>> {
  const result = parse(schema, value)
  if (result === null) return { ok: false, problems: [{ path: '', expected: UNEXPECTED }] }
  if (result.success) return { ok: true, value: result.data }
  return {
    ok: false,
    problems: result.error.issues.map((issue) => ({ path: writePath(issue.path), expected: issue.message })),
  }
}

/**
 * Null where zod throws: its length checks compare the `length` of anything, which may be an object without a primitive
 * value.
 */
function parse<Schema extends z.ZodMiniType>(schema: Schema, value: unknown) {
  try {
    return schema.safeParse(value, { error: explain })
  } catch {
    return null
  }
}

const UNEXPECTED = 'is not what was expected'
const PROBLEMS_SHOWN_MAX = 8
const NAME_SHOWN_MAX = 50
const BODY_PATH = 'body'

/** One line for an error message: `firstName: is required; addresses[0].ukAddress.postcode: must be a UK postcode`. */
export function writeProblems(problems: readonly Problem[]): string {
  return problems
    .slice(0, PROBLEMS_SHOWN_MAX)
    .map(({ path, expected }) => `${path || BODY_PATH}: ${expected}`)
    .join('; ')
}

/** The inverse of `writeProblems`, for a reader that wants to put each problem beside its field. */
export function readProblems(message: string): Problem[] {
  return message.split('; ').flatMap((part) => {
    const [, path, expected] = /^([\w.[\]]+): (.+)$/.exec(part) ?? []
    if (!path || !expected) return []
    return [{ path: path === BODY_PATH ? '' : path, expected }]
  })
}

function writePath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((written, key) => {
    if (typeof key === 'number') return `${written}[${key}]`
    return written ? `${written}.${String(key)}` : String(key)
  }, '')
}

const KIND_WORDS: { [kind: string]: string } = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
}

const isNumber = (origin: string) => origin === 'number' || origin === 'int'

function sizeOf(origin: string, size: number | bigint): string {
  const part = origin === 'string' ? 'character' : 'item'
  return `${size} ${part}${Number(size) === 1 ? '' : 's'}`
}

type RawIssue = Parameters<z.core.$ZodErrorMap>[0]

// Schemas give words where they know better; this covers what every schema has in common.
function explain(issue: RawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      if (issue.input === undefined) return 'is required'
      return `must be ${KIND_WORDS[issue.expected] ?? issue.expected}`
    case 'invalid_value':
      if (issue.input === undefined) return 'is required'
      return `must be ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map((value) => `"${String(value)}"`).join(', ')}`
    case 'too_small':
      return isNumber(issue.origin)
        ? `must be at least ${issue.minimum}`
        : `must have at least ${sizeOf(issue.origin, issue.minimum)}`
    case 'too_big':
      return isNumber(issue.origin)
        ? `must be at most ${issue.maximum}`
        : `must have at most ${sizeOf(issue.origin, issue.maximum)}`
    case 'unrecognized_keys':
      return `has a field that is not known: ${issue.keys[0]?.slice(0, NAME_SHOWN_MAX)}`
    default:
      return UNEXPECTED
  }
}
