// Storing events and reading them in pages, on every engine.
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Database, Queries } from '../../service/store/database.ts'
import { onEachEngine } from '../../testing/engines.ts'
import { openTestDatabase } from '../../testing/open-database.ts'
import { type AuditEvent, listAudit, listAuditOf, searchAudit, walkAudit, writeAudit } from './store.ts'

const DAY_MS = 86_400_000

const event: AuditEvent = {
  atMs: Date.now(),
  tenantId: 'acme',
  actorKind: 'person',
  actorId: 'uma',
  actorName: null,
  actorEmail: null,
  action: 'client.create',
  object: 'shop',
  change: null,
  address: null,
  outcome: '200',
}

onEachEngine('events', (place) => {
  let database: Database
  beforeAll(async () => {
    database = await openTestDatabase(await place())
  })
  afterAll(() => database.close())

  /** Numbered from 1, a millisecond apart, by Tom; those in `uma` by Uma. */
  type Filling = { count: number; firstMs?: number; uma?: readonly number[] }
  const fill = (queries: Queries, { count, firstMs = 1, uma = [] }: Filling) =>
    queries.run(
      `INSERT INTO audit_event (created_at_ms, tenant_id, actor_kind, actor_id, action, outcome)
       WITH RECURSIVE counted (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < ${count})
       SELECT ${firstMs} - 1 + n, 'filled', 'person', CASE WHEN n IN (${[0, ...uma].join(', ')}) THEN 'uma' ELSE 'tom' END,
         'report.read', 'done' FROM counted`,
    )
  const undone = (work: (queries: Queries) => Promise<void>) =>
    expect(
      database.transaction(async (queries) => {
        await work(queries)
        throw new RangeError('undo')
      }),
    ).rejects.toThrow(RangeError)

  test.each<[name: string, change: AuditEvent['change'], kept: boolean]>([
    ['1,000 characters is kept', { from: null, to: 'x'.repeat(1_000 - '{"from":null,"to":""}'.length) }, true],
    ['1,001 characters is left out', { from: null, to: 'x'.repeat(1_001 - '{"from":null,"to":""}'.length) }, false],
  ])('a change of %s', async (_name, change, isKept) => {
    await writeAudit(database, { ...event, change })
    const [written] = await listAudit(database, { tenantId: 'acme', limit: 1 })
    expect(written).toMatchObject({ ...event, change: isKept ? change : null })
  })

  test('of the name of what it was done to, 200 characters are kept', async () => {
    await writeAudit(database, { ...event, object: `${'a'.repeat(200)}b` })
    const [written] = await listAudit(database, { tenantId: 'acme', limit: 1 })
    expect(written?.object).toBe('a'.repeat(200))
  })

  test('what was done to one thing is listed newest first, of this lender and this thing alone', async () => {
    const mine = { ...event, tenantId: 'lister', object: 'one' }
    const own = ['a', 'b', 'c'].map((action) => ({ ...mine, action }))
    for (const each of own) await writeAudit(database, each)
    for (const other of [{ tenantId: 'elsewhere' }, { object: 'other' }, { object: null }])
      await writeAudit(database, { ...mine, ...other })
    const list = (limit: number) => listAuditOf(database, { tenantId: 'lister', object: 'one', limit })
    expect(await list(10)).toEqual(own.toReversed())
    expect(await list(2)).toEqual(own.toReversed().slice(0, 2))
  })

  test('a page that holds the last match names no next one, a smaller one does', async () => {
    await undone(async (queries) => {
      await fill(queries, { count: 6 })
      const page = (limit: number) => searchAudit(queries, { tenantId: 'filled', filters: {}, before: null, limit })
      expect(await page(6)).toMatchObject({ nextBefore: null })
      const five = await page(5)
      expect(five?.events).toHaveLength(5)
      expect(five?.nextBefore).toBe(five?.events.at(-1)?.id)
    })
  })

  test('an event at the end of a window of 5,000, and the first behind it, are found once', async () => {
    await undone(async (queries) => {
      await fill(queries, { count: 10_000, uma: [5_000, 5_001] })
      const found: number[][] = []
      let before: string | null = null
      do {
        const filters = { who: 'uma' }
        const page = await searchAudit(queries, { tenantId: 'filled', filters, before, limit: 10 })
        found.push(page?.events.map(({ atMs }) => atMs) ?? [])
        before = page?.nextBefore ?? null
      } while (before !== null)
      expect(found).toEqual([[5_001], [5_000], []])
    })
  })

  test('all events are walked through in pages of a hundred, up to a day too', async () => {
    await undone(async (queries) => {
      await fill(queries, { count: 201 })
      for (const filters of [{}, { to: '1970-01-01' }]) {
        const pages: AuditEvent[][] = []
        for await (const page of walkAudit(queries, { tenantId: 'filled', filters })) pages.push(page)
        expect(pages.map(({ length }) => length)).toEqual([100, 100, 1])
        expect(pages.flat().map(({ atMs }) => atMs)).toEqual(Array.from({ length: 201 }, (_, index) => 201 - index))
      }
      const wanted = { tenantId: 'filled', limit: 1 }
      const newest = await searchAudit(queries, { ...wanted, filters: {}, before: null })
      const before = newest?.nextBefore ?? ''
      expect(await searchAudit(queries, { ...wanted, filters: { to: '1969-12-31' }, before })).toMatchObject({
        events: [],
      })
    })
  })

  test('events that are deleted while they are walked through end the walk with an error', async () => {
    await fill(database, { count: 101, firstMs: Date.now() - 400 * DAY_MS })
    const walk = walkAudit(database, { tenantId: 'filled', filters: {} })
    expect((await walk.next()).value).toHaveLength(100)
    await database.run(`DELETE FROM audit_event WHERE tenant_id = 'filled'`)
    await expect(walk.next()).rejects.toThrow('the events were deleted while they were read')
  })
})
