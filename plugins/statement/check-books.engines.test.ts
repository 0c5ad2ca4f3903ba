// The continuous check of the books, on every engine: it finds what is wrong and never what is merely being written.
import { setImmediate } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { capture, hold, topUp } from '../../service/ledger/ledger.ts'
import { createTenant } from '../../service/ledger/tenants.ts'
import { createSilentLog } from '../../service/log.ts'
import type { Database } from '../../service/store/database.ts'
import { onEachEngine } from '../../testing/engines.ts'
import { openTestDatabase } from '../../testing/open-database.ts'
import { createBooksCheck } from './check-books.ts'

const MINUTE_MS = 60_000

onEachEngine('the books, added up all the time', (place, engine) => {
  let database: Database
  let nowMs = 1_700_000_000_000
  beforeAll(async () => {
    database = await openTestDatabase(await place())
    await database.transaction(async (queries) => {
      for (const id of ['acme', 'other', 'empty']) await createTenant(queries, { id, name: 'Lender', nowMs })
      for (const tenantId of ['acme', 'other']) {
        await topUp(queries, { tenantId, credits: 100_000, reference: 'first', nowMs })
      }
    })
  })
  afterAll(() => database.close())

  function newCheck() {
    const found: number[] = []
    const onChecked = (broken: number) => found.push(broken)
    const names: unknown[] = []
    const log = { ...createSilentLog(), error: (_event: string, fields?: object) => void names.push(fields) }
    const check = createBooksCheck({ database, clock: () => nowMs, log, onChecked })
    return { check, found, names }
  }
  async function spend(report: string): Promise<void> {
    const subject = { purpose: 'report' as const, subjectId: report }
    await hold(database, { tenantId: 'acme', creditReportId: report, ...subject, credits: 500, nowMs })
    await capture(database, subject, nowMs)
  }

  test('lines that are written meanwhile, old and young, are never missed', async () => {
    const { check, found } = newCheck()
    let isOver = false
    let count = 0
    const writer = (async () => {
      while (!isOver) {
        count += 1
        await spend(`busy-${count}`)
        nowMs += MINUTE_MS / 2
      }
    })()
    while (found.length < 10) {
      await check()
      await setImmediate()
    }
    isOver = true
    await writer
    nowMs += 2 * MINUTE_MS
    await check()
    expect(new Set(found)).toEqual(new Set([0]))
    expect(count).toBeGreaterThan(2)
  })

  test('a balance that is not the sum of its lines is found within a minute, and again by a new process', async () => {
    const { check, found } = newCheck()
    await check()
    await database.run(`UPDATE wallet SET balance_credits = balance_credits + 1 WHERE tenant_id = 'other'`)
    await check()
    expect(found).toEqual([0])
    nowMs += MINUTE_MS
    await check()
    expect(found).toEqual([0, 1])
    const another = newCheck()
    await another.check()
    expect(another.found).toEqual([1])
    await database.run(`UPDATE wallet SET balance_credits = balance_credits - 1 WHERE tenant_id = 'other'`)
    nowMs += MINUTE_MS
    await check()
    expect(found.at(-1)).toBe(0)
  })

  test('held credits are added up like the balance, and each lender is named', async () => {
    const { check, found, names } = newCheck()
    await database.run(`UPDATE wallet SET held_credits = held_credits + 1 WHERE tenant_id IN ('acme', 'empty')`)
    expect(await check()).toBe(0)
    expect(found).toEqual([2])
    expect(names).toEqual([{ tenantId: 'acme' }, { tenantId: 'empty' }])
    await database.run(`UPDATE wallet SET held_credits = held_credits - 1 WHERE tenant_id IN ('acme', 'empty')`)
    // Less than a minute later nothing is compared, nor reported again.
    nowMs += MINUTE_MS - 1
    expect(await check()).toBe(0)
    expect(found).toEqual([2])
  })

  test('what is still held is part of the sums, whenever it was held', async () => {
    const { check, found } = newCheck()
    for (const subjectId of ['open-1', 'open-2']) {
      const held = { purpose: 'report' as const, subjectId, creditReportId: subjectId, credits: 500, nowMs }
      await hold(database, { tenantId: 'acme', ...held })
      nowMs += 2 * MINUTE_MS
      await check()
    }
    nowMs += 2 * MINUTE_MS
    await check()
    expect(found).toEqual([0, 0, 0])
  })

  test('a clock that is set back does not keep the books from being compared', async () => {
    const { check, found } = newCheck()
    await check()
    nowMs -= MINUTE_MS
    await check()
    expect(found).toEqual([0, 0])
    nowMs += MINUTE_MS
  })

  test('many lines are added up a thousand at a time, and requests are answered in between', async () => {
    const { check, found } = newCheck()
    await database.transaction(async (queries) => {
      for (let line = 0; line < 2_500; line += 1)
        await topUp(queries, { tenantId: 'other', credits: 1, reference: `many-${line}`, nowMs: nowMs - 2 * MINUTE_MS })
    })
    const statements = vi.spyOn(database, 'all')
    let turns = 0
    let isOver = false
    const turning = (async () => {
      for (; !isOver; turns += 1) await setImmediate()
    })()
    await check()
    isOver = true
    const rows: { many: number }[][] = await Promise.all(statements.mock.results.map(({ value }) => value))
    statements.mockRestore()
    await turning
    const lines = rows.map((each) => each.reduce((sum, { many }) => sum + many, 0))
    expect(lines.slice(0, 2)).toEqual([1_000, 1_000])
    expect(lines.at(-1)).toBeLessThan(1_000)
    expect(turns).toBeGreaterThanOrEqual(lines.length)
    expect(found).toEqual([0])
  })

  test('a line that is committed after one with a higher number is added up too', async () => {
    const { check, found } = newCheck()
    const number = Number((await database.first('SELECT MAX(sequence) AS last FROM wallet_line'))?.last) + 1_000
    const insert = (sequence: number) =>
      database.run(
        `INSERT INTO wallet_line (sequence, id, tenant_id, kind, purpose, credits, created_at_ms)
           ${engine === 'postgres' ? 'OVERRIDING SYSTEM VALUE' : ''} VALUES (?, ?, 'acme', 'top-up', 'top-up', 7, ?)`,
        sequence,
        `top-up_late_${sequence}`,
        nowMs - MINUTE_MS / 2,
      )
    await insert(number)
    await check()
    await insert(number - 1)
    for (let rounds = 0; rounds < 3; rounds += 1) {
      nowMs += MINUTE_MS
      await check()
    }
    expect(found).toEqual([0, 0, 0, 0])
  })
})
