// One thread serves programs and people, and programs go first: pages and files are made while no other request runs.
import type { MiddlewareHandler } from 'hono'

/** The longest that a page waits: other requests may be waiting for an agency, for seconds, without the thread. */
const WAIT_MAX_MS = 50
const LOOK_EVERY_MS = 1

export type RequestsFirst = ReturnType<typeof createRequestsFirst>

export function createRequestsFirst() {
  let running = 0
  let turn = Promise.resolve()

  /** Around every request but those for pages and files. */
  const count: MiddlewareHandler = async (_context, next) => {
    running += 1
    try {
      await next()
    } finally {
      running -= 1
    }
  }

  async function waitForRequests(): Promise<void> {
    const untilMs = performance.now() + WAIT_MAX_MS
    // The event loop turns, so that a request which has arrived is counted.
    await new Promise((resolve) => setImmediate(resolve))
    while (running > 0 && performance.now() < untilMs)
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
  }

  return {
    count,
    /** Awaited before each page and each part of a file. They go on one after another. */
    wait(): Promise<void> {
      turn = turn.then(waitForRequests)
      return turn
    },
  }
}
