// API clients on both engines: names, the last use, and what a new secret does to the others.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { onEachEngine } from '../../testing/engines.ts'
import { openTestDatabase } from '../../testing/open-database.ts'
import type { Database } from '../store/database.ts'
import { createTenant } from '../tenants/store.ts'
import { createClients } from './clients.ts'

const START_MS = Date.UTC(2026, 10, 17, 14)
const HOUR_MS = 3_600_000

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

  const make = (name: string) => createClients({ database, clock }).make(database, { tenantId: 'acme', name })
  const find = async (id: string) =>
    (await createClients({ database, clock }).list('acme')).find((one) => one.id === id)

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
    const clients = createClients({ database: counted, clock })
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
    const clients = createClients({ database: { ...database, all: database.all, run }, clock })
    expect(await clients.verify(clientId, secret)).toMatchObject({ id: clientId })
  })

  test('each secret has a use of its own, and the client that of the newest, also after it ended', async () => {
    const clients = createClients({ database, clock })
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

  test('two replacements at once leave the two new secrets, and the old one ends', async () => {
    const clients = createClients({ database, clock })
    const { clientId, secret } = await make('At once')
    const wanted = { clientId, tenantId: 'acme', othersEndAtMs: time.nowMs + HOUR_MS }
    const made = await Promise.all([clients.replaceSecret(database, wanted), clients.replaceSecret(database, wanted)])
    for (const each of made) expect(await clients.verify(clientId, each?.secret ?? '')).not.toBeNull()
    time.nowMs += HOUR_MS
    expect(await clients.verify(clientId, secret)).toBeNull()
    expect((await find(clientId))?.secrets.length).toBeGreaterThan(0)
  })

  test('another lender renames and replaces nothing', async () => {
    const clients = createClients({ database, clock })
    const { clientId } = await make('Mine')
    const theirs = { clientId, tenantId: 'other' }
    expect(await clients.rename(database, { ...theirs, name: 'Theirs' })).toBe(false)
    expect(await clients.replaceSecret(database, { ...theirs, othersEndAtMs: time.nowMs })).toBeNull()
    expect(await find(clientId)).toMatchObject({ name: 'Mine', secrets: [{ expiresAtMs: null }] })
  })
})
