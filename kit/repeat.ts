import { setTimeout } from 'node:timers/promises'

/**
 * Runs `round` again and again, after a pause of as many milliseconds as it resolves to, until the returned function is
 * called; that one resolves when the last round is over. The pause does not keep the process alive.
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
