import { afterEach, beforeEach, expect, test } from 'vitest'
import { isClean, reconcile } from '../plugins/statement/reconcile.ts'
import { createTestApp, liveRequest, type TestApp, testRequest } from '../testing/test-app.ts'
import { createLog, createSilentLog } from './log.ts'
import { SWEEP_ROWS_MAX, SweepIncomplete } from './store/sweep-rows.ts'
import { createSweeper } from './sweeper.ts'

const DAY_MS = 86_400_000

let app: TestApp
beforeEach(async () => {
  app = await createTestApp()
})
afterEach(async () => {
  expect(isClean(await reconcile(app.database))).toBe(true)
  await app.close()
})

const count = async (table: string) =>
  Number((await app.database.first(`SELECT COUNT(*) AS many FROM ${table}`))?.many ?? 0)

test('after the retention a report’s content is gone, and its books stay', async () => {
  const live = (await app.generate(liveRequest('Allow'))).body.data
  const trial = (await app.generate(testRequest('challenge'))).body.data
  app.time.nowMs += 30 * DAY_MS
  await app.sweeper.sweep()
  expect(await count('sealed_report')).toBe(2)

  app.time.nowMs += 1
  const young = (await app.generate(testRequest('challenge'))).body.data
  expect((await app.sweeper.sweep()).oldReports).toBe(2)
  expect(await count('sealed_report')).toBe(1)
  // A live report leaves its ids and states, which the books need; a test report leaves nothing.
  const rows = await app.database.all('SELECT id FROM credit_report ORDER BY id')
  expect(rows.map((row) => row.id)).toEqual([live.creditReportId, young.creditReportId])
  expect((await app.submit(trial, '123456')).body.code).toBe('credit-report-not-found')
  expect((await app.submit(young, '123456')).body.data.status).toBe('complete')
  expect(await app.lines(live.creditReportId)).toHaveLength(2)
})

test('of trials that were blocked nothing stays either, and what was looked at is not looked at again', async () => {
  await app.generate(testRequest('block'))
  const live = (await app.generate(liveRequest('Block'))).body.data
  app.time.nowMs += 30 * DAY_MS + 1
  await app.sweeper.sweep()
  const rows = await app.database.all('SELECT id FROM credit_report')
  expect(rows.map((row) => row.id)).toEqual([live.creditReportId])
  await app.generate(testRequest('block'))
  app.time.nowMs += 30 * DAY_MS + 1
  await app.sweeper.sweep()
  expect(await count('credit_report')).toBe(1)
})

test('challenges expire and contents are erased on the day, however many reports before them are over', async () => {
  await Promise.all(Array.from({ length: 501 }, () => app.generate(liveRequest('Block'))))
  app.time.nowMs += 1
  await app.generate(liveRequest('Allow'))
  await app.generate(liveRequest())
  await app.generate(testRequest('challenge'))
  app.time.nowMs += app.config.challengeLifetimeMs + 1
  expect(await app.sweeper.sweep()).toMatchObject({ expiredChallenges: 1 })
  app.time.nowMs += 30 * DAY_MS
  expect(await app.sweeper.sweep()).toMatchObject({ oldReports: 2 })
  expect(await count('sealed_report')).toBe(0)
})

test('keys are forgotten after a day, in batches that come to an end', async () => {
  await app.generate(testRequest('block'), { 'Idempotency-Key': 'a-key' })
  await app.database.run(
    `INSERT INTO idempotency (scope, fingerprint, report_id, created_at_ms)
     WITH RECURSIVE counted (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < 1003)
     SELECT 'scope-' || n, '', '', ? FROM counted`,
    app.time.nowMs,
  )
  app.time.nowMs += DAY_MS + 1
  expect((await app.sweeper.sweep()).oldKeys).toBe(1_000)
  expect((await app.sweeper.sweep()).oldKeys).toBe(4)
  expect(await count('idempotency')).toBe(0)
})

