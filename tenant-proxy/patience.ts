// Time limits for a body, in whichever server the proxy is mounted: half-sent bodies must not hold connections for
// minutes.

/** Without a byte. */
const IDLE_MS = 5_000
/** For all of it: it has at most 64 KiB. */
const WHOLE_MS = 30_000

export class BodyStalled extends Error {}

export type Patience = { idleMs: number; wholeMs: number }
export const PATIENCE: Patience = { idleMs: IDLE_MS, wholeMs: WHOLE_MS }

/** Calls `onOver` once when the time is over, unless `end` is called before. */
export function startPatience(onOver: (error: BodyStalled) => void, { idleMs, wholeMs }: Patience) {
  const end = () => {
    clearTimeout(idle)
    clearTimeout(whole)
  }
  const over = () => {
    end()
    onOver(new BodyStalled('the body did not arrive in time'))
  }
  let idle = setTimeout(over, idleMs)
  const whole = setTimeout(over, wholeMs)
  return {
    end,
    /** Some of the body has arrived. */
    moved() {
      clearTimeout(idle)
      idle = setTimeout(over, idleMs)
    },
  }
}

/** The chunks of a stream. Throws `BodyStalled` and cancels the stream when they do not arrive in time. */
export async function* inTime(body: ReadableStream<Uint8Array>, patience = PATIENCE): AsyncGenerator<Uint8Array> {
  const reader = body.getReader()
  let waiting: ReturnType<typeof startPatience> | undefined
  const late = new Promise<never>((_, reject) => {
    waiting = startPatience(reject, patience)
  })
  // Raced below; between two chunks no one waits for it.
  late.catch(() => {})
  try {
    for (;;) {
      const { done, value } = await Promise.race([reader.read(), late])
      if (done) return
      waiting?.moved()
      yield value
    }
  } finally {
    waiting?.end()
    reader.cancel().catch(() => {})
  }
}
