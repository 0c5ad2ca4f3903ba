// Every way we know to forge, bend or outlive a token. None may get anywhere, and none may learn why.
import { createHmac, generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type CryptoKey, decodeJwt, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createCookies } from '../../portal/identity/cookies.ts'
import { openTestDatabase } from '../../testing/open-database.ts'
import { createAccess } from '../http/access.ts'
import { createEdge } from '../http/edge.ts'
import { createTenant } from '../ledger/tenants.ts'
import { createSilentLog } from '../log.ts'
import type { Database } from '../store/database.ts'
import { silent } from '../telemetry.ts'
import { type AccessTokens, createAccessTokens } from './access-token.ts'
import { createAuthenticate } from './authenticate.ts'
import { createClients, SCOPES } from './clients.ts'
import { openSigningKeys, type SigningKeys } from './signing-keys.ts'

const issuer = 'https://service.example'
const START_MS = Date.UTC(2026, 10, 15, 9)
const startSeconds = START_MS / 1000
const folder = mkdtempSync(join(tmpdir(), 'tokens-'))
const time = { nowMs: START_MS }
const clock = () => time.nowMs
const client = { id: 'acme', tenantId: 'acme', scopes: ['credit-reports'] }

let database: Database
let ours: { kid: string; privateKey: CryptoKey }
let call: (authorization: string | null) => Promise<{ status: number; body: string; headers: string[] }>
let disable: (id: string) => Promise<number>
let keys: SigningKeys
let tokens: AccessTokens

beforeAll(async () => {
  database = await openTestDatabase({ databaseUrl: null, dataDir: folder })
  await createTenant(database, { id: 'acme', name: 'Acme', nowMs: START_MS })
  keys = await openSigningKeys({ database, wrappingKeys: [new Uint8Array(32)], clock })
  const clients = createClients({ database, clock })
  await clients.create(database, { ...client, secret: 'secret' })
  const { id: kid, privateKey } = await keys.current()
  ours = { kid, privateKey }
  disable = (id) => database.run('UPDATE api_client SET disabled_at_ms = ? WHERE id = ?', START_MS, id)
  tokens = createAccessTokens({ keys, issuer, clock })
  const cookies = createCookies({ secure: true })
  const people = { tokenOf: (request: Request) => cookies.read(request, 'access'), find: async () => null }
  const limit = { take: async () => ({ allowed: true, limit: 1, remaining: 1, resetSeconds: 1 }) }
  const { requireTenant } = createAccess({
    authenticate: createAuthenticate({ tokens, clients, clock, people }),
    limit,
  })
  const app = createEdge({ log: createSilentLog(), telemetry: silent, https: true })
  app.get('/:tenantId/v1/door', requireTenant('credit-reports', 'look'), (context) => context.text('open'))
  call = async (authorization) => {
    const headers: HeadersInit = authorization === null ? {} : { Authorization: authorization }
    const response = await app.request('/acme/v1/door', { headers })
    const names = [...response.headers]
      .filter(([name]) => name !== 'x-request-id')
      .map(([name, value]) => `${name}: ${value}`)
    return { status: response.status, body: await response.text(), headers: names }
  }
})

afterAll(async () => {
  await database.close()
  rmSync(folder, { recursive: true })
})

const goodClaims = {
  iss: issuer,
  aud: issuer,
  sub: 'acme',
  client_id: 'acme',
  tenant_id: 'acme',
  scope: 'credit-reports',
  jti: 'some-id',
  iat: startSeconds,
  exp: startSeconds + 900,
}

type Changes = { claims?: { [claim: string]: unknown }; header?: object; key?: CryptoKey | Uint8Array }

/** A token like ours, but for the changes. A claim of undefined is left out. */
function forge({ claims, header, key }: Changes = {}): Promise<string> {
  const payload: JWTPayload = JSON.parse(JSON.stringify({ ...goodClaims, ...claims }))
  return new SignJWT(payload)
    .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: ours.kid, ...header })
    .sign(key ?? ours.privateKey)
}

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const unsigned = (header: object) => `${encode({ typ: 'at+jwt', kid: ours.kid, ...header })}.${encode(goodClaims)}.`

/** The good token with one of its three parts changed. */
async function bend(part: 0 | 1 | 2, change: (text: string) => string): Promise<string> {
  const parts = (await forge()).split('.')
  return parts.map((text, index) => (index === part ? change(text) : text)).join('.')
}

const flip = (text: string) => (text[0] === 'A' ? `B${text.slice(1)}` : `A${text.slice(1)}`)
const reencode = (change: object) => (text: string) =>
  encode({ ...JSON.parse(Buffer.from(text, 'base64url').toString()), ...change })