test('two sweepers at once settle everything once', async () => {
  for (let index = 0; index < 10; index += 1) await app.generate(liveRequest())
  app.time.nowMs += app.config.challengeLifetimeMs + 1
  const rounds = await Promise.all([app.sweeper.sweep(), app.sweeper.sweep(), app.sweeper.sweep()])
  expect(rounds.map((round) => round.expiredChallenges).reduce((sum, each) => Number(sum) + Number(each), 0)).toBe(10)
  expect(await app.wallet()).toMatchObject({ heldCredits: 0, balanceCredits: 1_000_000 - 10 * 40 })
})

test('of two processes one sweeps, and the other takes over when it stops', async () => {
  const swept: string[] = []
  const start = (name: string) =>
    createSweeper({
      tasks: {
        async look() {
          swept.push(name)
          return 0
        },
      },
      database: app.database,
      clock: () => app.time.nowMs,
      log: createSilentLog(),
    }).start()
  const until = async (count: number) => {
    while (swept.length < count) await new Promise((resolve) => setTimeout(resolve, 5))
  }
  const stopOne = start('one')
  await until(1)
  const stopIdle = start('other')
  // Its first round is over once it has stopped.
  await stopIdle()
  expect(swept).toEqual(['one'])
  await stopOne()
  const stopOther = start('other')
  await until(2)
  await stopOther()
  expect(swept).toEqual(['one', 'other'])
})

test('a process that fell silent loses its turn', async () => {
  await app.database.run(
    `INSERT INTO sweep_turn (id, process_id, until_ms) VALUES (1, 'gone', ?)`,
    app.time.nowMs + 15_000,
  )
  await app.generate(liveRequest())
  app.time.nowMs += app.config.challengeLifetimeMs + 1
  const stop = app.sweeper.start()
  await stop()
  expect(await app.wallet()).toMatchObject({ heldCredits: 0 })
})

test.each([
  ['a moment ago', -1, true],
  ['now', 0, false],
  ['twice the time of a turn from now', 30_000, false],
  // Taken by a clock that was ahead and has been corrected.
  ['longer from now than any turn lasts', 30_001, true],
])('a turn of another process that ends %s', async (_name, fromNowMs, isTaken) => {
  const { database, time } = app
  await database.run(`INSERT INTO sweep_turn (id, process_id, until_ms) VALUES (1, 'gone', ?)`, time.nowMs + fromNowMs)
  const seen: unknown[] = []
  const observer = {
    started: (tasks: readonly string[], atMs: number) => void seen.push(['started', tasks, atMs]),
    swept: (task: string, { atMs }: { atMs: number }) => void seen.push(['swept', task, atMs]),
    idle: () => void seen.push('idle'),
  }
  const tasks = {
    async look() {
      seen.push(await database.first('SELECT until_ms FROM sweep_turn'))
      return 0
    },
  }
  const stop = createSweeper({ tasks, database, clock: () => time.nowMs, log: createSilentLog(), observer }).start()
  await stop()
  const turn = [{ until_ms: time.nowMs + 15_000 }, ['swept', 'look', time.nowMs]]
  expect(seen).toEqual([['started', ['look'], time.nowMs], ...(isTaken ? turn : ['idle'])])
  expect(await count('sweep_turn')).toBe(isTaken ? 0 : 1)
})

test('a process that is behind goes on with its own turn', async () => {
  const { database, time } = app
  let rounds = 0
  const tasks = {
    async full() {
      rounds += 1
      return SWEEP_ROWS_MAX
    },
  }
  const stop = createSweeper({ tasks, database, clock: () => time.nowMs, log: createSilentLog() }).start()
  while (rounds < 3) await new Promise((resolve) => setTimeout(resolve, 5))
  await stop()
})

test('a database that is down is logged, and the sweeper can be stopped', async () => {
  const lines: string[] = []
  const log = createLog({ strict: true, to: { write: (line) => lines.push(line) } })
  const down = () => Promise.reject(new RangeError('on purpose'))
  const stop = createSweeper({ tasks: {}, database: { run: down }, clock: () => 0, log }).start()
  await stop()
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { event: 'sweep failed', jobId: 'turn', errorClass: 'RangeError' },
  ])
})

