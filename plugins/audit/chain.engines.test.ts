// The chains of the audit trail, on every engine: what is linked, published, checked and forgotten.
import { decodeProtectedHeader } from 'jose'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { WebhookFact } from '../../contract/webhook-event.ts'
import { createSilentLog } from '../../service/log.ts'
import type { Database, Queries } from '../../service/store/database.ts'
import { openChain, SAMPLE_EVENT } from '../../testing/audit-chain.ts'
import { onEachEngine } from '../../testing/engines.ts'
import { openTestDatabase } from '../../testing/open-database.ts'
import { readVerified } from './check-chain.ts'
import { readHead } from './signed-head.ts'
import { listAudit, searchAudit, writeAudit } from './store.ts'

const DAY_MS = 86_400_000
const NOW_MS = Date.now()
const event = { ...SAMPLE_EVENT, atMs: NOW_MS }

onEachEngine('the chain', (place, engine) => {
  let location: Awaited<ReturnType<typeof place>>
  let database: Database
  let chain: Awaited<ReturnType<typeof openChain>>
  const logged: { name: string; fields: unknown }[] = []
  const announced: unknown[] = []
  beforeEach(async () => {
    location = await place()
    database = await openTestDatabase(location)
    const note = (name: string, fields: unknown) => void logged.push({ name, fields })
    const log = { ...createSilentLog(), info: note, error: note }
    const announce = async (_queries: Queries, fact: WebhookFact) => void announced.push(fact)
    chain = await openChain(database, { log, announce })
    chain.time.nowMs = NOW_MS
    logged.length = 0
    announced.length = 0
  })
  afterEach(() => database.close())

  /** One event for each age, linked. */
  async function writeAges(...days: number[]): Promise<void> {
    for (const age of days) await writeAudit(database, { ...event, atMs: NOW_MS - age * DAY_MS })
    await chain.link()
  }
  /** Without a lender, so many, so many days old. */
  const fill = (count: number, ageDays = 0) =>
    database.run(
      `INSERT INTO audit_event (created_at_ms, actor_kind, action, outcome)
       WITH RECURSIVE counted (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < ${count})
       SELECT ${NOW_MS - ageDays * DAY_MS}, 'client', 'report.read', 'done' FROM counted`,
    )
  const heads = () => database.all<{ tenant_id: string; jws: string }>('SELECT * FROM audit_head ORDER BY tenant_id')

  test('a trail without events is whole, and there is nothing to link, publish, check or forget', async () => {
    expect(await chain.link()).toBe(0)
    expect(await chain.verify()).toEqual({ problems: [], unlinked: 0 })
    expect(await chain.publish()).toBe(0)
    expect(await chain.check()).toBe(0)
    expect(await readVerified(database, 'acme')).toBeNull()
    expect(await chain.forget(NOW_MS)).toBe(0)
  })

  test('each lender has a chain of its own, and so has the installation', async () => {
    for (const tenantId of ['acme', null, 'globex', 'acme', null]) await writeAudit(database, { ...event, tenantId })
    expect(await chain.link()).toBe(5)
    expect(await heads()).toMatchObject([
      { tenant_id: '', position: 2, deleted_position: 0 },
      { tenant_id: 'acme', position: 2, deleted_position: 0 },
      { tenant_id: 'globex', position: 1, deleted_position: 0 },
    ])
    const page = await searchAudit(database, { tenantId: 'acme', filters: {}, before: null, limit: 5 })
    expect(page?.events.map(({ link }) => link?.position)).toEqual([2, 1])
    expect(await chain.problems()).toEqual([])
  })

  test('a backlog is linked a thousand at a time, in few statements', async () => {
    await fill(2_345)
    const counts = [await chain.link(), await chain.link(), await chain.link(), await chain.link()]
    expect(counts).toEqual([1_000, 1_000, 345, 0])
    expect(await chain.problems()).toEqual([])
    expect(await heads()).toMatchObject([{ tenant_id: '', position: 2_345 }])
  })

  test('every event is linked once, however many processes write and link at once', async () => {
    const other = await openTestDatabase(location, 'operator')
    try {
      const theirs = await openChain(other)
      const write = async (queries: Database) => {
        for (let count = 0; count < 30; count += 1) await writeAudit(queries, event)
      }
      await Promise.all([write(database), write(other)])
      await Promise.all([chain.link(), theirs.link()])
      await theirs.linkAll()
    } finally {
      await other.close()
    }
    expect(await database.all('SELECT 1 AS one FROM audit_event WHERE link_position IS NULL')).toEqual([])
    expect(await chain.problems()).toEqual([])
  })

  test('a transaction that took its number first and commits last is linked too', async () => {
    const other = await openTestDatabase(location, 'operator')
    const theirs = await openChain(other)
    try {
      await database.transaction(async (queries) => {
        await writeAudit(queries, event)
        // SQLite has one writer: there nothing can be written in between.
        if (engine === 'postgres') {
          await writeAudit(other, event)
          await theirs.link()
        }
      })
      await theirs.linkAll()
    } finally {
      await other.close()
    }
    expect(await database.all('SELECT 1 AS one FROM audit_event WHERE link_position IS NULL')).toEqual([])
    expect(await chain.problems()).toEqual([])
  })

  test('once a day each head is signed, kept, logged, and sent to its lender', async () => {
    for (const tenantId of ['acme', null]) await writeAudit(database, { ...event, tenantId })
    await chain.link()
    const dayMs = Math.ceil(NOW_MS / DAY_MS) * DAY_MS
    const published = []
    for (const nowMs of [dayMs, dayMs + 1, dayMs + DAY_MS - 1, dayMs + DAY_MS]) {
      chain.time.nowMs = nowMs
      published.push(await chain.publish())
    }
    expect(published).toEqual([2, 0, 0, 2])
    const kept = await database.all<{ jws: string; position: number; hash: string }>(
      `SELECT jws, position, hash FROM audit_kept_head WHERE tenant_id = 'acme' ORDER BY day`,
    )
    expect(announced).toEqual(kept.map((head) => ({ type: 'audit.head', data: { tenantId: 'acme', ...head } })))
    const [first] = kept
    const own = { position: 1, hash: first?.hash }
    expect(logged).toEqual(
      [{}, { tenantId: 'acme' }, {}, { tenantId: 'acme' }].map((whose) => ({
        name: 'audit head',
        fields: { ...whose, position: 1, hash: 'tenantId' in whose ? own.hash : expect.any(String) },
      })),
    )
    expect(await readHead(chain.keys, first?.jws ?? '')).toEqual({
      tenantId: 'acme',
      ...own,
      deletedPosition: 0,
      deletedHash: '',
      at: new Date(dayMs).toISOString(),
    })
    expect(await chain.problems()).toEqual([])
  })

  test('of two processes at the same moment one publishes', async () => {
    await writeAges(0)
    expect((await Promise.all([chain.publish(), chain.publish()])).toSorted()).toEqual([0, 1])
    expect(announced).toHaveLength(1)
  })

  test('a clock that is set back by a day does not keep the head from being published', async () => {
    await writeAges(0)
    expect(await chain.publish()).toBe(1)
    chain.time.nowMs -= DAY_MS
    expect(await chain.publish()).toBe(1)
  })

  test('a head that an older key signed counts, and the next one is signed by the new key', async () => {
    await writeAges(0)
    await chain.publish()
    const [before] = await heads()
    await chain.keys.rotate(database)
    chain.time.nowMs += 30 * DAY_MS
    expect(await chain.problems()).toEqual([])
    await writeAudit(database, event)
    await chain.link()
    const [after] = await heads()
    expect(decodeProtectedHeader(after?.jws ?? '').kid).not.toBe(decodeProtectedHeader(before?.jws ?? '').kid)
    expect(await chain.problems()).toEqual([])
  })

  test('what is exactly as old as is kept stays, a millisecond more and it goes', async () => {
    await writeAges(401, 400)
    expect(await chain.forget(NOW_MS - 401 * DAY_MS)).toBe(0)
    expect(await chain.forget(NOW_MS - 401 * DAY_MS + 1)).toBe(1)
    expect(await listAudit(database, { tenantId: 'acme', limit: 5 })).toMatchObject([{ atMs: NOW_MS - 400 * DAY_MS }])
    expect(await chain.problems()).toEqual([])
  })

  test('events go from the beginning of their chain on, and what is younger than 30 days stays in any case', async () => {
    for (const days of [402, 401, 399, 401, 29]) await writeAudit(database, { ...event, atMs: NOW_MS - days * DAY_MS })
    expect(await chain.forget(NOW_MS - 400 * DAY_MS)).toBe(0)
    await chain.link()
    // The one that is older than the event before it goes with that one: no gap is left.
    expect(await chain.forget(NOW_MS - 400 * DAY_MS)).toBe(2)
    expect(await chain.problems()).toEqual([])
    await expect(chain.forget(NOW_MS)).rejects.toThrow()
    expect(await chain.forget(NOW_MS - 31 * DAY_MS)).toBe(2)
    expect(await listAudit(database, { tenantId: 'acme', limit: 10 })).toHaveLength(1)
    expect(await chain.problems()).toEqual([])
  })

  test('two processes that forget at once delete each event once', async () => {
    await writeAges(402, 401, 0)
    const forget = () => chain.forget(NOW_MS - 400 * DAY_MS)
    expect((await Promise.all([forget(), forget()])).toSorted()).toEqual([0, 2])
    expect(await chain.problems()).toEqual([])
  })

  test('the whole trail can be old, and the chain goes on from where it ended', async () => {
    await writeAges(402, 401)
    expect(await chain.forget(NOW_MS - 400 * DAY_MS)).toBe(2)
    expect(await chain.problems()).toEqual([])
    await writeAges(0)
    expect(await chain.problems()).toEqual([])
    expect(await database.all(`SELECT link_position FROM audit_event WHERE tenant_id = 'acme'`)).toEqual([
      { link_position: 3 },
    ])
  })

  test('a kept head is forgotten with the events of its time', async () => {
    await writeAges(402, 0)
    chain.time.nowMs = NOW_MS - 402 * DAY_MS
    await chain.publish()
    chain.time.nowMs = NOW_MS
    await chain.publish()
    await chain.forget(NOW_MS - 400 * DAY_MS)
    expect(await database.all('SELECT signed_at_ms FROM audit_kept_head')).toEqual([{ signed_at_ms: NOW_MS }])
    expect(await chain.problems()).toEqual([])
  })

  test('what is not as it was linked is never deleted', async () => {
    await writeAges(402, 401, 0)
    await chain.disarm()
    await database.run(`UPDATE audit_event SET outcome = 'other' WHERE link_position = 2`)
    expect(await chain.forget(NOW_MS - 400 * DAY_MS)).toBe(0)
    expect(await listAudit(database, { tenantId: 'acme', limit: 10 })).toHaveLength(3)
  })

  test('events of the last minute that are not linked yet are counted, older ones are a problem', async () => {
    await writeAges(0)
    await chain.linkAll()
    for (const _ of [1, 2]) await writeAudit(database, event)
    expect(await chain.verify()).toEqual({ problems: [], unlinked: 2 })
    // Nothing is linked in a copy or beside a stopped service, however long that takes.
    chain.time.nowMs += 600_000
    expect(await chain.verify()).toEqual({ problems: [], unlinked: 2 })
    const turn = `INSERT INTO sweep_turn (id, process_id, until_ms) VALUES (1, 'p', ?)`
    await database.run(turn, chain.time.nowMs + 1)
    const oldest = new Date(NOW_MS).toISOString()
    const late = `2 events are not linked yet, the oldest of ${oldest}: a running service links them`
    expect(await chain.verify()).toEqual({ problems: [late], unlinked: 0 })
    await database.run('DELETE FROM sweep_turn')
    await writeAudit(database, { ...event, atMs: NOW_MS + 60_001 })
    expect(await chain.verify()).toEqual({ problems: [], unlinked: 3 })
    await chain.linkAll()
    for (const atMs of [NOW_MS, NOW_MS + 1]) await writeAudit(database, { ...event, atMs })
    const overtaken = late.replace('2 events are', '1 events are')
    expect(await chain.verify()).toEqual({ problems: [overtaken], unlinked: 1 })
  })

  test('every chain is checked once a day, a thousand lines in a round, and what it found is kept', async () => {
    await fill(1_500)
    await writeAudit(database, event)
    await chain.linkAll()
    const verified = async () => [await readVerified(database, ''), await readVerified(database, 'acme')]
    const whole = (position: number) => ({ position, atMs: NOW_MS, problem: null })
    await chain.check()
    expect(await verified()).toEqual([null, null])
    await chain.check()
    expect(await verified()).toEqual([whole(1_501), whole(1)])
    await writeAudit(database, event)
    await chain.link()
    await chain.check()
    expect(await verified()).toEqual([whole(1_501), whole(1)])
    chain.time.nowMs += DAY_MS
    await chain.disarm()
    await database.run(`UPDATE audit_event SET outcome = 'other' WHERE tenant_id = '' AND link_position = 1200`)
    for (const _ of [1, 2]) await chain.check()
    const atMs = chain.time.nowMs
    expect(await verified()).toEqual([
      { position: 1_199, atMs, problem: 'event 1200 was changed' },
      { position: 2, atMs, problem: null },
    ])
    expect(logged).toEqual([{ name: 'audit chain broken', fields: { position: 1_199 } }])
  })

  test('a check in progress when old events are forgotten goes on behind them', async () => {
    await fill(1_100, 401)
    await fill(100, 1)
    await chain.linkAll()
    await chain.check()
    expect(await readVerified(database, '')).toBeNull()
    for (const deleted of [1_000, 100]) expect(await chain.forget(NOW_MS - 400 * DAY_MS)).toBe(deleted)
    await chain.check()
    expect(await readVerified(database, '')).toEqual({ position: 1_200, atMs: NOW_MS, problem: null })
  })
})
