import type * as z from 'zod/mini'
import { BODY_BYTES_MAX } from '../../contract/limits.ts'
import { type Problem, read } from '../../contract/problems.ts'
import { isJson, NOT_JSON, tryParseJson } from '../../kit/json-body.ts'
import { ApiError, validationError } from './api-error.ts'
import { readBody } from './read-body.ts'

/**
 * Reads the body as JSON that fits `schema`; throws the `ApiError` that says why it does not. `known`: no field may have another name, so
 * that a misspelt one is not swallowed; null: other fields are ignored.
 */
export async function readJson<Schema extends z.ZodMiniType>(
  request: Request,
  schema: Schema,
  known: readonly string[] | null = null,
): Promise<z.output<Schema>> {
  if (!isJson(request.headers)) {
    throw new ApiError('unsupported-media-type', 'send the body as application/json in UTF-8, without compression')
  }
  const body = tryParseJson(await readBody(request, BODY_BYTES_MAX))
  if (body === undefined) throw new ApiError('validation-error', NOT_JSON)
  const reading = read(schema, body)
  const problems = [...(known === null ? [] : findUnknown(body, known)), ...(reading.ok ? [] : reading.problems)]
  if (!reading.ok || problems.length > 0) throw validationError(problems)
  return reading.value
}

const NAME_SHOWN_MAX = 50

function findUnknown(body: unknown, known: readonly string[]): Problem[] {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return []
  const unknown = Object.keys(body).filter((name) => !known.includes(name))
  return unknown.map((name) => unknownName(name, 'field', known))
}

/** A name of the caller's is shown in part: it may be anything. */
export function unknownName(name: string, what: 'field' | 'parameter', known: readonly string[]): Problem {
  return { path: name.slice(0, NAME_SHOWN_MAX), expected: `is not a ${what} here; there are ${known.join(', ')}` }
}
