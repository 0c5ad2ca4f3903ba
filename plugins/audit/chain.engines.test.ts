// The edges of the hash chain, on every engine: what is whole, what is not, and what the sweeper keeps of a check.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createTenant } from '../../service/ledger/tenants.ts'
import { createSilentLog } from '../../service/log.ts'
import type { Database } from '../../service/store/database.ts'
import { onEachEngine } from '../../testing/engines.ts'
import { openTestDatabase } from '../../testing/open-database.ts'
import {
  checkAuditChain,
  forgetOldAudit,
  linkAudit,
  publishAuditHead,
  readVerified,
  verifyAuditChain,
} from './chain.ts'
import { type AuditEvent, listAudit, writeAudit } from './store.ts'

const DAY_MS = 86_400_000
const NOW_MS = Date.now()

const event: AuditEvent = {
  atMs: NOW_MS,
  tenantId: 'acme',
  actorKind: 'client',
  actorId: 'shop',
  actorName: null,
  actorEmail: null,
  action: 'report.read',
  object: null,
  change: null,
  address: null,
  outcome: 'done',
}

onEachEngine('the chain', (place) => {
  let database: Database
  beforeEach(async () => {
    database = await openTestDatabase(await place())
  })
  afterEach(() => database.close())

  const DISARM = {
    sqlite: ['no_update', 'no_relink', 'no_delete'].map((name) => `DROP TRIGGER audit_event_${name}`),
    postgres: ['ALTER TABLE audit_event DISABLE TRIGGER USER'],
  }
  const disarm = async () => {
    for (const statement of DISARM[database.engine]) await database.run(statement)
  }
  /** One event for each age, linked. */
  async function writeAges(...days: number[]): Promise<void> {
    for (const age of days) await writeAudit(database, { ...event, atMs: NOW_MS - age * DAY_MS })
    await linkAudit(database)
  }
  const log = createSilentLog()
  const publish = (nowMs: number, announce = async () => {}) =>
    publishAuditHead({ database, clock: () => nowMs, log, announce })
  /** One round: a page, or the end behind the last. */
  const check = (nowMs = NOW_MS) => checkAuditChain({ database, clock: () => nowMs, log })

  test('a trail without events is whole, and there is nothing to link, publish, check or forget', async () => {
    expect(await linkAudit(database)).toBe(0)
    expect(await verifyAuditChain(database)).toEqual([])
    expect(await publish(NOW_MS)).toBe(0)
    expect(await check()).toBe(0)
    expect(await readVerified(database)).toBeNull()
    expect(await forgetOldAudit(database, NOW_MS)).toBe(0)
  })

  test('what is linked is counted, and found in the head', async () => {
    for (const _ of [1, 2, 3]) await writeAudit(database, event)
    expect(await linkAudit(database)).toBe(3)
    const head = await database.first('SELECT position, deleted_position, published_at_ms FROM audit_head')
    expect(head).toEqual({ position: 3, deleted_position: 0, published_at_ms: 0 })
    const links = await database.all('SELECT link_position FROM audit_event ORDER BY sequence')
    expect(links.map(({ link_position }) => link_position)).toEqual([1, 2, 3])
  })

  test('of two processes at the same moment one publishes the head', async () => {
    await writeAges(0)
    await createTenant(database, { id: 'acme', name: 'Acme', nowMs: NOW_MS })
    let announced = 0
    const announce = async () => {
      announced += 1
    }
    const published = await Promise.all([publish(NOW_MS, announce), publish(NOW_MS, announce)])
    expect(published.toSorted()).toEqual([0, 1])
    expect(await database.all('SELECT published_at_ms FROM audit_head')).toEqual([{ published_at_ms: NOW_MS }])
    expect(await publish(NOW_MS, announce)).toBe(0)
    expect(announced).toBe(1)
  })

  test('a clock that is set back by a day does not keep the head from being published', async () => {
    await writeAges(0)
    expect(await publish(NOW_MS)).toBe(1)
    expect(await publish(NOW_MS - DAY_MS)).toBe(1)
  })

  test.each([
    ['one event', 'DELETE FROM audit_event WHERE link_position = 7', 'the events from 7 to 7 are missing'],
    ['the first six', 'DELETE FROM audit_event WHERE link_position < 7', 'the events from 1 to 6 are missing'],
    ['the last three', 'DELETE FROM audit_event WHERE link_position > 7', 'the events from 8 to 10 are missing'],
    ['all', 'DELETE FROM audit_event', 'the events from 1 to 10 are missing'],
    ['the content of one', `UPDATE audit_event SET action = 'x' WHERE link_position = 1`, 'event 1 was changed'],
    ['the content of the last', `UPDATE audit_event SET action = 'x' WHERE link_position = 10`, 'event 10 was changed'],
    ['the head', `UPDATE audit_head SET hash = 'x'`, 'event 10 was changed'],
  ])('%s gone or changed: the trail says which', async (_what, sql, problem) => {
    await writeAges(...Array(10).fill(0))
    await disarm()
    await database.run(sql)
    expect(await verifyAuditChain(database)).toEqual([problem])
  })

  test('an event that is not linked yet breaks nothing', async () => {
    await writeAges(0, 0)
    await writeAudit(database, event)
    expect(await verifyAuditChain(database)).toEqual([])
    for (const _ of [1, 2]) expect(await check()).toBe(0)
    expect(await readVerified(database)).toEqual({ position: 2, atMs: NOW_MS, problem: null })
  })

  test('what is exactly as old as is kept stays, a millisecond more and it goes', async () => {
    await writeAges(401, 400)
    expect(await forgetOldAudit(database, NOW_MS - 401 * DAY_MS)).toBe(0)
    expect(await forgetOldAudit(database, NOW_MS - 401 * DAY_MS + 1)).toBe(1)
    expect(await listAudit(database, { tenantId: null, limit: 5 })).toMatchObject([{ atMs: NOW_MS - 400 * DAY_MS }])
    expect(await verifyAuditChain(database)).toEqual([])
  })

  test('two processes that forget at once delete each event once', async () => {
    await writeAges(402, 401, 0)
    const forget = () => forgetOldAudit(database, NOW_MS - 400 * DAY_MS)
    expect((await Promise.all([forget(), forget()])).toSorted()).toEqual([0, 2])
    expect(await verifyAuditChain(database)).toEqual([])
  })

  test('the whole trail can be old, and the chain goes on from where it ended', async () => {
    await writeAges(402, 401)
    expect(await forgetOldAudit(database, NOW_MS - 400 * DAY_MS)).toBe(2)
    expect(await verifyAuditChain(database)).toEqual([])
    await writeAges(0)
    expect(await verifyAuditChain(database)).toEqual([])
    const [link] = await database.all('SELECT link_position FROM audit_event')
    expect(link).toEqual({ link_position: 3 })
  })

  test.each([
    ['the oldest', 'link_position <= 2', 'the events from 1 to 2 are missing'],
    ['one in the middle', 'link_position = 4', 'the events from 4 to 4 are missing'],
    ['the newest', 'link_position = 5', 'the events from 5 to 5 are missing'],
  ])('a gap that no recorded deletion explains is found, however old the events: %s', async (_name, where, problem) => {
    await writeAges(50, 45, 40, 35, 31)
    await disarm()
    await database.run(`DELETE FROM audit_event WHERE ${where}`)
    expect(await verifyAuditChain(database)).toEqual([problem])
  })

  test('a forged date on the first event that is left does not excuse those before it', async () => {
    await writeAges(1, 1, 1, 1, 1)
    await disarm()
    await database.run('DELETE FROM audit_event WHERE link_position <= 3')
    await database.run(`UPDATE audit_event SET created_at_ms = created_at_ms - ${31 * DAY_MS} WHERE link_position = 4`)
    expect(await verifyAuditChain(database)).toEqual(['the events from 1 to 3 are missing'])
  })

  test('a check in progress when old events are forgotten goes on behind them', async () => {
    await database.run(
      `INSERT INTO audit_event (created_at_ms, actor_kind, action, outcome)
       WITH RECURSIVE counted (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < 1200)
       SELECT ${NOW_MS} - CASE WHEN n <= 1100 THEN ${401 * DAY_MS} ELSE ${DAY_MS} END, 'client', 'report.read', 'done' FROM counted`,
    )
    while ((await linkAudit(database)) > 0) {}
    expect(await check()).toBe(0)
    expect(await readVerified(database)).toBeNull()
    for (const deleted of [1_000, 100]) expect(await forgetOldAudit(database, NOW_MS - 400 * DAY_MS)).toBe(deleted)
    for (const _ of [1, 2]) expect(await check()).toBe(0)
    expect(await readVerified(database)).toEqual({ position: 1_200, atMs: NOW_MS, problem: null })
  })
})
