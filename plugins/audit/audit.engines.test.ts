import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AuditFilters } from '../../contract/audit.ts'
import type { Database } from '../../service/store/database.ts'
import { openChain, SAMPLE_EVENT } from '../../testing/audit-chain.ts'
import { onEachEngine } from '../../testing/engines.ts'
import { collectPlans } from '../../testing/explain.ts'
import { openTestDatabase } from '../../testing/open-database.ts'
import { listAudit, searchAudit, writeAudit } from './store.ts'

const event = { ...SAMPLE_EVENT, outcome: '200' }

onEachEngine('the audit trail', (place) => {
  let database: Database
  beforeAll(async () => {
    database = await openTestDatabase(await place())
  })
  afterAll(async () => {
    await database.close()
  })

  test('keeps what was written, newest first, each lender its own', async () => {
    const signIn = { ...event, tenantId: null, action: 'sign-in', object: null }
    const elsewhere = { ...event, tenantId: 'globex' }
    for (const each of [event, signIn, elsewhere]) await writeAudit(database, each)
    expect(await listAudit(database, { tenantId: null, limit: 10 })).toMatchObject([elsewhere, signIn, event])
    expect(await listAudit(database, { tenantId: 'acme', limit: 10 })).toMatchObject([event])
  })

  test.each([
    `UPDATE audit_event SET outcome = '403'`,
    `UPDATE audit_event SET link_position = NULL`,
    `UPDATE audit_event SET link_hash = 'x'`,
    'DELETE FROM audit_event',
  ])('refuses %s', async (sql) => {
    await writeAudit(database, event)
    const chain = await openChain(database)
    await chain.link()
    await expect(database.run(sql)).rejects.toThrow()
    expect((await listAudit(database, { tenantId: 'acme', limit: 1 }))[0]).toMatchObject(event)
    expect(await chain.problems()).toEqual([])
  })

  describe('a search', () => {
    const at = (day: number, index: number) => Date.UTC(2026, 10, day) + index
    const uma = { ...event, tenantId: 'search', actorId: 'uma', actorName: 'Uma 100%_One', outcome: 'done' }
    const leo = { object: 'check-1', objectName: 'Leo Moss' }
    const tom = { ...uma, ...leo, actorId: 'tom', actorName: 'Tom Two', actorEmail: 'tom@acme.example' }
    beforeAll(async () => {
      for (let index = 0; index < 10; index += 1) {
        await writeAudit(database, { ...uma, atMs: at(index < 5 ? 1 : 2, index), action: 'client.create' })
        const outcome = index % 2 === 0 ? '409' : '303'
        await writeAudit(database, { ...tom, atMs: at(3, index), action: 'caps.set', outcome })
      }
      await writeAudit(database, { ...tom, tenantId: 'elsewhere', atMs: at(3, 0) })
    })
    const search = (filters: AuditFilters, before: string | null = null, limit = 100) =>
      searchAudit(database, { tenantId: 'search', filters, before, limit })

    test.each<[string, AuditFilters, number]>([
      ['nothing', {}, 20],
      ['part of a name', { who: 'tom' }, 10],
      ['an e-mail address', { who: 'TOM@acme.example' }, 10],
      ['an id', { who: 'uma' }, 10],
      ['characters that are wildcards elsewhere', { who: '100%_o' }, 10],
      ['a wildcard', { who: '%' }, 10],
      ['SQL', { who: "' OR 1 = 1 --" }, 0],
      ['the id of what it was done to', { object: 'check-1' }, 10],
      ['part of the name of what it was done to', { object: 'LEO' }, 10],
      ['part of an id', { object: 'check' }, 0],
      ['an action', { action: 'caps.set' }, 10],
      ['a first day', { from: '2026-11-02' }, 15],
      ['a last day', { to: '2026-11-01' }, 5],
      ['one day', { from: '2026-11-02', to: '2026-11-02' }, 5],
      ['what was refused', { outcome: 'refused' }, 5],
      ['what was done', { outcome: 'done' }, 15],
      ['several at once', { who: 'Tom', outcome: 'done', from: '2026-11-03' }, 5],
    ])('for %s', async (_what, filters, count) => {
      const found = await search(filters)
      expect(found?.events).toHaveLength(count)
      expect(found?.nextBefore).toBeNull()
      expect(found?.events.every(({ tenantId }) => tenantId === 'search')).toBe(true)
    })

    test('newest first, in pages that neither skip nor repeat', async () => {
      const all = (await search({}))?.events ?? []
      expect(all.map(({ atMs }) => atMs)).toEqual(all.map(({ atMs }) => atMs).sort((one, other) => other - one))
      const paged: string[] = []
      for (let before: string | null = null; ; ) {
        const page = await search({}, before, 7)
        paged.push(...(page?.events.map(({ id }) => id) ?? []))
        before = page?.nextBefore ?? null
        if (before === null) break
      }
      expect(paged).toEqual(all.map(({ id }) => id))
    })

    test('another lender’s event, and what is none, is no cursor', async () => {
      const [theirs] =
        (await searchAudit(database, { tenantId: 'elsewhere', filters: {}, before: null, limit: 1 }))?.events ?? []
      expect(theirs).toBeDefined()
      for (const before of [theirs?.id ?? '', '0', '-1', 'x', '99999999999999', '1e9', '']) {
        expect(await search({}, before)).toBeNull()
      }
    })

    test('looks at so many events a page, by an index, however few match', async () => {
      const plans: string[] = []
      const undone = database.transaction(async (queries) => {
        await queries.run(
          `INSERT INTO audit_event (created_at_ms, tenant_id, actor_kind, action, outcome)
           WITH RECURSIVE counted (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < 12000)
           SELECT ${at(20, 0)} + n, CASE WHEN n % 100 = 0 THEN 'other' ELSE 'search' END, 'client', 'report.read', 'done' FROM counted`,
        )
        await queries.run('ANALYZE audit_event')
        const wanted = { tenantId: 'search', filters: { who: 'uma' }, limit: 3 }
        const pages: number[] = []
        let before: string | null = null
        do {
          const page = await searchAudit(queries, { ...wanted, before })
          pages.push(page?.events.length ?? -1)
          before = page?.nextBefore ?? null
        } while (before !== null)
        // 11,880 younger events in windows of 5,000, then Uma's ten by threes.
        expect(pages).toEqual([0, 0, 3, 3, 3, 1])
        const explained = collectPlans(queries, database, plans)
        await searchAudit(explained, { ...wanted, before: null })
        throw new RangeError('undo')
      })
      await expect(undone).rejects.toThrow(RangeError)
      expect(plans[0]).toContain('audit_event_by_time')
      expect(plans[0]).not.toMatch(/Sort|TEMP B-TREE/)
    })
  })
})