async function stranger() {
  return (await generateKeyPair('ES256', { extractable: true })).privateKey
}

async function publicPem(): Promise<Uint8Array> {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return Buffer.from(publicKey.export({ type: 'spki', format: 'pem' }))
}

/** HS256 over our public key: the oldest trick there is. */
async function confused(): Promise<string> {
  const [publicJwk] = await keys.publicKeys()
  const content = `${encode({ alg: 'HS256', typ: 'at+jwt', kid: ours.kid })}.${encode(goodClaims)}`
  return `${content}.${createHmac('sha256', JSON.stringify(publicJwk)).update(content).digest('base64url')}`
}

const bearer = async (token: string | Promise<string>) => `Bearer ${await token}`

test('the token all others are bent from is good', async () => {
  expect(await call(await bearer(forge()))).toMatchObject({ status: 200, body: 'open' })
})

test('a client’s token says who, for which lender, what and until when', async () => {
  const expected = { kind: 'client', clientId: 'acme', tenantId: 'acme', expiresAtMs: START_MS + 905_000 }
  expect(await tokens.verify(await tokens.issue(client, ['wallet', 'stats']))).toEqual({
    ...expected,
    scopes: ['wallet', 'stats'],
  })
  expect(await tokens.verify(await tokens.issue(client, []))).toEqual({ ...expected, scopes: [] })
})

test('a person’s token says which session, and of no lender', async () => {
  const token = await tokens.issueToUser({ id: 'session-1', userId: 'user-1' })
  expect(decodeJwt(token)).toMatchObject({ sub: 'user-1', client_id: 'console', sid: 'session-1' })
  expect(await tokens.verify(token)).toEqual({
    kind: 'user',
    sessionId: 'session-1',
    scopes: SCOPES,
    expiresAtMs: START_MS + 905_000,
  })
  expect(await tokens.verify(await forge({ claims: { sid: 'session-1' } }))).toBeNull()
})

test('a token of 4096 characters is read, and not one more', async () => {
  expect(await tokens.verify(await forgeOfLength(4_096))).toMatchObject({ clientId: 'acme' })
  expect(await tokens.verify(await forgeOfLength(4_097))).toBeNull()
})

/** Four characters of base64 are three bytes, so not every length can be had by the claims alone. */
async function forgeOfLength(length: number): Promise<string> {
  for (let x = 0; x < 4; x += 1) {
    const header = { x: 'a'.repeat(x) }
    const shortest = (await forge({ header, claims: { pad: '' } })).length
    for (let pad = Math.floor(((length - shortest) * 3) / 4) - 2; pad * 4 <= (length - shortest + 4) * 3; pad += 1) {
      const token = await forge({ header, claims: { pad: 'a'.repeat(pad) } })
      if (token.length === length) return token
    }
  }
  throw new Error(`no token has ${length} characters`)
}

test('keys that cannot be read are no bad token: it is not the caller’s fault', async () => {
  const find = () => Promise.reject(new Error('the database is away'))
  const verifying = createAccessTokens({ keys: { ...keys, find }, issuer, clock }).verify(await forge())
  await expect(verifying).rejects.toThrow('the database is away')
})

