import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AuditFilters } from '../../contract/audit.ts'
import type { WebhookFact } from '../../contract/webhook-event.ts'
import { createTenant } from '../../service/ledger/tenants.ts'
import { createSilentLog } from '../../service/log.ts'
import type { Database, Queries } from '../../service/store/database.ts'
import { onEachEngine } from '../../testing/engines.ts'
import { collectPlans } from '../../testing/explain.ts'
import { openTestDatabase } from '../../testing/open-database.ts'
import {
  checkAuditChain,
  forgetOldAudit,
  linkAudit,
  publishAuditHead,
  readVerified,
  verifyAuditChain,
} from './chain.ts'
import { type AuditEvent, listAudit, searchAudit, writeAudit } from './store.ts'

const DAY_MS = 86_400_000

const event: AuditEvent = {
  atMs: Date.now(),
  tenantId: 'acme',
  actorKind: 'person',
  actorId: 'u1',
  actorName: 'Uma One',
  actorEmail: 'uma@acme.example',
  action: 'client.create',
  object: 'acme-1',
  change: { from: 'support', to: 'owner' },
  address: '203.0.113.7',
  outcome: '200',
}

onEachEngine('the audit trail', (place, engine) => {
  let location: Awaited<ReturnType<typeof place>>
  let database: Database
  beforeAll(async () => {
    location = await place()
    database = await openTestDatabase(location)
  })
  afterAll(async () => {
    await database.close()
  })

  test('keeps what was written, newest first, each lender its own', async () => {
    const signIn = { ...event, tenantId: null, action: 'sign-in', object: null }
    const elsewhere = { ...event, tenantId: 'globex' }
    for (const each of [event, signIn, elsewhere]) await writeAudit(database, each)
    expect(await listAudit(database, { tenantId: null, limit: 10 })).toEqual([elsewhere, signIn, event])
    expect(await listAudit(database, { tenantId: 'acme', limit: 10 })).toEqual([event])
  })

  test.each([
    `UPDATE audit_event SET outcome = '403'`,
    `UPDATE audit_event SET link_position = NULL`,
    `UPDATE audit_event SET link_hash = 'x'`,
    'DELETE FROM audit_event',
  ])('refuses %s', async (sql) => {
    await writeAudit(database, event)
    await linkAudit(database)
    await expect(database.run(sql)).rejects.toThrow()
    expect((await listAudit(database, { tenantId: 'acme', limit: 1 }))[0]).toEqual(event)
    expect(await verifyAuditChain(database)).toEqual([])
  })

  /** As a version without links writes one. */
  const insertOld = (queries: Queries) =>
    queries.run(
      `INSERT INTO audit_event (created_at_ms, tenant_id, actor_kind, actor_id, action, object, address, outcome)
       VALUES (?, NULL, 'unknown', NULL, 'sign-in', NULL, NULL, '200')`,
      Date.now(),
    )

  test('every event is linked once, whichever process or version wrote it, and however many link at once', async () => {
    const other = await openTestDatabase(location, 'operator')
    try {
      const write = async (queries: Database) => {
        for (let count = 0; count < 30; count += 1) await writeAudit(queries, event)
        await insertOld(queries)
      }
      await Promise.all([write(database), write(other)])
      // One of two at once may find that the other has linked everything.
      await Promise.allSettled([linkAudit(database), linkAudit(other)])
      await linkAudit(other)
    } finally {
      await other.close()
    }
    const unlinked = await database.all('SELECT 1 AS one FROM audit_event WHERE link_position IS NULL')
    expect(unlinked).toEqual([])
    expect(await verifyAuditChain(database)).toEqual([])
    expect(await linkAudit(database)).toBe(0)
  })

  test('a transaction that took its number first and commits last is linked too', async () => {
    const other = await openTestDatabase(location, 'operator')
    const overtake = async () => {
      await writeAudit(other, event)
      await linkAudit(other)
    }
    try {
      await database.transaction(async (queries) => {
        await writeAudit(queries, event)
        // SQLite has one writer: there nothing can be written in between.
        if (engine === 'postgres') await overtake()
      })
      await linkAudit(other)
    } finally {
      await other.close()
    }
    expect(await database.all('SELECT 1 AS one FROM audit_event WHERE link_position IS NULL')).toEqual([])
    expect(await verifyAuditChain(database)).toEqual([])
  })

  test('the head is logged and queued once a day, for every lender', async () => {
    const logged: unknown[] = []
    const log = { ...createSilentLog(), info: (name: string, fields: unknown) => logged.push({ name, fields }) }
    for (const id of ['acme', 'globex']) await createTenant(database, { id, name: id, nowMs: 0 })
    const announced: unknown[] = []
    const announce = async (_queries: Queries, fact: WebhookFact) => void announced.push(fact)
    const publish = (nowMs: number) => publishAuditHead({ database, clock: () => nowMs, log, announce })
    const dayMs = Math.ceil(Date.now() / DAY_MS) * DAY_MS
    const at = [dayMs, dayMs + 1, dayMs + DAY_MS - 1, dayMs + DAY_MS]
    const published = []
    for (const nowMs of at) published.push(await publish(nowMs))
    expect(published).toEqual([1, 0, 0, 1])
    const head = await database.first('SELECT position, hash FROM audit_head')
    const facts = ['acme', 'globex'].map((tenantId) => ({ type: 'audit.head', data: { tenantId, ...head } }))
    expect(announced).toEqual([...facts, ...facts])
    expect(logged).toEqual([
      { name: 'audit head', fields: head },
      { name: 'audit head', fields: head },
    ])
  })

  const DISARM = {
    sqlite: [
      'DROP TRIGGER audit_event_no_update',
      'DROP TRIGGER audit_event_no_relink',
      'DROP TRIGGER audit_event_no_delete',
    ],
    postgres: ['ALTER TABLE audit_event DISABLE TRIGGER USER'],
  }
  const MIDDLE = '(SELECT MAX(link_position) - 3 FROM audit_event)'
  test.each([
    ['changed', `UPDATE audit_event SET outcome = 'other' WHERE link_position = ${MIDDLE}`, /event \d+ was changed/],
    [
      'moved to another person',
      `UPDATE audit_event SET actor_name = 'Eve' WHERE link_position = ${MIDDLE}`,
      /was changed/,
    ],
    ['deleted', `DELETE FROM audit_event WHERE link_position = ${MIDDLE}`, /the events from \d+ to \d+ are missing/],
    [
      'cut off at the end',
      `DELETE FROM audit_event WHERE link_position > ${MIDDLE}`,
      /the events from \d+ to \d+ are missing/,
    ],
    [
      'cut off at the beginning',
      `DELETE FROM audit_event WHERE link_position < ${MIDDLE}`,
      /the events from 1 to \d+ are missing/,
    ],
    ['unlinked', `UPDATE audit_event SET link_position = NULL WHERE link_position = ${MIDDLE}`, /are missing/],
  ])('one whose rules were switched off and whose line was %s is found out', async (_how, sql, problem) => {
    const copy = await openTestDatabase(await place())
    try {
      for (let count = 0; count < 10; count += 1) await writeAudit(copy, event)
      await linkAudit(copy)
      expect(await verifyAuditChain(copy)).toEqual([])
      for (const statement of DISARM[copy.engine]) await copy.run(statement)
      await copy.run(sql)
      expect(await verifyAuditChain(copy)).toEqual([expect.stringMatching(problem)])
    } finally {
      await copy.close()
    }
  })

  test('is kept for its time, from the beginning of the chain on, and what is younger than 30 days in any case', async () => {
    const copy = await openTestDatabase(await place())
    try {
      const ages = [402, 401, 399, 401, 29]
      for (const days of ages) await writeAudit(copy, { ...event, atMs: event.atMs - days * DAY_MS })
      expect(await forgetOldAudit(copy, event.atMs - 400 * DAY_MS)).toBe(0)
      await linkAudit(copy)
      // The one that is older than the event before it goes with that one: no gap is left.
      expect(await forgetOldAudit(copy, event.atMs - 400 * DAY_MS)).toBe(2)
      expect(await verifyAuditChain(copy)).toEqual([])
      await expect(forgetOldAudit(copy, event.atMs)).rejects.toThrow()
      expect(await forgetOldAudit(copy, event.atMs - 31 * DAY_MS)).toBe(2)
      expect(await listAudit(copy, { tenantId: 'acme', limit: 10 })).toHaveLength(1)
      expect(await verifyAuditChain(copy)).toEqual([])
    } finally {
      await copy.close()
    }
  })

  describe('a search', () => {
    const at = (day: number, index: number) => Date.UTC(2026, 10, day) + index
    const uma = { ...event, tenantId: 'search', actorId: 'uma', actorName: 'Uma 100%_One', outcome: 'done' }
    const tom = { ...uma, actorId: 'tom', actorName: 'Tom Two', actorEmail: 'tom@acme.example' }
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

  test('the chain is checked once a day, a page in each round, and what it found is kept', async () => {
    const copy = await openTestDatabase(await place())
    const logged: string[] = []
    const log = { ...createSilentLog(), error: (name: string) => void logged.push(name) }
    let nowMs = event.atMs
    const check = () => checkAuditChain({ database: copy, clock: () => nowMs, log })
    try {
      await check()
      expect(await readVerified(copy)).toBeNull()
      await copy.run(
        `INSERT INTO audit_event (created_at_ms, actor_kind, action, outcome)
         WITH RECURSIVE counted (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < 1500)
         SELECT ${nowMs}, 'client', 'report.read', 'done' FROM counted`,
      )
      while ((await linkAudit(copy)) > 0) {}
      for (const expected of [null, null, { position: 1_500, atMs: nowMs, problem: null }]) {
        await check()
        expect(await readVerified(copy)).toEqual(expected)
      }
      await writeAudit(copy, event)
      await linkAudit(copy)
      await check()
      expect((await readVerified(copy))?.position).toBe(1_500)
      nowMs += DAY_MS
      for (const statement of DISARM[copy.engine]) await copy.run(statement)
      await copy.run(`UPDATE audit_event SET outcome = 'other' WHERE link_position = 1200`)
      for (let round = 0; round < 2; round += 1) await check()
      expect(await readVerified(copy)).toEqual({ position: 1_199, atMs: nowMs, problem: 'event 1200 was changed' })
      expect(logged).toEqual(['audit chain broken'])
    } finally {
      await copy.close()
    }
  })
})
