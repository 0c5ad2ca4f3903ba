// A service as a process of its own: settings from the environment, one line when it serves, one when it cannot, a
// clean end on a signal.
import { setTimeout as pause } from 'node:timers/promises'
import type { Environment } from '../kit/setting-reader.ts'
import { type Config, readConfig } from './config.ts'
import { describeError } from './describe-error.ts'
import { failureLine } from './explain-failure.ts'
import { createLog, type Log } from './log.ts'
import type { RunningService } from './start.ts'

/** `readSettings` reads what plugins need, before the core's own settings: reading those may write a file. */
export async function runProcess<Settings extends object>(
  readSettings: (environment: Environment) => Settings,
  start: (parts: { config: Config & Settings; log: Log; environment: Environment }) => Promise<RunningService>,
): Promise<void> {
  try {
    const settings = readSettings(process.env)
    const config = { ...readConfig(process.env), ...settings }
    const log = createLog({ level: config.logLevel })
    logLibraries(log)
    const service = await start({ config, log, environment: process.env })
    stopOnSignal({ stop: service.stop, log })
    announce(service.url)
  } catch (error) {
    process.stderr.write(`service: ${failureLine('could not start', error)}\n`)
    process.exit(1)
  }
}

/** At every level: a program that starts this one waits for the line. */
function announce(url: string): void {
  const line = { level: 30, time: Date.now(), pid: process.pid, event: 'serving', url }
  process.stdout.write(process.stdout.isTTY ? `service: ${url}\n` : `${JSON.stringify(line)}\n`)
}

const LEVELS = { debug: 'debug', log: 'info', info: 'info', warn: 'warn', error: 'error' } as const

/**
 * Turns what libraries and Node print by themselves into lines of the log, so that every line is a JSON object.
 * Described by its class and place, never in its own words: a framework prints errors with the values that caused them.
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

const FLUSH_MS = 1_000

/**
 * Ends the process well: the first SIGTERM or Ctrl-C lets requests in progress finish, a second one does not wait. An
 * uncaught error ends it the same way, with exit code 1: new work would not be safe, requests in progress may finish.
 */
export function stopOnSignal({ stop, log }: { stop: () => Promise<void>; log: Log }): void {
  let stopping: Promise<void> | null = null
  let exitCode = 0

  function end(): void {
    stopping ??= stop().then(leave, (error: unknown) => {
      log.error('stopped badly', describeError(error))
      exitCode = 1
      return leave()
    })
  }

  async function leave(): Promise<void> {
    const isWritten = await Promise.race([flushed(log), pause(FLUSH_MS, false)])
    // The reader of our output has stalled: a write that hangs would keep even `process.exit` from ending.
    if (!isWritten) process.kill(process.pid, 'SIGKILL')
    process.exit(exitCode)
  }

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      log.info('stopping', { signal })
      if (stopping === null) return end()
      exitCode = 1
      void leave()
    })
  }
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => {
      log.error('bug', { outcome: event, ...describeError(error) })
      exitCode = 1
      end()
    })
  }
}

async function flushed(log: Log): Promise<true> {
  await log.flush()
  return true
}