const hostile: [name: string, authorization: () => Promise<string | null> | string | null][] = [
  ['no header', () => null],
  ['an empty header', () => ''],
  ['another scheme', async () => `Basic ${await forge()}`],
  ['no scheme', () => forge()],
  ['two tokens', async () => `Bearer ${await forge()} ${await forge()}`],
  ['two tokens with a comma', async () => `Bearer ${await forge()}, Bearer ${await forge()}`],
  ['a tab before the token', async () => `Bearer\t${await forge()}`],
  ['alg none', () => bearer(unsigned({ alg: 'none' }))],
  ['alg None', () => bearer(unsigned({ alg: 'None' }))],
  ['alg none with our signature', async () => bearer(bend(0, reencode({ alg: 'none' })))],
  ['no alg', () => bearer(bend(0, reencode({ alg: undefined })))],
  ['a stripped signature', () => bearer(bend(2, () => ''))],
  ['two parts', async () => bearer((await forge()).split('.').slice(0, 2).join('.'))],
  ['four parts', async () => bearer(`${await forge()}.AAAA`)],
  ['a flipped signature', () => bearer(bend(2, flip))],
  ['a signature of zeros', () => bearer(bend(2, () => Buffer.alloc(64).toString('base64url')))],
  ['a signature that is too long', () => bearer(bend(2, (text) => `${text}AAAA`))],
  ['padding', () => bearer(bend(2, (text) => `${text}==`))],
  ['a tampered claim', () => bearer(bend(1, reencode({ tenant_id: 'globex' })))],
  ['a tampered header', () => bearer(bend(0, reencode({ extra: 1 })))],
  ['a stranger’s key under our id', async () => bearer(forge({ key: await stranger() }))],
  ['HS256 with our public key', () => bearer(confused())],
  ['HS256 with some public key', async () => bearer(forge({ header: { alg: 'HS256' }, key: await publicPem() }))],
  ['an unknown key id', () => bearer(forge({ header: { kid: 'unknown' } }))],
  ['a key id that is a path', () => bearer(forge({ header: { kid: '../../dev/null' } }))],
  ['a key id that is SQL', () => bearer(forge({ header: { kid: "' OR 1=1 --" } }))],
  ['a key id that is a number', () => bearer(forge({ header: { kid: 7 } }))],
  ['no key id', () => bearer(forge({ header: { kid: undefined } }))],
  [
    'its own key in the header',
    async () => {
      const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true })
      return bearer(forge({ key: privateKey, header: { jwk: await exportJWK(publicKey) } }))
    },
  ],
  [
    'an address of a key in the header',
    async () => bearer(forge({ key: await stranger(), header: { jku: 'https://evil.example/jwks' } })),
  ],
  ['a certificate in the header', async () => bearer(forge({ key: await stranger(), header: { x5c: ['AAAA'] } }))],
  ['an unknown critical extension', () => bearer(bend(0, reencode({ crit: ['exotic'], exotic: true })))],
  ['an ID token', () => bearer(forge({ header: { typ: 'JWT' } }))],
  ['no type', () => bearer(forge({ header: { typ: undefined } }))],
  ['a wrong issuer', () => bearer(forge({ claims: { iss: 'https://evil.example' } }))],
  ['a wrong audience', () => bearer(forge({ claims: { aud: 'https://evil.example' } }))],
  ['no audience', () => bearer(forge({ claims: { aud: undefined } }))],
  ['an expired one', () => bearer(forge({ claims: { exp: startSeconds - 6 } }))],
  ['one that never expires', () => bearer(forge({ claims: { exp: undefined } }))],
  ['one that is not good yet', () => bearer(forge({ claims: { nbf: startSeconds + 60 } }))],
  ['one from the future', () => bearer(forge({ claims: { iat: startSeconds + 60 } }))],
  [
    'one issued too long ago, whatever it says about its end',
    () => bearer(forge({ claims: { iat: startSeconds - 906, exp: startSeconds + 900 } })),
  ],
  ['one issued at no time', () => bearer(forge({ claims: { iat: undefined } }))],
  ['an expiry that is a text', () => bearer(bend(1, reencode({ exp: '9999999999' })))],
  ['no subject', () => bearer(forge({ claims: { sub: undefined } }))],
  ['no id', () => bearer(forge({ claims: { jti: undefined } }))],
  ['no tenant', () => bearer(forge({ claims: { tenant_id: undefined } }))],
  ['a list of tenants', () => bearer(forge({ claims: { tenant_id: ['acme', 'globex'] } }))],
  ['a client that does not exist', () => bearer(forge({ claims: { client_id: 'no-one', sub: 'no-one' } }))],
  ['claims that are no object', async () => bearer(bend(1, () => encode(['acme'])))],
  ['claims that are no JSON', async () => bearer(bend(1, () => 'AAAA'))],
  ['a header of 200 kilobytes', () => bearer(bend(0, reencode({ pad: 'a'.repeat(200_000) })))],
  ['a token of 200 kilobytes', () => bearer(forge({ claims: { pad: 'a'.repeat(200_000) } }))],
]

describe('a hostile token is 401, the same 401 every time', () => {
  test.each(hostile)('%s', async (_name, authorization) => {
    const shown = await authorization()
    const answer = await call(shown)
    expect(answer).toEqual(await call(shown === null ? null : 'Bearer nonsense'))
    expect(answer.status).toBe(401)
  })
})

describe('as time goes by', () => {
  test('a token is good to its last second and a little longer, remembered or not', async () => {
    const token = await bearer(forge({ claims: { jti: 'time' } }))
    try {
      for (const [afterSeconds, status] of [
        [0, 200],
        [899, 200],
        [904, 200],
        [905, 401],
        [86_400, 401],
      ] as const) {
        time.nowMs = START_MS + afterSeconds * 1000
        expect((await call(token)).status, `${afterSeconds} seconds`).toBe(status)
      }
    } finally {
      time.nowMs = START_MS
    }
  })

  test('tokens of a client that was disabled stop working within a minute', async () => {
    const token = await bearer(forge({ claims: { jti: 'disabled' } }))
    expect((await call(token)).status).toBe(200)
    await disable('acme')
    time.nowMs = START_MS + 60_000
    expect((await call(token)).status).toBe(401)
  })
})
