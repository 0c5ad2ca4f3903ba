import type { HeaderReader } from './headers.ts'
import { parseJson } from './parse-json.ts'

/** The answer to the caller; the parser's own words would repeat a piece of the body. */
export const NOT_JSON = 'body: must be valid JSON in UTF-8'
export const NOT_WHOLE = 'body: ended before it was complete'

/** The second is what several clients write. */
const UTF_8 = ['utf-8', 'utf8']

/** True for `application/json` in UTF-8, not compressed. */
export function isJson(headers: HeaderReader): boolean {
  const [mediaType, ...parameters] = (headers.get('Content-Type') ?? '').toLowerCase().split(';')
  const charset = parameters.map((parameter) => /^\s*charset\s*=\s*"?([^"\s]*)/.exec(parameter)?.[1]).find(Boolean)
  const encoding = headers.get('Content-Encoding')?.toLowerCase() ?? 'identity'
  return (
    mediaType?.trim() === 'application/json' &&
    (charset === undefined || UTF_8.includes(charset)) &&
    encoding === 'identity'
  )
}

/** The value, or `undefined`, which no JSON says. */
export function tryParseJson(bytes: Uint8Array): unknown {
  try {
    return parseJson(bytes)
  } catch {
    return undefined
  }
}

/** The bytes of a body, or as many as show that it has more than `bytesMax`: leaving the loop cancels the rest. */
export async function readCapped(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  bytesMax: number,
): Promise<Uint8Array> {
  const read: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of chunks) {
    read.push(chunk)
    bytes += chunk.byteLength
    if (bytes > bytesMax) break
  }
  return Buffer.concat(read)
}
