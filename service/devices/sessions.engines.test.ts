import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { onEachEngine } from '../../testing/engines.ts'
import { openTestDatabase } from '../../testing/open-database.ts'
import type { Database } from '../store/database.ts'
import { compareNetworks, createDeviceSessions, type SessionUse, type Sighting } from './sessions.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
const AGENT = 'Mozilla/5.0 Firefox/150.0'

const sighting: Sighting = {
  body: 'screen=390,844,24,3&cores=6&touch=5&webdriver=false',
  headers: new Headers({ 'User-Agent': AGENT }),
  address: '203.0.113.77',
}
const unprofiled: Sighting = { ...sighting, body: null }
const sam = { lastName: 'Example', dateOfBirth: '1990-02-28', ipAddress: '203.0.113.5' }
const bySam = { tenantId: 'demo-lender', consumer: sam }

onEachEngine('device sessions', (place, engine) => {
  /** Two connections to one database where the engine allows two, as two processes have them. */
  let databases: readonly [Database, Database]
  let database: Database
  let nowMs = 0
  beforeAll(async () => {
    const location = await place()
    database = await openTestDatabase(location)
    databases = [database, engine === 'postgres' ? await openTestDatabase(location) : database]
  })
  afterAll(() => Promise.all([...new Set(databases)].map((each) => each.close())))
  beforeEach(async () => {
    nowMs = Date.UTC(2026, 10, 15)
    await database.run('DELETE FROM device_session')
  })
  const sessionsOf = (secret = 1, process: 0 | 1 = 0) =>
    createDeviceSessions({
      database: databases[process],
      secretKeys: [new Uint8Array(32).fill(secret)],
      clock: () => nowMs,
    })

  test('an open session can be claimed at once and tells what was seen', async () => {
    const sessions = sessionsOf()
    const sessionId = await sessions.open(sighting)
    nowMs += 90_500
    expect(await sessions.claim({ ...bySam, sessionId })).toEqual({
      profiled: true,
      seenSecondsAgo: 90,
      signals: {
        screen: '390,844,24,3',
        cores: '6',
        touch: '5',
        webdriver: 'false',
        oddities: '',
        network: 'same',
        consumers: '1',
      },
    })
  })

  test('claiming again for the same consumer gives the same answer', async () => {
    const sessions = sessionsOf()
    const sessionId = await sessions.open(sighting)
    const first = await sessions.claim({ ...bySam, sessionId })
    expect(first).not.toBeNull()
    expect(await sessions.claim({ ...bySam, sessionId })).toEqual(first)
  })

  test.each<[string, Partial<SessionUse>]>([
    ['in capitals', { consumer: { ...sam, lastName: 'EXAMPLE' } }],
    ['with an accent and a space', { consumer: { ...sam, lastName: ' Éxample' } }],
    ['on another network', { consumer: { ...sam, ipAddress: '198.51.100.1' } }],
  ])('the same consumer %s is still the same', async (_how, again) => {
    const sessions = sessionsOf()
    const sessionId = await sessions.open(sighting)
    await sessions.claim({ ...bySam, sessionId })
    expect(await sessions.claim({ ...bySam, ...again, sessionId })).not.toBeNull()
  })

  test.each<[string, Partial<SessionUse>]>([
    ['another name', { consumer: { ...sam, lastName: 'Sample' } }],
    ['another birthday', { consumer: { ...sam, dateOfBirth: '1990-02-27' } }],
    ['another lender', { tenantId: 'other-lender' }],
  ])('once claimed, it is refused to %s', async (_who, other) => {
    const sessions = sessionsOf()
    const sessionId = await sessions.open(sighting)
    await sessions.claim({ ...bySam, sessionId })
    expect(await sessions.claim({ ...bySam, ...other, sessionId })).toBeNull()
    expect(await sessions.claim({ ...bySam, sessionId })).not.toBeNull()
  })

  test('of consumers who claim it at once, in two processes, exactly one gets it', async () => {
    const processes = [sessionsOf(1, 0), sessionsOf(1, 1)]
    for (let round = 0; round < 10; round++) {
      const sessionId = await sessionsOf().open(sighting)
      const claims = ['Ames', 'Blake', 'Cole', 'Dunn'].flatMap((lastName) =>
        processes.map((sessions) => sessions.claim({ ...bySam, consumer: { ...sam, lastName }, sessionId })),
      )
      // The winner asked twice, once in each process, and both times it is the winner.
      expect((await Promise.all(claims)).filter(Boolean)).toHaveLength(2)
    }
  })

  test('it lives sixty minutes to the millisecond', async () => {
    const sessions = sessionsOf()
    const sessionId = await sessions.open(sighting)
    nowMs += 60 * MINUTE_MS
    expect(await sessions.claim({ ...bySam, sessionId })).not.toBeNull()
    nowMs += 1
    expect(await sessions.claim({ ...bySam, sessionId })).toBeNull()
  })

  test.each(['', 'anything', 'x'.repeat(32), '\u0000', '🦊'.repeat(16)])('the id %j is unknown', async (sessionId) => {
    expect(await sessionsOf().claim({ ...bySam, sessionId })).toBeNull()
  })

  test('a session of another installation is unknown', async () => {
    const sessionId = await sessionsOf(2).open(sighting)
    expect(await sessionsOf(1).claim({ ...bySam, sessionId })).toBeNull()
  })

  test('a session of the key before the current one is claimed, and new ones are under the current one', async () => {
    const open = (...secrets: [number, ...number[]]) => {
      const [first, ...older] = secrets.map((secret) => new Uint8Array(32).fill(secret))
      const secretKeys: [Uint8Array, ...Uint8Array[]] = [first ?? expect.fail(), ...older]
      return createDeviceSessions({ database, secretKeys, clock: () => nowMs })
    }
    const [before, after] = [open(1), open(2, 1)]
    const old = await before.open(sighting)
    expect(await after.claim({ ...bySam, sessionId: old })).toMatchObject({ signals: { network: 'same' } })
    const young = await after.open(sighting)
    expect(await before.claim({ ...bySam, sessionId: young })).toBeNull()
    expect(await open(2).claim({ ...bySam, sessionId: young })).not.toBeNull()
  })

  test.each<[string, Partial<Sighting>, string]>([
    ['on the same network', {}, 'same'],
    ['on another', { address: '198.51.100.1' }, 'other'],
    ['on one that means something else everywhere', { address: '10.0.0.1' }, 'unknown'],
    ['on one of the other kind', { address: '2001:4860::1' }, 'unknown'],
    ['from nowhere', { address: null }, 'unknown'],
  ])('a session opened %s', async (_where, other, network) => {
    const sessions = sessionsOf()
    const sessionId = await sessions.open({ ...sighting, ...other })
    expect(await sessions.claim({ ...bySam, sessionId })).toMatchObject({ signals: { network } })
  })

  test('one signal makes a profile', async () => {
    const sessions = sessionsOf()
    const sessionId = await sessions.open({ ...sighting, body: 'cores=8' })
    expect(await sessions.claim({ ...bySam, sessionId })).toMatchObject({ profiled: true, signals: { cores: '8' } })
  })

  test('a clock that was set back has seen the device just now', async () => {
    const sessions = sessionsOf()
    const sessionId = await sessions.open(sighting)
    nowMs -= 5_000
    expect(await sessions.claim({ ...bySam, sessionId })).toMatchObject({ seenSecondsAgo: 0 })
  })

  test.each<[string, Partial<Sighting>]>([
    ['profile', { body: 'screen=390,844,24,3&cores=4&touch=5' }],
    ['browser', { headers: new Headers({ 'User-Agent': 'Mozilla/5.0 Firefox/151.0' }) }],
    ['browser, which is not named', { headers: new Headers() }],
    ['network', { address: '198.51.100.1' }],
    ['network, which is not known', { address: null }],
  ])('another %s is another device', async (_what, other) => {
    const sessions = sessionsOf()
    const claim = async (seen: Sighting, lastName: string) => {
      const sessionId = await sessions.open(seen)
      return (await sessions.claim({ ...bySam, consumer: { ...sam, lastName }, sessionId }))?.signals.consumers
    }
    expect(await claim(sighting, 'First')).toBe('1')
    expect(await claim({ ...sighting, ...other }, 'Second')).toBe('1')
    expect(await claim({ ...sighting, ...other }, 'Third')).toBe('2')
  })

  test('sessions that no one claimed are swept beside claimed ones, and those of the hour stay', async () => {
    const sessions = sessionsOf()
    const claimed = await sessions.open(sighting)
    await sessions.claim({ ...bySam, sessionId: claimed })
    for (let count = 0; count < 3; count += 1) await sessions.open(sighting)
    nowMs += 1
    const recent = await sessions.open(sighting)
    nowMs += 60 * MINUTE_MS
    expect(await sessions.sweep()).toBe(4)
    expect(await sessions.claim({ ...bySam, sessionId: recent })).not.toBeNull()
    expect(await database.all('SELECT signals FROM device_session WHERE signals IS NULL')).toHaveLength(1)
    nowMs += 30 * DAY_MS - 1
    expect(await sessions.sweep()).toBe(1)
    nowMs += 1
    expect(await sessions.sweep()).toBe(1)
    nowMs += 1
    expect(await sessions.sweep()).toBe(1)
    expect(await database.all('SELECT * FROM device_session')).toEqual([])
  })

  test('a session without signals says so', async () => {
    const sessions = sessionsOf()
    const sessionId = await sessions.open(unprofiled)
    expect(await sessions.claim({ ...bySam, sessionId })).toMatchObject({ profiled: false })
  })

  test('a session without signals is good on another network too, which is left to the risk provider', async () => {
    const sessions = sessionsOf()
    const sessionId = await sessions.open(unprofiled)
    const claim = await sessions.claim({ ...bySam, consumer: { ...sam, ipAddress: '198.51.100.1' }, sessionId })
    expect(claim).toMatchObject({ profiled: false, signals: { network: 'other' } })
  })

  test('the consumers a device stood for are counted per lender', async () => {
    const sessions = sessionsOf()
    const claim = async (consumer: typeof sam, tenantId = 'demo-lender') =>
      (await sessions.claim({ tenantId, consumer, sessionId: await sessions.open(sighting) }))?.signals.consumers
    const second = { ...sam, lastName: 'Second' }
    expect(await claim(sam)).toBe('1')
    expect(await claim(sam)).toBe('1')
    expect(await claim(second)).toBe('2')
    expect(await claim(second, 'other-lender')).toBe('1')
  })

  test('sweeping forgets unused sessions at once, signals after the hour, and the rest after thirty days', async () => {
    const sessions = sessionsOf()
    const sessionId = await sessions.open(sighting)
    await sessions.claim({ ...bySam, sessionId })
    await sessions.open(sighting)
    const stored = () => database.all('SELECT signals, consumer_hash FROM device_session')

    nowMs += 60 * MINUTE_MS
    expect(await sessions.sweep()).toBe(0)
    nowMs += 1
    expect(await sessions.sweep()).toBe(2)
    expect(await stored()).toEqual([{ signals: null, consumer_hash: expect.any(String) }])
    expect(await sessions.sweep()).toBe(0)
    nowMs += 30 * DAY_MS
    expect(await sessions.sweep()).toBe(1)
    expect(await stored()).toEqual([])
  })

  test('nothing stored shows the id, the address, the browser’s name or the consumer', async () => {
    const sessions = sessionsOf()
    const sessionId = await sessions.open(sighting)
    await sessions.claim({ ...bySam, sessionId })
    const stored = JSON.stringify(await database.all('SELECT * FROM device_session'))
    expect(stored).toContain('390,844,24,3')
    for (const secret of [sessionId, sessionId.slice(0, 20), '203.0.113', 'Firefox', 'Example', '1990'])
      expect(stored).not.toContain(secret)
  })

  test('what a hostile browser sends is stored and read back as the text it is', async () => {
    const sessions = sessionsOf()
    const platform = '\u0000"\'; DROP TABLE device_session; -- \ud83e\udd8a'
    const sessionId = await sessions.open({ ...sighting, body: `platform=${encodeURIComponent(platform)}` })
    expect((await sessions.claim({ ...bySam, sessionId }))?.signals.platform).toBe(platform)
  })
})

test.each([
  ['4:home', '4:home', 'same'],
  ['4:home', '4:work', 'other'],
  ['6:home', '4:home', 'unknown'],
  [null, '4:home', 'unknown'],
  ['4:home', null, 'unknown'],
] as const)('networks %s and %s: %s', (seen, shown, expected) => {
  expect(compareNetworks(seen, shown)).toBe(expected)
})
