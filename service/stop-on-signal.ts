import { describeError } from './describe-error.ts'
import type { Log } from './log.ts'

/**
 * Ends the process well: the first SIGTERM or Ctrl-C lets everything under way finish, a second one does not wait. A bug that
 * nobody caught ends it the same way, with exit code 1: the process can no longer be trusted, what it was doing still can.
 */
export function stopOnSignal({ stop, log }: { stop: () => Promise<void>; log: Log }): void {
  let stopping: Promise<void> | null = null
  let exitCode = 0

  function end(): void {
    stopping ??= stop().then(leave, (error: unknown) => {
      log.error('stopped badly', describeError(error))
      exitCode = 1
      leave()
    })
  }

  function leave(): void {
    log.flush()
    process.exit(exitCode)
  }

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      log.info('stopping', { signal })
      if (stopping === null) return end()
      exitCode = 1
      leave()
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
