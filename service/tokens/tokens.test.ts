import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Context } from 'hono'
import { decodeJwt, decodeProtectedHeader } from 'jose'
import { ClientSecretBasic, clientCredentialsGrant, customFetch, discovery } from 'openid-client'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openTestDatabase } from '../../testing/open-database.ts'
import { createEdge } from '../http/edge.ts'
import { createTenant } from '../ledger/tenants.ts'
import { createSilentLog } from '../log.ts'
import type { Database } from '../store/database.ts'
import { silent } from '../telemetry.ts'
import { createAuthenticate } from './authenticate.ts'
import { newClientSecret } from './client-secret.ts'
import { insertSecret, SCOPES } from './clients.ts'
import { createTokens, type Tokens } from './tokens.ts'

const issuer = 'https://service.example'
const START_MS = Date.UTC(2026, 10, 15, 9)
const folder = mkdtempSync(join(tmpdir(), 'tokens-'))
const secret = newClientSecret()
const odd = 'p%ss: wörd+/='
const time = { nowMs: START_MS }
let database: Database
let tokens: Tokens
let app: ReturnType<typeof createEdge>

beforeAll(async () => {
  database = await openTestDatabase({ databaseUrl: null, dataDir: folder })
  await createTenant(database, { id: 'acme', name: 'Acme', nowMs: START_MS })
})
afterAll(async () => {
  await database.close()
  rmSync(folder, { recursive: true })
})
beforeEach(async () => {
  time.nowMs = START_MS
  tokens = await createTokens({ database, clock: () => time.nowMs, wrappingKeys: [new Uint8Array(32)], issuer })
  await tokens.clients.create(database, { id: 'acme', tenantId: 'acme', secret })
  await tokens.clients.create(database, { id: 'od:d', tenantId: 'acme', secret: odd, scopes: ['wallet'] })
  app = createEdge({ log: createSilentLog(), telemetry: silent, https: true })
  const clientAddress = (context: Context) => context.req.header('X-Test-Address') ?? null
  app.route('/', tokens.routes({ clientAddress }))
})

type Form = { [name: string]: string } | string
const grant = { grant_type: 'client_credentials' }
const basic = (id: string, password: string) => ({
  Authorization: `Basic ${Buffer.from(`${id}:${password}`).toString('base64')}`,
})

