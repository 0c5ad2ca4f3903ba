import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decodeProtectedHeader } from 'jose'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { seal } from '../../kit/seal.ts'
import { openTestDatabase } from '../../testing/open-database.ts'
import type { Database, Transactions } from '../store/database.ts'
import { createAccessTokens } from './access-token.ts'
import { openSigningKeys, PUBLISH_MS, SIGNING_KEY_PLACE } from './signing-keys.ts'

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
  expect(stored.join()).toContain((await keys.current()).id)
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

/** Keys on a database that counts how often they are read. */
async function counted() {
  let queries = 0
  const counting: Database = {
    ...database,
    all(sql, ...values) {
      queries += 1
      return database.all(sql, ...values)
    },
  }
  const keys = await openSigningKeys({ database: counting, wrappingKeys, clock })
  return { keys, queries: () => queries }
}

test('unknown key ids do not become queries', async () => {
  const { keys, queries } = await counted()
  const before = queries()
  for (let count = 0; count < 50; count++) expect(await keys.find('unknown')).toBeNull()
  expect(queries()).toBe(before)
})

type Keys = Awaited<ReturnType<typeof openSigningKeys>>
test.each<[string, number, (keys: Keys, id: string) => Promise<unknown>]>([
  ['for a token of a key that is unknown after five seconds', 5_000, (keys) => keys.find('unknown')],
  ['for a token of a known key after a minute', 60_000, (keys, id) => keys.find(id)],
  ['to sign after a minute', 60_000, (keys) => keys.current()],
  ['for those who verify after five seconds', 5_000, (keys) => keys.publicKeys()],
])('keys are read again %s, once for all who ask at once', async (_what, afterMs, use) => {
  const { keys, queries } = await counted()
  const { id } = await keys.current()
  const before = queries()
  nowMs += afterMs - 1
  await use(keys, id)
  expect(queries() - before).toBe(0)
  nowMs += 1
  await Promise.all([use(keys, id), use(keys, id), use(keys, id)])
  expect(queries() - before).toBe(1)
  nowMs += afterMs - 1
  await use(keys, id)
  expect(queries() - before).toBe(1)
  nowMs += 1
  await use(keys, id)
  expect(queries() - before).toBe(2)
})

test('a clock that was set back far makes a process look again as well', async () => {
  const { keys, queries } = await counted()
  const before = queries()
  nowMs -= 60_000
  await keys.publicKeys()
  expect(queries() - before).toBe(1)
})

test('the first key signs at once, whatever the clock says', async () => {
  nowMs = 0
  const keys = await open()
  expect((await keys.current()).id).toEqual(expect.any(String))
})

test('keys of which none signs yet are a fault of the installation', async () => {
  await open()
  await database.run('UPDATE signing_key SET signs_from_ms = ?', nowMs + 1)
  const keys = await open()
  await expect(keys.current()).rejects.toThrow('no key signs; at least one always should')
  nowMs += 1
  expect((await keys.current()).privateJwk).toMatchObject({ kty: 'EC', d: expect.any(String) })
})

test('a sealed half that is not private is refused', async () => {
  const keys = await open()
  const { id } = await keys.current()
  const [{ kid: _kid, alg: _alg, use: _use, ...half } = {}] = await keys.publicKeys()
  const sealed = seal(wrappingKeys, { tenantId: SIGNING_KEY_PLACE, rowId: id }, JSON.stringify(half))
  await database.run(
    'UPDATE signing_key SET wrapped_key = ?, sealed_private_jwk = ?',
    sealed.wrappedKey,
    sealed.content,
  )
  await expect(open()).rejects.toThrow('the sealed half of a signing key is not private')
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

  test('a new key is public before it signs; the old one verifies no token in the end, and stays public', async () => {
    const keys = await open()
    const before = (await keys.current()).id
    const { id } = await keys.rotate(database)
    expect((await keys.publicKeys()).map(({ kid }) => kid)).toEqual([id, before])
    nowMs += PUBLISH_MS - 1
    expect((await keys.current()).id).toBe(before)
    nowMs += 1
    expect((await keys.current()).id).toBe(id)
    // A quarter of an hour, for which its last token is valid, and a minute.
    nowMs += 960_000 - 1
    expect((await keys.publicKeys()).map(({ kid }) => kid)).toEqual([id, before])
    expect(await keys.find(before)).not.toBeNull()
    nowMs += 1
    expect(await keys.find(before)).toBeNull()
    for (const later of [keys, await open()]) {
      expect((await later.publicKeys()).map(({ kid }) => kid)).toEqual([id, before])
      expect(await later.findKept(before)).not.toBeNull()
    }
  })

  test('a key of long ago that SECRET_KEY no longer opens is left out, and stops nothing', async () => {
    const keys = await open()
    const before = (await keys.current()).id
    await keys.rotate(database)
    await database.run('UPDATE signing_key SET wrapped_key = ? WHERE id = ?', new Uint8Array(60), before)
    await expect(open()).rejects.toThrow(/another SECRET_KEY|cannot be opened/)
    nowMs += PUBLISH_MS + 960_000
    expect(await (await open()).findKept(before)).toBeNull()
  })

  test('says when the new key signs: in six minutes, or now', async () => {
    const keys = await open()
    expect(await keys.rotate(database)).toEqual({ id: expect.any(String), signsFromMs: nowMs + 360_000 })
    const { id, signsFromMs } = await keys.rotate(database, { now: true })
    expect(signsFromMs).toBe(nowMs)
    expect((await keys.current()).id).toBe(id)
    expect(await keys.find(id)).not.toBeNull()
  })

  test('in two processes at once: the second learns that it came too late', async () => {
    const keys = await open()
    const late: Transactions = {
      transaction: (work) =>
        database.transaction((queries) =>
          work({
            ...queries,
            run: async (sql, ...values) => {
              // The other process has inserted its key between the two statements of this one.
              return sql.startsWith('INSERT') ? 0 : queries.run(sql, ...values)
            },
          }),
        ),
    }
    const before = await database.all('SELECT id, verifies_until_ms FROM signing_key')
    await expect(keys.rotate(late)).rejects.toThrow('another rotation came first')
    expect(await database.all('SELECT id, verifies_until_ms FROM signing_key')).toEqual(before)
  })

  test('ends a leaked key without another life for one that had ended before', async () => {
    const keys = await open()
    const before = (await keys.current()).id
    nowMs += 1
    await keys.rotate(database)
    nowMs += PUBLISH_MS + 960_000 + 1
    const endedAtMs = nowMs
    await keys.rotate(database, { now: true })
    const rows = await database.all('SELECT id, verifies_until_ms FROM signing_key ORDER BY created_at_ms')
    expect(rows.map(({ id, verifies_until_ms }) => [id === before, verifies_until_ms])).toEqual([
      [true, endedAtMs - 1],
      [false, endedAtMs],
      [false, null],
    ])
  })

  test('a leaked key can be ended at once, published ones included', async () => {
    const tokens = await tokensOf()
    const token = await tokens.issue(client, client.scopes)
    const keys = await open()
    await keys.rotate(database)
    const leaked = (await keys.current()).id
    const { id } = await keys.rotate(database, { now: true })
    expect((await keys.publicKeys()).map(({ kid }) => kid)).toEqual([id])
    expect(await keys.findKept(leaked)).not.toBeNull()
    expect(await (await tokensOf()).verify(token)).toBeNull()
    nowMs += MINUTE_MS
    expect(await tokens.verify(token)).toBeNull()
  })
})
