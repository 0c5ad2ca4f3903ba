import { setTimeout } from 'node:timers/promises'

/**
 * Runs `round` again and again, after a pause of as many milliseconds as it resolves to, until the returned function is
 * called, which resolves when the last round is over. The pause does not keep the process alive.
 */
export function repeat(round: () => Promise<number>): () => Promise<void> {
  const stopped = new AbortController()
  const { signal } = stopped
  const running = (async () => {
    while (!signal.aborted) {
      const pauseMs = await round()
      await setTimeout(pauseMs, undefined, { signal, ref: false }).catch(() => {})
    }
  })()
  return async () => {
    stopped.abort()
    await running
  }
}

const FLUSH_EVERY_MS = 5_000

/**
 * Writes what gathered in the process every few seconds until the returned function is called, which does it a last
 * time. `flush` never rejects.
 */
export function flushRegularly(flush: () => Promise<void>): () => Promise<void> {
  const stop = repeat(async () => {
    await flush()
    return FLUSH_EVERY_MS
  })
  return async () => {
    await stop()
    await flush()
  }
}
