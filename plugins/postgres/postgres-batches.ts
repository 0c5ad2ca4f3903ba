// Simultaneous statements of one lender's requests become one transaction and one round trip. At most one such group
// of a lender is in progress in a process: the next one gathers meanwhile, and a lender never has more than one
// connection.
//
//   A ─▶ [lock A] commit ─▶ answered
//   B, C arrive ─────────▶ [lock B C] commit ─▶ answered      one of them fails: each again by itself
import type { Queries, Row, SqlValue, Unless } from '../../service/store/database.ts'
import { DatabaseUnavailable, isBreachOf, RETURNS } from '../../service/store/database.ts'
import { inOurWords } from './postgres-errors.ts'
import type { StepResult } from './postgres-together.ts'
import { StepFailed } from './postgres-together.ts'

/** More would make the first wait for the last, and other lenders for the event loop. */
const GROUP_MAX = 32

export type Statement = { sql: string; values: readonly SqlValue[] }

/** `send` runs the statements as one transaction; it rejects with `StepFailed` when they did not become one. */
export function createBatches(send: (statements: readonly Statement[]) => Promise<StepResult[]>) {
  /** Jobs queued per tenant while that tenant's batch runs. */
  const waiting = new Map<string, Job[]>()

  async function drain(tenantId: string, first: Job): Promise<void> {
    const queue = [first]
    waiting.set(tenantId, queue)
    while (queue.length > 0) {
      // The turn in between lets the sockets deliver the requests that will share the next commit.
      await nextTurn()
      await runGroup(tenantId, queue.splice(0, GROUP_MAX))
    }
    waiting.delete(tenantId)
  }

  async function runGroup(tenantId: string, jobs: Job[]): Promise<void> {
    try {
      await run(tenantId, jobs)
    } catch (error) {
      if (jobs.length === 1 || error instanceof DatabaseUnavailable) for (const job of jobs) job.reject(error)
      // Any job may have failed the batch, and none of it was committed: each is run again alone.
      else for (const job of jobs) await run(tenantId, [job]).catch((reason) => job.reject(reason))
    }
  }

  async function run(tenantId: string, jobs: Job[]): Promise<void> {
    const recordings = jobs.map((job) => record(job.work))
    // Work that threw before asking for anything has rejected by now: nothing of it may be sent.
    await nextTurn()
    const early = recordings.find(({ failure }) => failure() !== null)
    if (early) throw early.failure()?.reason
    const steps = recordings.flatMap((recording) => recording.steps)
    try {
      const results = await send([{ sql: LOCK, values: [tenantId] }, ...steps])
      for (const [index, step] of steps.entries()) step.resolve(results[index + 1] ?? { rows: [], count: 0 })
    } catch (error) {
      const reason = jobs.length === 1 ? errorOf(error, steps) : inOurWords(error)
      for (const step of steps) step.reject(reason)
      throw reason
    }
    for (const [index, job] of jobs.entries()) recordings[index]?.answer.then(job.resolve, job.reject)
  }

  return {
    submit: <T>(tenantId: string, work: (queries: Queries) => Promise<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        const job: Job = { work, resolve: (value) => resolve(value as T), reject }
        const queue = waiting.get(tenantId)
        if (queue) queue.push(job)
        else void drain(tenantId, job)
      }),
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}

// First, and so in every process: groups that hold several rows of a lender each would else wait for each other in a
// circle.
const LOCK = 'SELECT balance_credits FROM wallet WHERE tenant_id = ? FOR NO KEY UPDATE'

type Job = {
  work(queries: Queries): Promise<unknown>
  resolve(value: unknown): void
  reject(error: unknown): void
}

type RecordedStep = Statement & {
  unless: Unless | null
  resolve(result: StepResult): void
  reject(error: unknown): void
}

/** Writes down what the work asks for. Its answer settles once the steps do. */
function record(work: Job['work']) {
  const steps: RecordedStep[] = []
  let failure: { reason: unknown } | null = null
  let isOpen = true

  function ask<T>(read: (result: StepResult) => T, sql: string, values: SqlValue[], unless: Unless | null = null) {
    if (!isOpen) return Promise.reject(new Error('a batch asks for everything at once'))
    const answered = new Promise<StepResult>((resolve, reject) => {
      steps.push({ sql: unless === null ? sql : checked(sql), values, unless, resolve, reject })
    })
    const answer = answered.then(read)
    answer.catch(ignore)
    return answer
  }

  const answer = work({
    all: <R extends Row>(sql: string, ...values: SqlValue[]) => ask(({ rows }) => rows as R[], sql, values),
    first: <R extends Row>(sql: string, ...values: SqlValue[]) =>
      ask(({ rows }) => (rows[0] as R | undefined) ?? null, sql, values),
    run: (sql, ...values) => ask(({ count }) => count, sql, values),
    must: (unless, sql, ...values) => ask(({ rows }) => rows[0] ?? {}, sql, values, unless),
  })
  isOpen = false
  answer.catch((reason: unknown) => {
    failure = { reason }
  })
  return { steps, answer, failure: (): { reason: unknown } | null => failure }
}

function ignore(): void {}

/** Made once each: a new string would have to be hashed to find its plan. */
const checkedStatements = new Map<string, string>()

/** The statement, which fails when it finds nothing to change: `1 / 0` ends the transaction on the server. */
function checked(sql: string): string {
  let statement = checkedStatements.get(sql)
  if (statement === undefined) {
    const step = RETURNS.test(sql) ? sql : `${sql} RETURNING 1 AS changed`
    statement = `WITH step AS (${step})
      SELECT step.* FROM (SELECT 1 / COUNT(*) AS found FROM step) AS checked LEFT JOIN step ON found >= 0`
    checkedStatements.set(sql, statement)
  }
  return statement
}

const DIVISION_BY_ZERO = '22012'

function errorOf(error: unknown, steps: readonly RecordedStep[]): unknown {
  const reason = inOurWords(error)
  // One behind: the lock came first.
  const unless = error instanceof StepFailed ? steps[error.index - 1]?.unless : null
  if (!(error instanceof StepFailed && unless)) return reason
  const isEmpty = error.cause instanceof Error && 'code' in error.cause && error.cause.code === DIVISION_BY_ZERO
  return isEmpty || isBreachOf(reason, unless.constraint) ? unless.error() : reason
}
