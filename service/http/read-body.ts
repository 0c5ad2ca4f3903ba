import { NOT_WHOLE } from '../../kit/json-body.ts'
import { ApiError } from './api-error.ts'

/** The body's bytes, never more than `bytesMax`: an honest length is refused unread, any other is cut off while it arrives. */
export async function readBody(request: Request, bytesMax: number): Promise<Uint8Array> {
  const declared = request.headers.get('Content-Length')
  if (declared !== null && Number(declared) > bytesMax) throw tooLarge(bytesMax)
  try {
    // The HTTP parser holds a sender to its declared length, so the fast way of reading is safe.
    if (declared === null) return await readStream(request.body, bytesMax)
    const body = new Uint8Array(await request.arrayBuffer())
    if (body.byteLength > bytesMax) throw tooLarge(bytesMax)
    return body
  } catch (error) {
    if (error instanceof ApiError) throw error
    throw new ApiError('validation-error', NOT_WHOLE)
  }
}

async function readStream(stream: ReadableStream<Uint8Array> | null, bytesMax: number): Promise<Uint8Array> {
  if (stream === null) return new Uint8Array()
  const chunks: Uint8Array[] = []
  let bytes = 0
  // Leaving the loop early cancels the stream, and with it the rest of the upload.
  for await (const chunk of stream) {
    bytes += chunk.byteLength
    if (bytes > bytesMax) throw tooLarge(bytesMax)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

function tooLarge(bytesMax: number): ApiError {
  return new ApiError('payload-too-large', `the body must have at most ${bytesMax} bytes`)
}
