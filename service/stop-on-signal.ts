import { setTimeout as pause } from 'node:timers/promises'
import { describeError } from './describe-error.ts'
import type { Log } from './log.ts'

const FLUSH_MS = 1_000

/**
 * Ends the process well: the first SIGTERM or Ctrl-C lets requests in progress finish, a second one does not wait. An uncaught
 * error ends it the same way, with exit code 1: new work would not be safe, requests in progress may finish.
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
