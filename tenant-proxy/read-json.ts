import type * as z from 'zod/mini'
import { BODY_BYTES_MAX } from '../contract/limits.ts'
import { read } from '../contract/problems.ts'
import { isJson, NOT_JSON, NOT_WHOLE, tryParseJson } from '../kit/json-body.ts'
import { BodyTaken, type Incoming } from './exchange.ts'
import { Refusal, refuseDetails } from './refusal.ts'

/** Reads the body as JSON that fits `schema`; only what the schema names comes out. Throws the `Refusal` that says why not. */
export async function readJson<Schema extends z.ZodMiniType>(
  incoming: Incoming,
  schema: Schema,
): Promise<z.output<Schema>> {
  if (!isJson(incoming.headers)) throw new Refusal('unsupported-media-type')
  const body = tryParseJson(await readBytes(incoming))
  if (body === undefined) throw new Refusal('validation-error', { message: NOT_JSON })
  const reading = read(schema, body)
  if (!reading.ok) throw refuseDetails(reading.problems)
  return reading.value
}

async function readBytes({ headers, readBody }: Incoming): Promise<Uint8Array> {
  if (Number(headers.get('Content-Length') ?? 0) > BODY_BYTES_MAX) throw new Refusal('payload-too-large')
  const bytes = await readBody().catch((error) => {
    if (error instanceof BodyTaken) throw error
    throw new Refusal('validation-error', { message: NOT_WHOLE })
  })
  if (bytes.byteLength > BODY_BYTES_MAX) throw new Refusal('payload-too-large')
  return bytes
}