async function ask(form: Form, headers: { [name: string]: string } = {}) {
  const response = await app.request('/v1/oauth/token', {
    method: 'POST',
    body: new URLSearchParams(form).toString(),
    headers: { 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
  })
  return { status: response.status, headers: response.headers, body: await response.json() }
}

describe('a client that shows its secret gets a token', () => {
  type Row = [name: string, form: Form, headers: { [name: string]: string }]
  test.each<Row>([
    ['in the header', grant, basic('acme', secret)],
    ['in the body', { ...grant, client_id: 'acme', client_secret: secret }, {}],
    ['in the header, naming itself in the body too', { ...grant, client_id: 'acme' }, basic('acme', secret)],
    ['with an unknown parameter', { ...grant, resource: 'x' }, basic('acme', secret)],
    [
      'with a character set on the form',
      grant,
      { ...basic('acme', secret), 'Content-Type': 'application/x-www-form-urlencoded; charset=UTF-8' },
    ],
  ])('%s', async (_name, form, headers) => {
    const { status, body, headers: answered } = await ask(form, headers)
    expect(status).toBe(200)
    expect(body).toEqual({
      access_token: expect.any(String),
      token_type: 'Bearer',
      expires_in: 900,
      scope: 'credit-reports wallet',
    })
    expect(answered.get('Cache-Control')).toBe('no-store')
    const { accessTokens, clients } = tokens
    const authenticate = createAuthenticate({ tokens: accessTokens, clients, people: null, clock: () => time.nowMs })
    expect(await authenticate(bearer(body.access_token))).toEqual({
      kind: 'client',
      clientId: 'acme',
      tenantIds: ['acme'],
      scopes: ['credit-reports', 'wallet'],
      isTestOnly: false,
      maker: null,
    })
  })

  const bearer = (token: string) => new Request(issuer, { headers: { Authorization: `Bearer ${token}` } })

  test('the token says who, for whom and how long, and nothing else', async () => {
    const { access_token } = (await ask(grant, basic('acme', secret))).body
    expect(decodeProtectedHeader(access_token)).toEqual({ alg: 'ES256', typ: 'at+jwt', kid: expect.any(String) })
    expect(decodeJwt(access_token)).toEqual({
      iss: issuer,
      aud: issuer,
      sub: 'acme',
      client_id: 'acme',
      tenant_id: 'acme',
      scope: 'credit-reports wallet',
      jti: expect.any(String),
      iat: START_MS / 1000,
      exp: START_MS / 1000 + 900,
    })
  })

  test('fewer scopes can be asked for', async () => {
    expect((await ask({ ...grant, scope: 'wallet' }, basic('acme', secret))).body.scope).toBe('wallet')
  })

  test('odd characters survive when they are encoded as the RFC says', async () => {
    const { status } = await ask(grant, basic(encodeURIComponent('od:d'), encodeURIComponent(odd)))
    expect(status).toBe(200)
  })

  test('a second secret works beside the first', async () => {
    const second = 'a second secret'
    await insertSecret(database, { id: 'acme', secret: second }, time.nowMs)
    for (const each of [secret, second]) expect((await ask(grant, basic('acme', each))).status).toBe(200)
  })
})

describe('everything else is an error of RFC 6749', () => {
  type Row = [name: string, form: Form, headers: { [name: string]: string }, status: number, error: string]
  const right = basic('acme', secret)
  test.each<Row>([
    ['a wrong secret', grant, basic('acme', 'wrong'), 401, 'invalid_client'],
    ['an empty secret', grant, basic('acme', ''), 401, 'invalid_client'],
    ['a digest instead of a secret', grant, basic('acme', '0'.repeat(64)), 401, 'invalid_client'],
    ['an unknown client', grant, basic('no-one', secret), 401, 'invalid_client'],
    ['another client’s secret', grant, basic('od:d', secret), 401, 'invalid_client'],
    ['no credentials', grant, {}, 401, 'invalid_client'],
    ['half of them', { ...grant, client_id: 'acme' }, {}, 401, 'invalid_client'],
    ['a header that is not Basic', grant, { Authorization: `Bearer ${secret}` }, 401, 'invalid_client'],
    ['a header that is not base64', grant, { Authorization: 'Basic ???' }, 401, 'invalid_client'],
    ['SQL for a client', { ...grant, client_id: "' OR 1=1 --", client_secret: secret }, {}, 401, 'invalid_client'],
    ['both ways at once', { ...grant, client_id: 'acme', client_secret: secret }, right, 400, 'invalid_request'],
    ['two different clients', { ...grant, client_id: 'other' }, right, 400, 'invalid_request'],
    ['no grant type', { scope: 'wallet' }, right, 400, 'invalid_request'],
    ['two grant types', 'grant_type=client_credentials&grant_type=password', right, 400, 'invalid_request'],
    ['another grant type', { grant_type: 'password' }, right, 400, 'unsupported_grant_type'],
    ['a scope the client has not', { ...grant, scope: 'admin' }, right, 400, 'invalid_scope'],
    ['JSON', '{}', { ...right, 'Content-Type': 'application/json' }, 400, 'invalid_request'],
  ])('%s', async (_name, form, headers, status, error) => {
    const answer = await ask(form, headers)
    expect(answer.status).toBe(status)
    expect(answer.body).toEqual({ error, error_description: expect.any(String) })
    expect(answer.headers.get('Cache-Control')).toBe('no-store')
    expect(answer.headers.has('WWW-Authenticate')).toBe(status === 401)
  })

  test('an unknown client and a wrong secret look the same', async () => {
    expect((await ask(grant, basic('no-one', 'x'))).body).toEqual((await ask(grant, basic('acme', 'x'))).body)
  })

  test('a scope the client has not names those it has', async () => {
    const { body } = await ask({ ...grant, scope: 'wallet admin' }, right)
    expect(body.error_description).toBe('this client may ask for credit-reports wallet')
  })

  test('a form that is too large is cut off', async () => {
    expect((await ask({ ...grant, pad: 'a'.repeat(10_000) }, right)).status).toBe(413)
  })

  test('a disabled client gets no token', async () => {
    await tokens.clients.create(database, { id: 'gone', tenantId: 'acme', secret })
    await database.run('UPDATE api_client SET disabled_at_ms = ? WHERE id = ?', time.nowMs, 'gone')
    expect((await ask(grant, basic('gone', secret))).status).toBe(401)
  })

  test('only POST', async () => {
    expect((await app.request('/v1/oauth/token')).status).toBe(405)
  })
})

describe('guessing', () => {
  const from = (address: string, password: string) =>
    ask(grant, { ...basic('acme', password), 'X-Test-Address': address })

  test('ten wrong secrets in a minute and nothing more is looked at from there', async () => {
    for (let count = 0; count < 10; count++) expect((await from('10.0.0.1', `guess ${count}`)).status).toBe(401)
    const refused = await from('10.0.0.1', secret)
    expect(refused.status).toBe(429)
    expect(refused.headers.get('Retry-After')).toBe('60')
    expect(refused.body).toEqual({
      error: 'temporarily_unavailable',
      error_description: 'too many wrong secrets: wait 60 seconds',
    })
    time.nowMs += 60_000
    expect((await from('10.0.0.1', secret)).status).toBe(200)
  })

  test('from every address of one’s own network is guessing from one', async () => {
    for (let count = 0; count < 10; count++) await from(`2001:db8:1:2::${count}`, `guess ${count}`)
    expect((await from('2001:db8:1:2:ffff::1', secret)).status).toBe(429)
    expect((await from('2001:db8:1:3::1', secret)).status).toBe(200)
  })

  test('locks no one else out', async () => {
    for (let count = 0; count < 11; count++) await from('10.0.0.1', `guess ${count}`)
    expect((await from('10.0.0.2', secret)).status).toBe(200)
  })

  test('while the clock was ahead locks no one out once it is put right', async () => {
    time.nowMs += 365 * 86_400_000
    for (let count = 0; count < 10; count++) await from('10.0.0.3', `guess ${count}`)
    expect((await from('10.0.0.3', secret)).status).toBe(429)
    time.nowMs -= 365 * 86_400_000
    expect((await from('10.0.0.3', secret)).status).toBe(200)
  })

  test('the right secret in between wipes the slate', async () => {
    for (let count = 0; count < 30; count++) {
      expect((await from('10.0.0.1', count % 9 === 8 ? secret : 'wrong')).status).not.toBe(429)
    }
  })
})

test('secrets are not in the database', async () => {
  await ask(grant, basic('acme', secret))
  const stored = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'latin1'))
  expect(stored.join()).toContain('acme')
  expect(stored.join()).not.toContain(secret)
})

