import { type Context, Hono } from 'hono'
import { describe, expect, test } from 'vitest'
import { UMA } from '../../testing/callers.ts'
import { createSilentLog } from '../log.ts'
import { createAccess } from './access.ts'
import { answerError } from './api-error.ts'
import { type Caller, hasPermission } from './caller.ts'
import type { ServiceEnv } from './context.ts'
import type { RequestLimit } from './rate-limit.ts'

const machine: Caller = { kind: 'client', clientId: 'acme-server', tenantIds: ['acme'], scopes: ['reports'] }
const owner: Caller = {
  ...UMA,
  tenantIds: ['acme', 'brook'],
  roles: { acme: 'owner', brook: 'support' },
  scopes: ['reports'],
}
const callers: { [token: string]: Caller } = {
  machine,
  'machine without scopes': { ...machine, scopes: [] },
  owner,
  'owner without scopes': { ...owner, scopes: [] },
  'owner of an old session': { ...owner, isFresh: false },
}

const nameOf = (caller: Caller) => (caller.kind === 'client' ? `client:${caller.clientId}` : `user:${caller.userId}`)

type Refusal = [status: number, code: string, message: string]
const FORBIDDEN: Refusal = [403, 'forbidden', 'this token does not give access to that']
const PEOPLE_ONLY: Refusal = [
  403,
  'forbidden',
  'API clients cannot do this: it needs the session of a person who signed in',
]
const PROOF: Refusal = [403, 'proof-required', 'sign in again: this needs a sign-in of the last 15 minutes']
const SCOPE: Refusal = [403, 'forbidden', 'this token needs the scope reports']
const ROLE: Refusal = [403, 'forbidden', 'this needs the role owner or finance at the lender']

function createApp(isAllowed = true) {
  const counted: string[] = []
  const limit: RequestLimit = {
    async take(caller, path) {
      counted.push(`${nameOf(caller)} ${path}`)
      return { allowed: isAllowed, limit: 60, remaining: 0, resetSeconds: 7 }
    },
  }
  const authenticate = async (request: Request) => callers[request.headers.get('Authorization') ?? ''] ?? null
  const { requireCaller, requireTenant, requireMember } = createAccess({ authenticate, limit })
  const app = new Hono<ServiceEnv>()
  app.onError((error, context) => answerError(context, error, createSilentLog()))
  app.get('/me', requireCaller(), (context) => context.json({ me: nameOf(context.get('caller')) }))
  const tenant = (context: Context<ServiceEnv>) => context.json({ tenantId: context.get('tenantId') })
  app.get('/:tenantId/tenant', requireTenant('reports', 'money'), tenant)
  app.get('/:tenantId/fresh', requireTenant('reports', 'money', { fresh: true }), tenant)
  app.get('/:tenantId/member', requireMember('money'), tenant)
  app.get('/:tenantId/fresh-member', requireMember('money', { fresh: true }), tenant)
  app.get('/no-tenant', requireTenant('reports', 'money'), tenant)
  app.get('/:tenantId/later', requireTenant('reports', 'money', { countLater: true }), async (context) => {
    const before = counted.length
    await context.get('countRequest')?.()
    return context.json({ before, after: counted.length })
  })
  async function ask(path: string, token?: string) {
    const headers: HeadersInit = token === undefined ? {} : { Authorization: token }
    const response = await app.request(path, { headers })
    return { status: response.status, challenge: response.headers.get('WWW-Authenticate'), body: await response.json() }
  }
  return { ask, counted }
}

describe('who gets through', () => {
  test.each<[token: string, path: string, expected: 200 | Refusal]>([
    ['machine', '/me', 200],
    ['machine without scopes', '/me', 200],
    ['owner', '/me', 200],
    ['machine', '/acme/tenant', 200],
    ['machine', '/acme/fresh', 200],
    ['machine', '/brook/tenant', FORBIDDEN],
    ['machine', '/acme/member', PEOPLE_ONLY],
    ['machine', '/no-tenant', FORBIDDEN],
    ['machine without scopes', '/acme/tenant', SCOPE],
    ['owner', '/acme/tenant', 200],
    ['owner', '/acme/fresh', 200],
    ['owner', '/acme/member', 200],
    ['owner', '/acme/fresh-member', 200],
    ['owner', '/brook/tenant', ROLE],
    ['owner', '/brook/member', ROLE],
    ['owner', '/other/member', FORBIDDEN],
    ['owner without scopes', '/acme/tenant', SCOPE],
    ['owner without scopes', '/acme/member', 200],
    ['owner of an old session', '/acme/tenant', 200],
    ['owner of an old session', '/acme/fresh', PROOF],
    ['owner of an old session', '/acme/member', 200],
    ['owner of an old session', '/acme/fresh-member', PROOF],
  ])('%s at %s', async (token, path, expected) => {
    const { ask, counted } = createApp()
    const { status, body } = await ask(path, token)
    expect(expected === 200 ? status : [status, body.code, body.message]).toEqual(expected)
    if (expected === 200 && path !== '/me') expect(body).toEqual({ tenantId: 'acme' })
    expect(counted).toEqual([expect.stringContaining(path)])
  })
})

test('a token that is not good is called invalid, none at all is not', async () => {
  const { ask, counted } = createApp()
  const body = { code: 'unauthorized', message: 'a valid access token is required' }
  expect(await ask('/me')).toEqual({ status: 401, challenge: 'Bearer', body })
  expect(await ask('/me', 'stranger')).toEqual({ status: 401, challenge: 'Bearer error="invalid_token"', body })
  expect(counted).toEqual([])
})

test('a scope that is missing is named, for programs too', async () => {
  const { challenge } = await createApp().ask('/acme/tenant', 'machine without scopes')
  expect(challenge).toBe('Bearer error="insufficient_scope", scope="reports"')
})

test('over the limit says how many are allowed and how long to wait', async () => {
  const { ask } = createApp(false)
  const body = { code: 'rate-limited', message: 'more than 60 requests in a minute: wait 7 seconds' }
  expect(await ask('/me', 'owner')).toMatchObject({ status: 429, body })
  // 429 before 403: what is refused for another reason counts as well.
  expect(await ask('/brook/tenant', 'machine')).toMatchObject({ status: 429, body })
})

test('a route that counts by itself is counted once, when it says so', async () => {
  const { ask, counted } = createApp()
  expect((await ask('/acme/later', 'machine')).body).toEqual({ before: 0, after: 1 })
  expect(counted).toEqual(['client:acme-server /acme/later'])
  // Refused before the route: nothing was counted.
  expect((await ask('/brook/later', 'machine')).status).toBe(403)
  expect(counted).toHaveLength(1)
  expect((await createApp(false).ask('/acme/later', 'machine')).status).toBe(429)
})

test('a person has the permissions of their role at that lender; a machine has scopes instead', () => {
  expect(hasPermission(owner, 'acme', 'data')).toBe(true)
  expect(hasPermission(owner, 'brook', 'look')).toBe(true)
  expect(hasPermission(owner, 'brook', 'data')).toBe(false)
  expect(hasPermission(owner, 'other', 'look')).toBe(false)
  expect(hasPermission(machine, 'acme', 'data')).toBe(true)
})
