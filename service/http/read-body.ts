import { NOT_WHOLE, readCapped } from '../../kit/json-body.ts'
import { ApiError } from './api-error.ts'

/** Body timeout: 3 s plus 1 s per 16 KiB. Node's own timeout ends what never comes. */
const ARRIVAL_MS = 3_000
const BYTES_PER_SECOND_MIN = 16_384

/**
 * The body's bytes, never more than `bytesMax`: an honest length is refused unread, any other is cut off while it arrives.
 * One that comes too slowly is given up.
 */
export async function readBody(request: Request, bytesMax: number): Promise<Uint8Array> {
  const place = places.get(request)
  place?.giveUp()
  const body = await readInTime(request, bytesMax)
  await place?.take()
  return body
}

/** A request's place among those that are worked on. It is given up while the sender decides how long the body takes. */
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
