import { afterAll, beforeAll, expect, test } from 'vitest'
import { onEachEngine } from '../../testing/engines.ts'
import { openTestDatabase } from '../../testing/open-database.ts'
import { createSilentLog } from '../log.ts'
import type { Database, Queries } from '../store/database.ts'
import { type AuditHead, forgetOldAudit, linkAudit, publishAuditHead, verifyAuditChain } from './chain.ts'
import { type AuditEvent, listAudit, writeAudit } from './store.ts'

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
  change: { from: 'viewer', to: 'owner' },
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
    expect(await listAudit(database, { tenantId: 'acme', actorIds: ['u1'], limit: 10 })).toEqual([signIn, event])
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
    const queued: unknown[] = []
    const queue = async (_queries: Queries, { position, hash }: AuditHead) => void queued.push({ position, hash })
    const publish = (nowMs: number) => publishAuditHead({ database, clock: () => nowMs, log, queue })
    const dayMs = Math.ceil(Date.now() / DAY_MS) * DAY_MS
    const at = [dayMs, dayMs + 1, dayMs + DAY_MS - 1, dayMs + DAY_MS]
    const published = []
    for (const nowMs of at) published.push(await publish(nowMs))
    expect(published).toEqual([1, 0, 0, 1])
    const head = await database.first('SELECT position, hash FROM audit_head')
    expect(queued).toEqual([head, head])
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
})
