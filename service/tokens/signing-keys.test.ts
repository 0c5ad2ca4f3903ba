import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decodeProtectedHeader } from 'jose'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openTestDatabase } from '../../testing/open-database.ts'
import type { Database } from '../store/database.ts'
import { createAccessTokens } from './access-token.ts'
import { openSigningKeys, PUBLISH_MS } from './signing-keys.ts'

const wrappingKeys = [new Uint8Array(32).fill(7)] as const
const client = { id: 'acme', tenantId: 'acme', scopes: ['credit-reports'] }
let folder: string
let database: Database
let nowMs: number
const clock = () => nowMs

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'keys-'))
  database = await openTestDatabase({ databaseUrl: null, dataDir: folder })
  nowMs = Date.UTC(2026, 10, 15)
})
afterEach(async () => {
  await database.close()
  rmSync(folder, { recursive: true })
})

const open = () => openSigningKeys({ database, wrappingKeys, clock })
const tokensOf = async () => createAccessTokens({ keys: await open(), issuer: 'https://service.example', clock })

test('processes that start at the same moment end up with one key', async () => {
  const opened = await Promise.all(Array.from({ length: 8 }, open))
  const ids = await Promise.all(opened.map(async (keys) => (await keys.current()).id))
  expect(new Set(ids).size).toBe(1)
  expect(await database.all('SELECT id FROM signing_key')).toHaveLength(1)
})

test('the public half is public, the private half is sealed', async () => {
  const keys = await open()
  const [jwk, ...others] = await keys.publicKeys()
  expect(others).toEqual([])
  expect(jwk).toEqual({
    kty: 'EC',
    crv: 'P-256',
    x: expect.any(String),
    y: expect.any(String),
    kid: (await keys.current()).id,
    alg: 'ES256',
    use: 'sig',
  })
  const stored = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'latin1'))
  expect(stored.join()).toContain(String(jwk?.x))
  expect(stored.join()).not.toContain('"d"')
})

test('another SECRET_KEY does not open them', async () => {
  await open()
  const other = openSigningKeys({ database, wrappingKeys: [new Uint8Array(32).fill(8)], clock })
  await expect(other).rejects.toThrow(/another SECRET_KEY/)
})

test('a token of a key that was replaced counts until that key’s time is over', async () => {
  const before = await tokensOf()
  const token = await before.issue(client, client.scopes)
  await database.run('UPDATE signing_key SET verifies_until_ms = ?', nowMs + 600_000)
  const after = await tokensOf()
  expect(await after.verify(token)).toMatchObject({ clientId: 'acme' })
  expect(await after.verify(await after.issue(client, client.scopes))).toMatchObject({ clientId: 'acme' })
  nowMs += 600_000
  expect(await after.verify(token)).toBeNull()
})

test('a process learns of a key another one made', async () => {
  const old = await tokensOf()
  await database.run('UPDATE signing_key SET verifies_until_ms = ?', nowMs + 600_000)
  const token = await (await tokensOf()).issue(client, client.scopes)
  nowMs += 5_000
  expect(await Promise.all([old.verify(token), old.verify(token)])).toMatchObject([
    { clientId: 'acme' },
    { clientId: 'acme' },
  ])
})

test('unknown key ids do not become queries', async () => {
  let queries = 0
  const counted: Database = {
    ...database,
    all(sql, ...values) {
      queries += 1
      return database.all(sql, ...values)
    },
  }
  const keys = await openSigningKeys({ database: counted, wrappingKeys, clock })
  const before = queries
  for (let count = 0; count < 50; count++) expect(await keys.find('unknown')).toBeNull()
  expect(queries).toBe(before)
})

describe('rotation', () => {
  const MINUTE_MS = 60_000

  test('no token that is good ever stops working, whichever process made it and whichever looks', async () => {
    const processes = [await tokensOf(), await tokensOf()]
    const issued: { token: string; atMs: number }[] = []
    const startMs = nowMs
    let refused = 0
    for (let minute = 0; minute < 45; minute += 1) {
      if (minute === 5) await (await open()).rotate(database)
      for (const one of processes) issued.push({ token: await one.issue(client, client.scopes), atMs: nowMs })
      for (const { token, atMs } of issued.filter(({ atMs }) => nowMs - atMs < 900_000)) {
        for (const other of processes) if ((await other.verify(token)) === null && atMs >= startMs) refused += 1
      }
      nowMs += MINUTE_MS
    }
    expect(refused).toBe(0)
    const signers = new Set(issued.map(({ token }) => decodeProtectedHeader(token).kid))
    expect(signers.size).toBe(2)
  })

  test('a new key is public before it signs, and the old one is gone in the end', async () => {
    const keys = await open()
    const before = (await keys.current()).id
    const { id } = await keys.rotate(database)
    expect((await keys.publicKeys()).map(({ kid }) => kid)).toEqual([id, before])
    nowMs += PUBLISH_MS - 1
    expect((await keys.current()).id).toBe(before)
    nowMs += 1
    expect((await keys.current()).id).toBe(id)
    nowMs += 961_000
    expect((await keys.publicKeys()).map(({ kid }) => kid)).toEqual([id])
  })

  test('a leaked key can be ended at once, published ones included', async () => {
    const tokens = await tokensOf()
    const token = await tokens.issue(client, client.scopes)
    const keys = await open()
    await keys.rotate(database)
    const { id } = await keys.rotate(database, { now: true })
    expect((await keys.publicKeys()).map(({ kid }) => kid)).toEqual([id])
    expect(await (await tokensOf()).verify(token)).toBeNull()
    nowMs += MINUTE_MS
    expect(await tokens.verify(token)).toBeNull()
  })
})
