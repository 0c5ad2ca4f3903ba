// Many requests, one fsync. Transactions that wait at the same moment run one after the other inside one database
// transaction, each behind its own savepoint, and are all answered once it is on disk:
//
//   BEGIN ── savepoint · A · release ── savepoint · B fails · roll back to ── savepoint · C · release ── COMMIT
//            A and C are answered here, after the commit; B got its own error and left no trace ──────────┘
import { createFairQueue } from '../../kit/fair-queue.ts'
import { DatabaseUnavailable, type Queries } from './database.ts'

/** More than this many would make the first wait for the last. */
const GROUP_MAX = 128

type GroupSteps = {
  /** May wait for another process's write. */
  begin(): void | Promise<void>
  savepoint(): void
  release(): void
  rollbackToSavepoint(): void
  commit(): void
  rollback(): void
}

export type GroupCommit = ReturnType<typeof createGroupCommit>

type Job = {
  run(queries: Queries): Promise<void>
  /** Answers the caller with what `run` found. */
  resolve(): void
  reject(error: unknown): void
}

/** `queries` must answer within the same turn of the event loop, so that a group is never open while a request waits for the network. */
export function createGroupCommit(queries: Queries, steps: GroupSteps) {
  const waiting = createFairQueue<Job>()
  let running: Promise<void> | null = null

  async function drain(): Promise<void> {
    while (waiting.size() > 0) {
      // The turn in between lets the sockets deliver the requests that will share the next commit.
      await new Promise((resolve) => setImmediate(resolve))
      await commitTogether(waiting.take(GROUP_MAX))
    }
    running = null
  }

  async function commitTogether(jobs: Job[]): Promise<void> {
    const kept: Job[] = []
    try {
      await steps.begin()
      for (const job of jobs) await runOne(job, kept)
      steps.commit()
    } catch (error) {
      // The group is lost as a whole.
      attempt(steps.rollback)
      for (const job of jobs) job.reject(error)
      return
    }
    for (const job of kept) job.resolve()
  }

  async function runOne(job: Job, kept: Job[]): Promise<void> {
    steps.savepoint()
    try {
      await job.run(queries)
    } catch (error) {
      // A full disk, for example, has already ended the transaction itself: there is no savepoint left to go back to.
      if (error instanceof DatabaseUnavailable) throw error
      steps.rollbackToSavepoint()
      job.reject(error)
      return
    }
    steps.release()
    kept.push(job)
  }

  return {
    /** Lanes take turns when more wait than one group holds. */
    submit<T>(work: (queries: Queries) => Promise<T>, lane = ''): Promise<T> {
      return new Promise((resolve, reject) => {
        waiting.push(lane, jobOf(work, resolve, reject))
        running ??= drain()
      })
    },
    /** Resolves when everything submitted so far is settled. */
    async idle(): Promise<void> {
      while (running !== null) await running
    },
    load: () => ({ inUse: running === null ? 0 : 1, waiting: waiting.size() }),
  }
}

function jobOf<T>(
  work: (queries: Queries) => Promise<T>,
  resolve: (value: T) => void,
  reject: (error: unknown) => void,
): Job {
  let answer = () => {}
  return {
    async run(queries) {
      const value = await work(queries)
      answer = () => resolve(value)
    },
    resolve: () => answer(),
    reject,
  }
}

function attempt(step: () => void): void {
  try {
    step()
  } catch {
    // Already rolled back.
  }
}
