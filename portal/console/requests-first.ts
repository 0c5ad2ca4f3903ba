// One thread serves programs and people, and programs go first: pages and files are made while no other request runs.
import type { MiddlewareHandler } from 'hono'

/** The longest that a page waits: other requests may be waiting for an agency, for seconds, without the thread. */
const WAIT_MAX_MS = 50
const LOOK_EVERY_MS = 1

let running = 0
let turn = Promise.resolve()

/** Around every request but those for pages and files. */
export const countRequest: MiddlewareHandler = async (_context, next) => {
  running += 1
  try {
    await next()
  } finally {
    running -= 1
  }
}

/** Awaited before each page and each part of a file. They go on one after another. */
export function requestsFirst(): Promise<void> {
  turn = turn.then(waitForRequests)
  return turn
}

async function waitForRequests(): Promise<void> {
  const untilMs = performance.now() + WAIT_MAX_MS
  // The event loop turns, so that a request which has arrived is counted.
  await new Promise((resolve) => setImmediate(resolve))
  while (running > 0 && performance.now() < untilMs) await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
}
