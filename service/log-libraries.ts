import { describeError } from './describe-error.ts'
import type { Log } from './log.ts'

const LEVELS = { debug: 'debug', log: 'info', info: 'info', warn: 'warn', error: 'error' } as const

/**
 * Turns what libraries and Node print by themselves into lines of the log, so that every line is a JSON object. Described by its class
 * and place, never in its own words: a framework prints errors with the values that caused them.
 */
export function logLibraries(log: Log): void {
  // Node's own listener prints them.
  process.removeAllListeners('warning')
  process.on('warning', (warning) => log.warn('warning', describeError(warning)))
  for (const [method, level] of Object.entries(LEVELS)) {
    const write = (...words: unknown[]) => {
      const error = words.find((word) => word instanceof Error) ?? placeOf(write)
      log[level]('library message', describeError(error))
    }
    Object.assign(console, { [method]: write })
  }
}

/** The place a function was called from. */
function placeOf(called: (...words: unknown[]) => void): Error {
  const place = new Error('')
  Error.captureStackTrace(place, called)
  return place
}