describe('what verifiers read', () => {
  test('the public keys', async () => {
    const response = await app.request('/.well-known/jwks.json')
    expect(response.headers.get('Cache-Control')).toBe('public, max-age=300')
    const { keys } = await response.json()
    expect(keys).toMatchObject([{ kty: 'EC', alg: 'ES256', use: 'sig' }])
    expect(keys[0]).not.toHaveProperty('d')
  })

  test('where everything is', async () => {
    const response = await app.request('/.well-known/oauth-authorization-server')
    expect([response.status, response.headers.get('Cache-Control')]).toEqual([200, 'public, max-age=300'])
    expect(await response.json()).toEqual({
      issuer,
      token_endpoint: `${issuer}/v1/oauth/token`,
      jwks_uri: `${issuer}/.well-known/jwks.json`,
      grant_types_supported: ['client_credentials'],
      response_types_supported: [],
      token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
      scopes_supported: SCOPES,
    })
  })

  test('enough for a client library that configures itself to get a token', async () => {
    const configuration = await discovery(new URL(issuer), 'acme', undefined, ClientSecretBasic(secret), {
      algorithm: 'oauth2',
      [customFetch]: async (url, { method, headers, body }) =>
        app.request(url, { method, headers, body: body ? String(body) : null }),
    })
    const { access_token } = await clientCredentialsGrant(configuration, { scope: 'wallet' })
    expect(decodeJwt(access_token)).toMatchObject({ iss: issuer, scope: 'wallet' })
  })
})
