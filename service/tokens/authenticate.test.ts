// Authentication of a request: a machine by its header, a person by their cookie, and the time for which either is
// cached.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { openTestDatabase } from '../../testing/open-database.ts'
import type { UserCaller } from '../http/caller.ts'
import { createTenant } from '../ledger/tenants.ts'
import type { Database } from '../store/database.ts'
import { type AccessTokens, createAccessTokens } from './access-token.ts'
import { createAuthenticate, type People } from './authenticate.ts'
import { type Clients, createClients } from './clients.ts'
import { openSigningKeys } from './signing-keys.ts'

const issuer = 'https://service.example'
const START_MS = Date.UTC(2026, 10, 15, 9)
const acme = { id: 'acme', tenantId: 'acme', scopes: ['wallet'] }
const known = { isTestOnly: false, maker: null }
const machine = { kind: 'client', clientId: 'acme', tenantIds: ['acme'], scopes: ['wallet'], ...known }
const pat: UserCaller = {
  kind: 'user',
  userId: 'pat',
  name: 'Pat Example',
  email: 'pat@lender.example',
  sessionId: 'session-1',
  isFresh: true,
  tenantIds: ['acme'],
  roles: { acme: 'owner' },
  selectedTenantId: null,
  scopes: ['wallet'],
}

const folder = mkdtempSync(join(tmpdir(), 'authenticate-'))
let database: Database
let nowMs = START_MS
const clock = () => nowMs
let tokens: AccessTokens
let clients: Clients
/** The number of times the database was asked whether a client is enabled. */
let looks = 0
let sessions: { [id: string]: UserCaller }

beforeAll(async () => {
  database = await openTestDatabase({ databaseUrl: null, dataDir: folder })
  await createTenant(database, { id: 'acme', name: 'Acme', nowMs })
  const keys = await openSigningKeys({ database, wrappingKeys: [new Uint8Array(32)], clock })
  tokens = createAccessTokens({ keys, issuer, clock })
})
afterAll(async () => {
  await database.close()
  rmSync(folder, { recursive: true })
})
beforeEach(async () => {
  nowMs = START_MS
  looks = 0
  sessions = { 'session-1': pat }
  await database.run('DELETE FROM api_client_secret')
  await database.run('DELETE FROM api_client')
  const own = createClients({ database, clock })
  await own.create(database, { ...acme, secret: 'secret' })
  clients = {
    ...own,
    find(id) {
      looks += 1
      return own.find(id)
    },
  }
})

const people: People = {
  tokenOf: (request) => request.headers.get('Cookie') ?? undefined,
  find: async ({ sessionId }) => sessions[sessionId] ?? null,
}

const create = (given: People | null = people) => createAuthenticate({ tokens, clients, people: given, clock })
const by = (headers: { [name: string]: string }) => new Request(issuer, { headers })
const bearer = (token: string) => by({ Authorization: `Bearer ${token}` })

test('a machine is known by its header, in any case and however wide apart', async () => {
  const token = await tokens.issue(acme, acme.scopes)
  for (const Authorization of [`Bearer ${token}`, `bearer   ${token}`]) {
    expect(await create()(by({ Authorization }))).toEqual(machine)
  }
})

test('a machine is believed for a minute without another look, and for each of its tokens', async () => {
  const authenticate = create()
  const [one, other] = [await tokens.issue(acme, acme.scopes), await tokens.issue(acme, acme.scopes)]
  for (const token of [one, other, one, other]) expect(await authenticate(bearer(token))).toEqual(machine)
  expect(looks).toBe(2)
  nowMs += 59_999
  await authenticate(bearer(one))
  expect(looks).toBe(2)
  nowMs += 1
  expect(await authenticate(bearer(one))).toEqual(machine)
  expect(looks).toBe(3)
  await database.run('UPDATE api_client SET disabled_at_ms = ? WHERE id = ?', nowMs, 'acme')
  nowMs += 59_999
  expect(await authenticate(bearer(one))).toEqual(machine)
  nowMs += 1
  expect(await authenticate(bearer(one))).toBeNull()
})

test('a machine is not believed beyond the end of its token', async () => {
  const authenticate = create()
  const token = await tokens.issue(acme, acme.scopes)
  nowMs += 880_000
  expect(await authenticate(bearer(token))).toEqual(machine)
  nowMs += 24_999
  expect(await authenticate(bearer(token))).toEqual(machine)
  nowMs += 1
  expect(await authenticate(bearer(token))).toBeNull()
})

test('a person is known by cookie or header, and asked about each time', async () => {
  const authenticate = create()
  const token = await tokens.issueToUser({ id: 'session-1', userId: 'pat' })
  for (const request of [by({ Cookie: token }), bearer(token)]) expect(await authenticate(request)).toBe(pat)
  sessions = {}
  for (const request of [by({ Cookie: token }), bearer(token)]) expect(await authenticate(request)).toBeNull()
})

test('a header counts before the cookie, also when it is wrong', async () => {
  const Cookie = await tokens.issueToUser({ id: 'session-1', userId: 'pat' })
  const token = await tokens.issue(acme, acme.scopes)
  expect(await create()(by({ Cookie, Authorization: `Bearer ${token}` }))).toEqual(machine)
  for (const Authorization of ['Bearer', 'Bearer a.b.c', `Basic ${token}`]) {
    expect(await create()(by({ Cookie, Authorization }))).toBeNull()
  }
})

test('a machine’s token in a cookie is refused, also one that is remembered', async () => {
  const authenticate = create()
  const token = await tokens.issue(acme, acme.scopes)
  expect(await authenticate(by({ Cookie: token }))).toBeNull()
  await authenticate(bearer(token))
  expect(await authenticate(by({ Cookie: token }))).toBeNull()
})

test('where there are no people, only machines are known', async () => {
  const authenticate = create(null)
  const person = await tokens.issueToUser({ id: 'session-1', userId: 'pat' })
  expect(await authenticate(by({ Cookie: person }))).toBeNull()
  expect(await authenticate(bearer(person))).toBeNull()
  expect(await authenticate(bearer(await tokens.issue(acme, acme.scopes)))).toEqual(machine)
  expect(await authenticate(by({}))).toBeNull()
})
