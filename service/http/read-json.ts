import type * as z from 'zod/mini'
import { BODY_BYTES_MAX } from '../../contract/limits.ts'
import { read } from '../../contract/problems.ts'
import { ApiError, validationError } from './api-error.ts'
import { readBody } from './read-body.ts'

/** Reads the body as JSON that fits `schema`; throws the `ApiError` that says why it does not. */
export async function readJson<Schema extends z.ZodMiniType>(
  request: Request,
  schema: Schema,
  bytesMax = BODY_BYTES_MAX,
): Promise<z.output<Schema>> {
  if (!isJson(request)) {
    throw new ApiError('unsupported-media-type', 'send the body as application/json in UTF-8, without compression')
  }
  // The size is the depth limit too: what fits in it parses in a millisecond, however deep.
  const reading = read(schema, parse(await readBody(request, bytesMax)))
  if (!reading.ok) throw validationError(reading.problems)
  return reading.value
}

function isJson(request: Request): boolean {
  const [mediaType, ...parameters] = (request.headers.get('Content-Type') ?? '').toLowerCase().split(';')
  const charset = parameters.map((parameter) => /^\s*charset\s*=\s*"?([^"\s]*)/.exec(parameter)?.[1]).find(Boolean)
  const encoding = request.headers.get('Content-Encoding')?.toLowerCase() ?? 'identity'
  return (
    mediaType?.trim() === 'application/json' &&
    (charset === undefined || charset === 'utf-8') &&
    encoding === 'identity'
  )
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

function parse(body: Uint8Array): unknown {
  try {
    return JSON.parse(utf8.decode(body))
  } catch {
    // The parser's own words would repeat a piece of the body.
    throw new ApiError('validation-error', 'body: must be valid JSON in UTF-8')
  }
}
