import type * as z from 'zod/mini'
import { BODY_BYTES_MAX } from '../../contract/limits.ts'
import { type Problem, read } from '../../contract/problems.ts'
import { isJson, NOT_JSON, NOT_WHOLE, readCapped, tryParseJson } from '../../kit/json-body.ts'
import { ApiError, validationError } from './api-error.ts'

/** Body timeout: 3 s plus 1 s per 16 KiB. Node's own timeout ends what never comes. */
const ARRIVAL_MS = 3_000
const BYTES_PER_SECOND_MIN = 16_384

/**
 * The body's bytes, never more than `bytesMax`: an honest length is refused unread, any other is cut off while it
 * arrives. One that comes too slowly is given up.
 */
export async function readBody(request: Request, bytesMax: number): Promise<Uint8Array> {
  const place = places.get(request)
  place?.giveUp()
  const body = await readInTime(request, bytesMax)
  await place?.take()
  return body
}

/**
 * A request's place among those that are worked on. It is given up while the sender decides how long the body takes.
 */
export type Place = { take(): Promise<void>; giveUp(): void }

const places = new WeakMap<Request, Place>()

export function keepPlace(request: Request, place: Place): void {
  places.set(request, place)
}

async function readInTime(request: Request, bytesMax: number): Promise<Uint8Array> {
  const declared = request.headers.get('Content-Length')
  if (declared !== null && Number(declared) > bytesMax) throw tooLarge(bytesMax)
  const withinMs = ARRIVAL_MS + (Number(declared ?? bytesMax) / BYTES_PER_SECOND_MIN) * 1_000
  let timer: NodeJS.Timeout | undefined
  try {
    // The HTTP parser holds a sender to its declared length, so the fast way of reading is safe.
    const reading = declared === null ? readCapped(request.body ?? [], bytesMax) : request.arrayBuffer()
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(tooSlow()), withinMs)
    })
    const body = new Uint8Array(await Promise.race([reading, late]))
    if (body.byteLength > bytesMax) throw tooLarge(bytesMax)
    return body
  } catch (error) {
    if (error instanceof ApiError) throw error
    throw new ApiError('validation-error', NOT_WHOLE)
  } finally {
    clearTimeout(timer)
  }
}

function tooLarge(bytesMax: number): ApiError {
  return new ApiError('payload-too-large', `the body must have at most ${bytesMax} bytes`)
}

/** The rest is not waited for, so nothing else can follow on this connection. */
function tooSlow(): ApiError {
  return new ApiError('validation-error', 'body: arrived too slowly', { Connection: 'close' })
}

/**
 * Reads the body as JSON that fits `schema`; throws the `ApiError` that says why it does not. `known`: no field may
 * have another name, so that a misspelt one is not swallowed; null: other fields are ignored.
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
  return {
    path: name.slice(0, NAME_SHOWN_MAX),
    expected: `is not a ${what} here; there are ${known.join(', ') || 'none'}`,
  }
}
