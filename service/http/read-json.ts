import type * as z from 'zod/mini'
import { BODY_BYTES_MAX } from '../../contract/limits.ts'
import { read } from '../../contract/problems.ts'
import { isJson, NOT_JSON, tryParseJson } from '../../kit/json-body.ts'
import { ApiError, validationError } from './api-error.ts'
import { readBody } from './read-body.ts'

/** Reads the body as JSON that fits `schema`; throws the `ApiError` that says why it does not. */
export async function readJson<Schema extends z.ZodMiniType>(
  request: Request,
  schema: Schema,
): Promise<z.output<Schema>> {
  if (!isJson(request.headers)) {
    throw new ApiError('unsupported-media-type', 'send the body as application/json in UTF-8, without compression')
  }
  const body = tryParseJson(await readBody(request, BODY_BYTES_MAX))
  if (body === undefined) throw new ApiError('validation-error', NOT_JSON)
  const reading = read(schema, body)
  if (!reading.ok) throw validationError(reading.problems)
  return reading.value
}
