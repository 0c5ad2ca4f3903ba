import type * as z from 'zod/mini'
import { BODY_BYTES_MAX } from '../contract/limits.ts'
import { read } from '../contract/problems.ts'
import { Refusal, refuseDetails } from './refusal.ts'

/** Reads the body as JSON that fits `schema`; only what the schema names comes out. Throws the `Refusal` that says why not. */
export async function readJson<Schema extends z.ZodMiniType>(
  request: Request,
  schema: Schema,
): Promise<z.output<Schema>> {
  if (!isJson(request.headers)) throw new Refusal('unsupported-media-type')
  const reading = read(schema, parse(await readBytes(request)))
  if (!reading.ok) throw refuseDetails(reading.problems)
  return reading.value
}

function isJson(headers: Headers): boolean {
  const type = /^\s*application\/json\s*(?:;\s*charset\s*=\s*"?([\w-]+)"?\s*)?$/i.exec(
    headers.get('Content-Type') ?? '',
  )
  const encoding = headers.get('Content-Encoding')?.toLowerCase() ?? 'identity'
  return type !== null && (type[1]?.toLowerCase() ?? 'utf-8') === 'utf-8' && encoding === 'identity'
}

async function readBytes(request: Request): Promise<Uint8Array> {
  if (Number(request.headers.get('Content-Length') ?? 0) > BODY_BYTES_MAX) throw new Refusal('payload-too-large')
  const chunks: Uint8Array[] = []
  let bytes = 0
  try {
    // Leaving the loop early cancels the stream, and with it the rest of the upload.
    for await (const chunk of request.body ?? []) {
      bytes += chunk.byteLength
      if (bytes > BODY_BYTES_MAX) throw new Refusal('payload-too-large')
      chunks.push(chunk)
    }
  } catch (error) {
    if (error instanceof Refusal) throw error
    throw new Refusal('validation-error', { message: 'body: ended before it was complete' })
  }
  return Buffer.concat(chunks)
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
