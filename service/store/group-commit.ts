// Many requests, one fsync. Transactions that wait at the same moment run one after the other inside one database
// transaction, and are all answered once it is on disk:
//
//   BEGIN ── A · B · C ── COMMIT
//
// If one of them fails, everything is rolled back and run again, each behind its own savepoint:
//
//   BEGIN ── savepoint · A · release ── savepoint · B fails · roll back to ── savepoint · C · release ── COMMIT
//            A and C are answered here, after the commit; B got its own error and left no trace ──────────┘
import { createFairQueue } from '../../kit/fair-queue.ts'
import { DatabaseUnavailable, type Queries } from './database.ts'

/** More than this many would make the first wait for the last. */
const GROUP_MAX = 128
/**
 * After a failure so many groups have savepoints from the start: requests that fail all the time cost nothing twice.
 */
const CAREFUL_GROUPS = 50

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

/**
 * `queries` must answer within the same turn of the event loop, so that a group is never open while a request waits for
 * the network.
 */
export function createGroupCommit(queries: Queries, steps: GroupSteps) {
  const waiting = createFairQueue<Job>()
  let running: Promise<void> | null = null
  let carefulGroups = 0

  async function drain(): Promise<void> {
    while (waiting.size() > 0) {
      // The turn in between lets the sockets deliver the requests that will share the next commit.
      await new Promise((resolve) => setImmediate(resolve))
      const jobs = waiting.take(GROUP_MAX)
      if (carefulGroups === 0 && (await commitAtOnce(jobs))) continue
      carefulGroups = carefulGroups === 0 ? CAREFUL_GROUPS : carefulGroups - 1
      await commitApart(jobs)
    }
    running = null
  }

  /** False when one of several failed: then nothing is written, and no one is answered. */
  async function commitAtOnce(jobs: Job[]): Promise<boolean> {
    try {
      await steps.begin()
      for (const job of jobs) await job.run(queries)
      steps.commit()
    } catch (error) {
      attempt(steps.rollback)
      if (jobs.length > 1 && !(error instanceof DatabaseUnavailable)) return false
      for (const job of jobs) job.reject(error)
      return true
    }
    for (const job of jobs) job.resolve()
    return true
  }

  async function commitApart(jobs: Job[]): Promise<void> {
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
