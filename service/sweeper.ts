// Finishes what crashes and time leave behind. Each folder says what it has to sweep; this says when, and by which
// process.
import { randomUUID } from 'node:crypto'
import type { Clock } from '../kit/clock.ts'
import { repeat } from '../kit/repeat.ts'
import { describeError } from './describe-error.ts'
import type { Log } from './log.ts'
import type { Database } from './store/database.ts'
import { SWEEP_ROWS_MAX, SweepIncomplete } from './store/sweep-rows.ts'

const SWEEP_EVERY_MS = 5_000
/** While there is more than a round can do. */
const SWEEP_AGAIN_MS = 100
/** One process sweeps at a time; another takes over when it has been silent for this long. */
const TURN_MS = 15_000

/** Listens to the sweeper. */
export type SweepObserver = {
  /** From now on rounds are due. */
  started(tasks: readonly string[], atMs: number): void
  /** After each task. `count`: rows it dealt with, null when it failed; `isBehind`: more are waiting. */
  swept(task: string, outcome: { count: number | null; isBehind: boolean; atMs: number }): void
  /** Another process sweeps now, so the last findings of this one are out of date. */
  idle(): void
}

/** Resolves to how many rows it dealt with. With `SWEEP_ROWS_MAX` or more there may be others, for the next round. */
type SweepTask = () => Promise<number>
export type SweepTasks = { readonly [task: string]: SweepTask }

type SweeperOptions = {
  tasks: SweepTasks
  database: Pick<Database, 'run'>
  clock: Clock
  log: Log
  observer?: SweepObserver
}

export type Sweeper = {
  /** One round of everything; resolves to how many each task dealt with. One that fails does not stop the rest. */
  sweep(): Promise<{ [task: string]: number }>
  /** A round every few seconds until the returned function is called, which resolves when the last round is over. */
  start(): () => Promise<void>
}

export function createSweeper({ tasks, database, clock, log, observer }: SweeperOptions): Sweeper {
  const processId = randomUUID()

  async function sweepAll(): Promise<{ done: { [task: string]: number }; isBehind: boolean }> {
    const done: { [task: string]: number } = {}
    let isBehind = false
    for (const [task, run] of Object.entries(tasks)) {
      let rows = 0
      try {
        rows = await run()
        done[task] = rows
      } catch (error) {
        // A failed row does not end a backlog: the next round still comes at once.
        if (error instanceof SweepIncomplete) rows = error.rows
        log.warn('sweep failed', {
          jobId: task,
          ...describeError(error instanceof SweepIncomplete ? error.cause : error),
        })
      }
      const isTaskBehind = rows >= SWEEP_ROWS_MAX
      observer?.swept(task, { count: done[task] ?? null, isBehind: isTaskBehind, atMs: clock() })
      isBehind ||= isTaskBehind
    }
    return { done, isBehind }
  }

  /** Processes that sweep the same rows at once only wait for each other's locks. */
  async function takeTurn(): Promise<boolean> {
    const nowMs = clock()
    const taken = await database.run(TAKE_TURN, processId, nowMs + TURN_MS, processId, nowMs, nowMs + 2 * TURN_MS)
    return taken === 1
  }

  async function round(): Promise<number> {
    try {
      if (await takeTurn()) return (await sweepAll()).isBehind ? SWEEP_AGAIN_MS : SWEEP_EVERY_MS
      observer?.idle()
      return SWEEP_EVERY_MS
    } catch (error) {
      log.warn('sweep failed', { jobId: 'turn', ...describeError(error) })
      return SWEEP_EVERY_MS
    }
  }

  function start(): () => Promise<void> {
    observer?.started(Object.keys(tasks), clock())
    const stop = repeat(round)
    return async () => {
      await stop()
      // The next process need not wait for it to lapse.
      await database.run('DELETE FROM sweep_turn WHERE process_id = ?', processId).catch(() => {})
    }
  }

  return { sweep: async () => (await sweepAll()).done, start }
}

// A turn far in the future was taken by a clock that has been put right since.
const TAKE_TURN = `
  INSERT INTO sweep_turn (id, process_id, until_ms) VALUES (1, ?, ?)
  ON CONFLICT (id) DO UPDATE SET process_id = excluded.process_id, until_ms = excluded.until_ms
  WHERE sweep_turn.process_id = ? OR sweep_turn.until_ms < ? OR sweep_turn.until_ms > ?`