test('old sessions and claims are forgotten in steps that come to an end', async () => {
  const values = (row: (index: number) => string) => Array.from({ length: 1_100 }, (_, index) => row(index)).join(', ')
  await app.database.run(`INSERT INTO device_session
    (session_hash, opened_at_ms, expires_at_ms, signals, profiled, device_hash, tenant_id, consumer_hash)
    VALUES ${values((index) => `('s${index}', 0, 0, NULL, 1, 'd', 'demo-lender', 'c')`)}`)
  await app.database.run(
    `INSERT INTO text_claim_turn (trait_index, taken_at_ms) VALUES ${values((index) => `('t${index}', 0)`)}`,
  )
  const traits = [
    'number',
    'everywhere',
    'prefix',
    'source',
    'address',
    'block',
    'site',
    'device',
    'person',
    'tenant',
  ].map((trait) => `${trait}_index`)
  await app.database.run(`INSERT INTO text_claim (report_id, send_number, ${traits.join(', ')}, claimed_at_ms)
    VALUES ${values((index) => `('r${index}', 1, ${traits.map(() => "'x'").join(', ')}, 0)`)}`)
  expect(await app.sweeper.sweep()).toMatchObject({ oldSessions: 1_000, oldTextClaims: 2_000 })
  expect(await app.sweeper.sweep()).toMatchObject({ oldSessions: 100, oldTextClaims: 200 })
  for (const table of ['device_session', 'text_claim_turn', 'text_claim']) expect(await count(table)).toBe(0)
})

test('a clock that was ahead and has been corrected keeps no credits on hold', async () => {
  app.time.nowMs += 365 * DAY_MS
  await app.generate(liveRequest())
  app.time.nowMs -= 365 * DAY_MS
  await app.generate(liveRequest())
  expect((await app.sweeper.sweep()).expiredChallenges).toBe(1)
  expect(await app.wallet()).toMatchObject({ heldCredits: 500, balanceCredits: 1_000_000 - 500 - 2 * 40 })
})

test('a task that fails does not keep the others from their work', async () => {
  await app.generate(liveRequest())
  await app.database.run('DROP TABLE idempotency')
  app.time.nowMs += app.config.challengeLifetimeMs + 1
  const done = await app.sweeper.sweep()
  expect(done.expiredChallenges).toBe(1)
  expect(done).not.toHaveProperty('oldKeys')
})

test('a task has fallen behind when a full round was not enough, also where rows of it failed', async () => {
  const swept: [string, number | null, boolean][] = []
  const lines: string[] = []
  const log = createLog({ strict: true, to: { write: (line) => lines.push(line) } })
  const tasks = {
    full: async () => SWEEP_ROWS_MAX,
    incomplete: () => Promise.reject(new SweepIncomplete(SWEEP_ROWS_MAX, { cause: new RangeError('on purpose') })),
    broken: () => Promise.reject(new RangeError('on purpose')),
    idle: async () => 0,
  }
  const observer = {
    started: () => {},
    idle: () => {},
    swept: (task: string, { count, isBehind }: { count: number | null; isBehind: boolean }) => {
      swept.push([task, count, isBehind])
    },
  }
  const { database } = app
  const sweeper = createSweeper({ tasks, database, clock: () => app.time.nowMs, log, observer })
  expect(await sweeper.sweep()).toEqual({ full: SWEEP_ROWS_MAX, idle: 0 })
  expect(swept).toEqual([
    ['full', SWEEP_ROWS_MAX, true],
    ['incomplete', null, true],
    ['broken', null, false],
    ['idle', 0, false],
  ])
  // Of rows that failed, what went wrong; not that some did.
  expect(lines.map((line) => JSON.parse(line))).toMatchObject(
    ['incomplete', 'broken'].map((jobId) => ({ event: 'sweep failed', jobId, errorClass: 'RangeError' })),
  )
})

test('what is running is stopped after its round', async () => {
  await app.generate(liveRequest())
  app.time.nowMs += app.config.challengeLifetimeMs + 1
  const stop = app.sweeper.start()
  await stop()
  expect(await app.wallet()).toMatchObject({ heldCredits: 0 })
})
