import { describeError } from './describe-error.ts'
import type { Log } from './log.ts'

/**
 * Ends the process well: the first SIGTERM or Ctrl-C lets everything under way finish, a second one does not wait. A bug that
 * nobody caught ends it the same way, with exit code 1: its state can no longer be trusted, its requests still can.
 */
export function stopOnSignal({ stop, log }: { stop: () => Promise<void>; log: Log }): void {
  let isStopping = false

  function end(exitCode: number): void {
    if (isStopping) leave(1)
    isStopping = true
    stop().then(
      () => leave(exitCode),
      (error: unknown) => {
        log.error('stopped badly', describeError(error))
        leave(1)
      },
    )
  }

  function leave(exitCode: number): void {
    log.flush()
    process.exit(exitCode)
  }

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      log.info('stopping', { signal })
      end(0)
    })
  }
  for (const event of ['uncaughtException', 'unhandledRejection'] as const) {
    process.on(event, (error: unknown) => {
      log.error('bug', { outcome: event, ...describeError(error) })
      end(1)
    })
  }
}
