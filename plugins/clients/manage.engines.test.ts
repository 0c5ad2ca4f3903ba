// API clients on both engines: names, the last use, and what a new secret does to the others.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createTenant } from '../../service/ledger/tenants.ts'
import type { AuditDetail, Database, Transactions } from '../../service/store/database.ts'
import { createClients, SCOPES } from '../../service/tokens/clients.ts'
import { onEachEngine } from '../../testing/engines.ts'
import { openTestDatabase } from '../../testing/open-database.ts'
import { manageClients } from './manage.ts'

const START_MS = Date.UTC(2026, 10, 17, 14)
const HOUR_MS = 3_600_000

const allOf = (parts: Parameters<typeof manageClients>[0]) => ({ ...createClients(parts), ...manageClients(parts) })
const known = { isTestOnly: false, maker: null }

onEachEngine('API clients', (place) => {
  const time = { nowMs: START_MS }
  const clock = () => time.nowMs
  let database: Database
  beforeAll(async () => {
    database = await openTestDatabase(await place())
    for (const id of ['acme', 'other']) await createTenant(database, { id, name: id, nowMs: START_MS })
  })
  afterAll(() => database?.close())
  beforeEach(() => {
    time.nowMs = START_MS
  })

  const make = (name: string) => allOf({ database, clock }).make(database, { tenantId: 'acme', name })
  const find = async (id: string) => (await allOf({ database, clock }).list('acme')).find((one) => one.id === id)

  test('a token costs one statement, and two once an hour for each secret', async () => {
    const { clientId, secret } = await make('Counted')
    const statements: string[] = []
    const counted: Database = {
      ...database,
      all(...given) {
        statements.push('all')
        return database.all(...given)
      },
      run(...given) {
        statements.push('run')
        return database.run(...given)
      },
    }
    const clients = allOf({ database: counted, clock })
    const verify = async () => {
      statements.length = 0
      expect(await clients.verify(clientId, secret)).toMatchObject({ tenantId: 'acme' })
      return statements.join(' ')
    }
    expect(await verify()).toBe('all run')
    expect(await verify()).toBe('all')
    time.nowMs += HOUR_MS - 1
    expect(await verify()).toBe('all')
    expect(await find(clientId)).toMatchObject({ lastUsedAtMs: START_MS })
    time.nowMs += 1
    expect(await verify()).toBe('all run')
    expect(await find(clientId)).toMatchObject({
      name: 'Counted',
      lastUsedAtMs: START_MS + HOUR_MS,
      secrets: [{ lastUsedAtMs: START_MS + HOUR_MS }],
    })
    statements.length = 0
    expect(await clients.verify(clientId, 'wrong')).toBeNull()
    expect(statements).toEqual(['all'])
  })

  test('a database that can only be read still verifies a secret', async () => {
    const { clientId, secret } = await make('Read only')
    const run = () => Promise.reject(new Error('read only'))
    const clients = allOf({ database: { ...database, all: database.all, run }, clock })
    expect(await clients.verify(clientId, secret)).toMatchObject({ id: clientId })
  })

  test('each secret has a use of its own, and the client that of the newest, also after it ended', async () => {
    const clients = allOf({ database, clock })
    const { clientId, secret } = await make('Two')
    await clients.verify(clientId, secret)
    time.nowMs += 1_000
    const wanted = { clientId, tenantId: 'acme', othersEndAtMs: time.nowMs }
    const next = await clients.replaceSecret(database, wanted)
    expect(await clients.verify(clientId, secret)).toBeNull()
    expect(await find(clientId)).toMatchObject({
      lastUsedAtMs: START_MS,
      secrets: [{ id: next?.secretId, lastUsedAtMs: null }],
    })
  })

  test('the use of one secret is not that of another', async () => {
    const clients = allOf({ database, clock })
    const { clientId, secret } = await make('Both')
    const wanted = { clientId, tenantId: 'acme', othersEndAtMs: time.nowMs + HOUR_MS }
    const next = await clients.replaceSecret(database, wanted)
    expect(await clients.verify(clientId, secret)).toMatchObject({ id: clientId })
    const uses = (await find(clientId))?.secrets.map(({ id, lastUsedAtMs }) => [id === next?.secretId, lastUsedAtMs])
    expect(uses?.toSorted()).toEqual([
      [false, time.nowMs],
      [true, null],
    ])
  })

  test('two replacements at once leave the two new secrets, and the old one ends', async () => {
    const clients = allOf({ database, clock })
    const { clientId, secret } = await make('At once')
    const wanted = { clientId, tenantId: 'acme', othersEndAtMs: time.nowMs + HOUR_MS }
    const made = await Promise.all([clients.replaceSecret(database, wanted), clients.replaceSecret(database, wanted)])
    for (const each of made) expect(await clients.verify(clientId, each?.secret ?? '')).not.toBeNull()
    time.nowMs += HOUR_MS
    expect(await clients.verify(clientId, secret)).toBeNull()
    expect((await find(clientId))?.secrets.length).toBeGreaterThan(0)
  })

  test('another lender renames and replaces nothing', async () => {
    const clients = allOf({ database, clock })
    const { clientId } = await make('Mine')
    const theirs = { clientId, tenantId: 'other' }
    expect(await clients.rename(database, { ...theirs, name: 'Theirs' })).toBe(false)
    expect(await clients.replaceSecret(database, { ...theirs, othersEndAtMs: time.nowMs })).toBeNull()
    expect(await find(clientId)).toMatchObject({ name: 'Mine', secrets: [{ expiresAtMs: null }] })
  })

  describe('a new client', () => {
    const acme = { tenantId: 'acme', secret: 'a secret' }

    test('can do what a shop needs by default', async () => {
      const clients = allOf({ database, clock })
      expect(await clients.create(database, { ...acme, id: 'usual' })).toBe(true)
      const limited = { ...acme, id: 'limited', name: 'Limited', scopes: ['wallet'], expiresAtMs: START_MS + HOUR_MS }
      expect(await clients.create(database, limited)).toBe(true)
      const created = { createdAtMs: START_MS, disabledAtMs: null, lastUsedAtMs: null }
      const secret = { id: expect.stringMatching(/^[0-9a-f]{8}$/), createdAtMs: START_MS, lastUsedAtMs: null }
      expect(await find('usual')).toEqual({
        ...created,
        ...known,
        id: 'usual',
        name: 'usual',
        scopes: ['credit-reports', 'wallet'],
        secrets: [{ ...secret, expiresAtMs: null }],
      })
      expect(await find('limited')).toEqual({
        ...created,
        ...known,
        id: 'limited',
        name: 'Limited',
        scopes: ['wallet'],
        secrets: [{ ...secret, expiresAtMs: START_MS + HOUR_MS }],
      })
      expect(await clients.verify('limited', 'a secret')).toEqual({
        id: 'limited',
        tenantId: 'acme',
        scopes: ['wallet'],
      })
      expect(SCOPES).toEqual(expect.arrayContaining(['credit-reports', 'wallet']))
    })

    test('is not made under an id that is taken, and the first one stays as it is', async () => {
      const clients = allOf({ database, clock })
      expect(await clients.create(database, { ...acme, id: 'taken', name: 'First' })).toBe(true)
      expect(await clients.create(database, { id: 'taken', tenantId: 'other', secret: 'another' })).toBe(false)
      expect(await find('taken')).toMatchObject({ name: 'First', secrets: [{ expiresAtMs: null }] })
      expect(await clients.verify('taken', 'another')).toBeNull()
      await clients.disable(database, 'taken', 'acme')
      expect(await clients.create(database, { ...acme, id: 'taken' })).toBe(false)
    })

    test('is made under an id of its own, with a secret that is shown once', async () => {
      const { clientId, secretId, secret } = await make('Own')
      expect(clientId).toMatch(/^acme-[0-9a-f]{10}$/)
      expect(secret).toMatch(/^[\w-]{43}$/)
      expect(await find(clientId)).toMatchObject({ name: 'Own', secrets: [{ id: secretId }] })
    })
  })

  describe('a client', () => {
    const wanted = (clientId: string) => ({ clientId, tenantId: 'acme' })

    test('is renamed, and others are not', async () => {
      const clients = allOf({ database, clock })
      const [one, other] = [await make('One'), await make('Other')]
      expect(await clients.rename(database, { ...wanted(one.clientId), name: 'New' })).toBe(true)
      expect([(await find(one.clientId))?.name, (await find(other.clientId))?.name]).toEqual(['New', 'Other'])
      expect(await clients.rename(database, { ...wanted('no-one'), name: 'New' })).toBe(false)
    })

    test('that was revoked is not renamed, gets no secret, is not enabled and stays on the list', async () => {
      const clients = allOf({ database, clock })
      const { clientId, secret } = await make('Gone')
      expect(await clients.find(clientId)).toEqual({ isTestOnly: false, maker: null })
      expect(await clients.disable(database, clientId, 'other')).toBe(false)
      expect(await clients.find(clientId)).toEqual({ isTestOnly: false, maker: null })
      time.nowMs += 5
      expect(await clients.disable(database, clientId, 'acme')).toBe(true)
      time.nowMs += 5
      expect(await clients.disable(database, clientId, 'acme')).toBe(false)
      expect(await clients.find(clientId)).toBeNull()
      expect(await clients.find('no-one')).toBeNull()
      expect(await clients.verify(clientId, secret)).toBeNull()
      expect(await clients.rename(database, { ...wanted(clientId), name: 'New' })).toBe(false)
      expect(await clients.replaceSecret(database, { ...wanted(clientId), othersEndAtMs: time.nowMs })).toBeNull()
      expect(await find(clientId)).toMatchObject({ name: 'Gone', disabledAtMs: START_MS + 5 })
    })

    test('is listed after older ones, each with its own secrets', async () => {
      await database.run('DELETE FROM api_client_secret')
      await database.run('DELETE FROM api_client')
      time.nowMs = START_MS + 1
      const younger = await make('Younger')
      time.nowMs = START_MS
      const older = await make('Older')
      await allOf({ database, clock }).make(database, { tenantId: 'other' })
      expect(await allOf({ database, clock }).list('acme')).toMatchObject([
        { name: 'Older', secrets: [{ id: older.secretId }] },
        { name: 'Younger', secrets: [{ id: younger.secretId }] },
      ])
    })
  })

  describe('a secret', () => {
    const wanted = (clientId: string) => ({ clientId, tenantId: 'acme' })

    test('ends at its time: a millisecond before it is good, then it is neither good nor listed', async () => {
      const clients = allOf({ database, clock })
      const end = { tenantId: 'acme', expiresAtMs: START_MS + HOUR_MS }
      const { clientId, secret } = await clients.make(database, end)
      time.nowMs = START_MS + HOUR_MS - 1
      expect(await clients.verify(clientId, secret)).not.toBeNull()
      expect((await find(clientId))?.secrets).toHaveLength(1)
      time.nowMs += 1
      expect(await clients.verify(clientId, secret)).toBeNull()
      expect((await find(clientId))?.secrets).toEqual([])
    })

    test('that replaces others ends them at the time given, or sooner where they end anyway', async () => {
      const clients = allOf({ database, clock })
      const { clientId } = await clients.make(database, { tenantId: 'acme', expiresAtMs: START_MS + 1_000 })
      const untouched = await make('Untouched')
      const replace = (othersEndAtMs: number, expiresAtMs?: number) =>
        clients.replaceSecret(database, { ...wanted(clientId), othersEndAtMs, expiresAtMs })
      await replace(START_MS + 2_000)
      await replace(START_MS + 3_000, START_MS + HOUR_MS)
      const ends = (await find(clientId))?.secrets.map(({ expiresAtMs }) => expiresAtMs)
      expect(ends?.toSorted()).toEqual([START_MS + 1_000, START_MS + 3_000, START_MS + HOUR_MS])
      expect(await find(untouched.clientId)).toMatchObject({ secrets: [{ expiresAtMs: null }] })
    })

    test('is the eleventh only if the others end at once', async () => {
      const clients = allOf({ database, clock })
      const { clientId } = await make('Many')
      const replace = (othersEndAtMs: number) => clients.replaceSecret(database, { ...wanted(clientId), othersEndAtMs })
      for (let count = 2; count <= 10; count += 1) expect(await replace(START_MS + HOUR_MS)).not.toBeNull()
      expect((await find(clientId))?.secrets).toHaveLength(10)
      expect(await replace(START_MS + HOUR_MS)).toBeNull()
      expect(await replace(START_MS + 1)).toBeNull()
      expect(await replace(START_MS)).not.toBeNull()
      expect((await find(clientId))?.secrets).toHaveLength(1)
    })

    test('is ended by its id, its client’s lender and once; the others go on', async () => {
      const clients = allOf({ database, clock })
      const { clientId, secret, secretId } = await make('Ended')
      const next = await clients.replaceSecret(database, { ...wanted(clientId), othersEndAtMs: START_MS + HOUR_MS })
      const untouched = await make('Untouched')
      const end = (given: object = {}) => clients.endSecret(database, { ...wanted(clientId), secretId, ...given })
      expect(await end({ tenantId: 'other' })).toBe(false)
      expect(await end({ secretId: untouched.secretId })).toBe(false)
      expect(await end({ clientId: untouched.clientId })).toBe(false)
      expect(await clients.verify(clientId, secret)).not.toBeNull()
      expect(await end()).toBe(true)
      expect(await end()).toBe(false)
      expect(await clients.verify(clientId, secret)).toBeNull()
      expect(await clients.verify(clientId, next?.secret ?? '')).not.toBeNull()
      expect(await clients.verify(untouched.clientId, untouched.secret)).not.toBeNull()
      expect(await end({ secretId: next?.secretId })).toBe(true)
      expect((await find(clientId))?.secrets).toEqual([])
    })
  })

  test('the audit trail gets what each act was done to, and what it changed', async () => {
    const recorded: (AuditDetail | string | undefined)[] = []
    const act: Transactions = {
      async transaction(work, said) {
        const done = await database.transaction(work)
        if (done) recorded.push(typeof said === 'function' ? said() : said)
        return done
      },
    }
    const clients = allOf({ database, clock })
    const { clientId } = await clients.make(act, { tenantId: 'acme', name: 'Before' })
    await clients.rename(act, { clientId, tenantId: 'acme', name: 'After' })
    const replacement = { clientId, tenantId: 'acme', othersEndAtMs: START_MS }
    const made = await clients.replaceSecret(act, replacement)
    await clients.disable(act, clientId, 'acme')
    await clients.disable(act, clientId, 'acme')
    expect(recorded).toEqual([
      { object: clientId, objectName: 'Before' },
      { object: clientId, objectName: 'Before', change: { from: 'Before', to: 'After' } },
      { object: `${clientId} ${made?.secretId}`, objectName: 'After' },
      { object: clientId, objectName: 'After' },
    ])
  })
})
