import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { onEachEngine } from '../../testing/engines.ts'
import { openTestDatabase } from '../../testing/open-database.ts'
import type { Database, Queries } from '../store/database.ts'
import { createRateLimiter, rateLimitHeaders, WINDOW_MS } from './rate-limit.ts'

let database: Database

const START_MS = 1_800_000_000_000
let credentials = 0

/** Limiters as several processes have them: one database, one clock, nothing else in common. */
function createProcesses(count: number, limitPerMinute: number) {
  const credential = `client:${credentials++}`
  let nowMs = START_MS
  let writes = 0
  const counted: Queries = {
    ...database,
    first(sql, ...values) {
      writes++
      return database.first(sql, ...values)
    },
  }
  const limiters = Array.from({ length: count }, () => createRateLimiter({ database: counted, clock: () => nowMs }))
  return {
    take: (process = 0) =>
      limiters[process]?.take(credential, limitPerMinute) ?? Promise.reject(new Error('no such process')),
    advance: (ms: number) => {
      nowMs += ms
    },
    writes: () => writes,
  }
}

onEachEngine('rate limits', (place) => {
  beforeAll(async () => {
    database = await openTestDatabase(await place())
  })
  afterAll(() => database.close())

  describe('one process', () => {
    test('allows exactly the limit, then refuses until the minute is over', async () => {
      const { take, advance } = createProcesses(1, 60)
      for (let count = 1; count <= 60; count++)
        expect(await take()).toMatchObject({ allowed: true, remaining: 60 - count })
      expect(await take()).toEqual({ allowed: false, limit: 60, remaining: 0, resetSeconds: 60 })
      advance(WINDOW_MS - 1)
      expect(await take()).toMatchObject({ allowed: false, resetSeconds: 1 })
      advance(1)
      expect(await take()).toMatchObject({ allowed: true, remaining: 59 })
    })

    test('counts requests that arrive at once', async () => {
      const { take } = createProcesses(1, 60)
      const answers = await Promise.all(Array.from({ length: 200 }, () => take()))
      expect(answers.filter(({ allowed }) => allowed)).toHaveLength(60)
    })

    test('writes far less often than it is asked', async () => {
      const { take, writes } = createProcesses(1, 100_000)
      for (let count = 0; count < 1_000; count++) await take()
      expect(writes()).toBe(5)
    })

    test('a refused credential costs no writes at all', async () => {
      const { take, writes } = createProcesses(1, 1)
      await take()
      const before = writes()
      for (let count = 0; count < 10; count++) await take()
      expect(writes()).toBe(before)
    })
  })

  describe('several processes', () => {
    test.each([1, 2, 7, 60, 1_000])('share a limit of %i', async (limit) => {
      const { take } = createProcesses(3, limit)
      // Each is asked for more than the limit: none is left with an unused lease, however fast it was.
      const answers = await Promise.all(Array.from({ length: 3 * (limit + 10) }, (_, index) => take(index % 3)))
      expect(answers.filter(({ allowed }) => allowed)).toHaveLength(limit)
    })

    test('a restart does not give a second allowance', async () => {
      const { take } = createProcesses(2, 60)
      for (let count = 0; count < 60; count++) await take(0)
      expect(await take(1)).toMatchObject({ allowed: false })
    })

    test.each([0, 1])('a clock that was put back locks no one out of process %i', async (process) => {
      const { take, advance } = createProcesses(2, 1)
      advance(86_400_000)
      expect(await take(0)).toMatchObject({ allowed: true })
      advance(-86_400_000)
      expect(await take(process)).toMatchObject({ allowed: true })
    })
  })

  test.each([
    [60, 45],
    [61, 45],
    [10_000, 9_800],
  ])('of %i a process that stops after one forfeits a quarter, or 200: %i are left', async (limit, left) => {
    const { take } = createProcesses(2, limit)
    expect(await take(0)).toMatchObject({ allowed: true, limit, remaining: limit - 1 })
    let allowed = 0
    while ((await take(1)).allowed) allowed += 1
    expect(allowed).toBe(left)
  })

  test.each([0, 1])('a minute is over for process %i when its last millisecond is', async (process) => {
    const { take, advance } = createProcesses(2, 1)
    await take(0)
    advance(WINDOW_MS - 1)
    expect(await take(process)).toMatchObject({ allowed: false, resetSeconds: 1 })
    advance(1)
    expect(await take(process)).toMatchObject({ allowed: true, resetSeconds: 60 })
  })

  test.each([0, 1])(
    'a clock that is put back by a minute opens no new one for process %i, by more it does',
    async (process) => {
      const { take, advance } = createProcesses(2, 1)
      await take(0)
      advance(-WINDOW_MS)
      expect(await take(process)).toMatchObject({ allowed: false, resetSeconds: 120 })
      advance(-1)
      expect(await take(process)).toMatchObject({ allowed: true, resetSeconds: 60 })
    },
  )

  test('a database that is down refuses no one for good', async () => {
    let isDown = true
    const flaky: Queries = {
      ...database,
      first: (sql, ...values) => (isDown ? Promise.reject(new Error('down')) : database.first(sql, ...values)),
    }
    const limiter = createRateLimiter({ database: flaky, clock: () => START_MS })
    await expect(limiter.take('client:flaky', 1)).rejects.toThrow('down')
    isDown = false
    expect(await limiter.take('client:flaky', 1)).toMatchObject({ allowed: true })
  })

  test('another credential has its own allowance', async () => {
    const one = createProcesses(1, 1)
    await one.take()
    expect(await createProcesses(1, 1).take()).toMatchObject({ allowed: true })
  })
})

test('headers say the limit, what is left and when it is whole again', () => {
  const allowance = { allowed: true, limit: 60, remaining: 12, resetSeconds: 34 }
  expect(Object.fromEntries(rateLimitHeaders(allowance))).toEqual({
    'RateLimit-Limit': '60',
    'RateLimit-Remaining': '12',
    'RateLimit-Reset': '34',
    'RateLimit-Policy': '60;w=60',
  })
  expect(rateLimitHeaders({ ...allowance, allowed: false })).toContainEqual(['Retry-After', '34'])
})
