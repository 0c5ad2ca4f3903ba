// Finishes what crashes and time leave behind. Each folder says what it has to sweep; this says when.
import { setTimeout } from 'node:timers/promises'
import { describeError } from './describe-error.ts'
import type { Log } from './log.ts'
import { SWEEP_ROWS_MAX } from './store/sweep-rows.ts'

const SWEEP_EVERY_MS = 5_000
/** While there is more than a round can do. */
const SWEEP_AGAIN_MS = 100

/** Resolves to how many rows it dealt with, at most `SWEEP_ROWS_MAX`: the rest waits for the next round. */
export type SweepTask = () => Promise<number>

export type SweeperOptions = { tasks: { readonly [task: string]: SweepTask }; log: Log }

export type Sweeper = {
  /** One round of everything; resolves to how many each task dealt with. One that fails does not stop the rest. */
  sweep(): Promise<{ [task: string]: number }>
  /** A round every few seconds until the returned function is called, which resolves when the last round is over. */
  start(): () => Promise<void>
}

export function createSweeper({ tasks, log }: SweeperOptions): Sweeper {
  async function sweep(): Promise<{ [task: string]: number }> {
    const done: { [task: string]: number } = {}
    for (const [task, run] of Object.entries(tasks)) {
      try {
        done[task] = await run()
      } catch (error) {
        log.warn('sweep failed', { jobId: task, ...describeError(error) })
      }
    }
    return done
  }

  function start(): () => Promise<void> {
    const stopped = new AbortController()
    const running = (async () => {
      while (!stopped.signal.aborted) {
        const done = await sweep()
        const isBehind = Object.values(done).some((count) => count >= SWEEP_ROWS_MAX)
        await pause(isBehind ? SWEEP_AGAIN_MS : SWEEP_EVERY_MS, stopped.signal)
      }
    })()
    return async () => {
      stopped.abort()
      await running
    }
  }

  return { sweep, start }
}

/** A process with nothing else to do may end meanwhile. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await setTimeout(ms, undefined, { signal, ref: false }).catch(() => {})
}
