import type * as z from 'zod/mini'
import { BODY_BYTES_MAX } from '../contract/limits.ts'
import { read } from '../contract/problems.ts'
import type { HeaderReader } from '../kit/headers.ts'
import { BodyTaken, type Incoming } from './exchange.ts'
import { Refusal, refuseDetails } from './refusal.ts'

/** Reads the body as JSON that fits `schema`; only what the schema names comes out. Throws the `Refusal` that says why not. */
export async function readJson<Schema extends z.ZodMiniType>(
  incoming: Incoming,
  schema: Schema,
): Promise<z.output<Schema>> {
  if (!isJson(incoming.headers)) throw new Refusal('unsupported-media-type')
  const reading = read(schema, parse(await readBytes(incoming)))
  if (!reading.ok) throw refuseDetails(reading.problems)
  return reading.value
}

function isJson(headers: HeaderReader): boolean {
  const type = /^\s*application\/json\s*(?:;\s*charset\s*=\s*"?([\w-]+)"?\s*)?$/i.exec(
    headers.get('Content-Type') ?? '',
  )
  const encoding = headers.get('Content-Encoding')?.toLowerCase() ?? 'identity'
  return type !== null && (type[1]?.toLowerCase() ?? 'utf-8') === 'utf-8' && encoding === 'identity'
}

async function readBytes({ headers, readBody }: Incoming): Promise<Uint8Array> {
  if (Number(headers.get('Content-Length') ?? 0) > BODY_BYTES_MAX) throw new Refusal('payload-too-large')
  const bytes = await readBody().catch((error) => {
    if (error instanceof BodyTaken) throw error
    throw new Refusal('validation-error', { message: 'body: ended before it was complete' })
  })
  if (bytes.byteLength > BODY_BYTES_MAX) throw new Refusal('payload-too-large')
  return bytes
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(utf8.decode(bytes))
  } catch {
    // The parser's own words would repeat a piece of the body.
    throw new Refusal('validation-error', { message: 'body: must be valid JSON in UTF-8' })
  }
}
