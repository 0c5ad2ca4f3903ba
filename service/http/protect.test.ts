import { Hono } from 'hono'
import { expect, test } from 'vitest'
import type { Operation } from '../../openapi/operation.ts'
import { UMA } from '../../testing/callers.ts'
import { createSilentLog } from '../log.ts'
import { createAccess } from './access.ts'
import { answerError } from './api-error.ts'
import type { Caller } from './caller.ts'
import type { ServiceEnv } from './context.ts'
import { type AuthorisationTable, listRoutes, protect, type RequirePage, rulesOf } from './protect.ts'

const machine: Caller = { kind: 'client', clientId: 'acme-server', tenantIds: ['acme'], scopes: ['wallet'] }
const person: Caller = { ...UMA, isFresh: false, roles: { acme: 'owner' }, scopes: ['wallet'] }

const TABLE: AuthorisationTable = {
  'POST /anyone': { who: 'anyone' },
  'POST /caller': { who: 'caller', audit: 'caps.set' },
  'POST /person': { who: 'person', audit: 'report.read', filesOnly: true },
  'POST /:tenantId/tenant': { who: 'tenant', scope: 'wallet', permission: 'look' },
  'POST /:tenantId/member': { who: 'member', permission: 'look' },
  'POST /:tenantId/fresh-member': { who: 'member', permission: 'look', fresh: true },
  'POST /page': { who: 'page', permission: 'look' },
  'POST /fresh-page': { who: 'page', permission: null, fresh: true },
}

function createApp({ table = TABLE, hasPages = true } = {}) {
  const seen: unknown[] = []
  const app = new Hono<ServiceEnv>()
  app.onError((error, context) => answerError(context, error, createSilentLog()))
  const access = createAccess({
    // A person is known by a cookie, or by a token as their own programs send it.
    authenticate: async ({ headers }) => {
      if (headers.get('Authorization') === 'machine') return machine
      return headers.get('Authorization') === 'person' || headers.get('Cookie') === 'person' ? person : null
    },
    limit: { take: async () => ({ allowed: true, limit: 1, remaining: 0, resetSeconds: 1 }) },
  })
  const requirePage: RequirePage = (permission) => async (_context, next) => {
    seen.push(['page', permission])
    await next()
  }
  const checkRoutes = protect(app, {
    access,
    table,
    ...(hasPages ? { requirePage } : {}),
    requireProof: async (_context, next) => {
      seen.push('proof')
      await next()
    },
    around: (rule) =>
      'audit' in rule
        ? [
            async (_context, next) => {
              seen.push(rule)
              await next()
            },
          ]
        : [],
  })
  async function ask(path: string, headers: { [name: string]: string }) {
    const response = await app.request(path, { method: 'POST', headers })
    const text = await response.text()
    return response.status === 200 ? 200 : `${response.status} ${JSON.parse(text).message}`
  }
  const serveAll = () => {
    for (const route of Object.keys(table)) {
      const [method = '', path = ''] = route.split(' ')
      app.on(method, path, (context) => context.text('served'))
    }
  }
  return { app, seen, ask, checkRoutes, serveAll }
}

const byToken = { Authorization: 'machine' }
const byPersonsToken = { Authorization: 'person' }
const byCookie = { Cookie: 'person', 'Sec-Fetch-Site': 'same-origin' }
const byOtherPage = { Cookie: 'person', 'Sec-Fetch-Site': 'cross-site' }
const NOT_KNOWN = '401 a valid access token is required'
const NO_ACCESS = '403 this token does not give access to that'
const PEOPLE_ONLY = '403 API clients cannot do this: it needs the session of a person who signed in'
const NOT_OURS = '403 this can only be asked by a page of this service'
const OLD = '403 sign in again: this needs a sign-in of the last 15 minutes'

type Row = [path: string, expected: { [by: string]: number | string }]
test.each<Row>([
  ['/anyone', { nothing: 200, token: 200, personsToken: 200, cookie: 200, otherPage: 200 }],
  ['/caller', { nothing: NOT_KNOWN, token: 200, personsToken: 200, cookie: 200, otherPage: NOT_OURS }],
  ['/person', { nothing: NOT_KNOWN, token: PEOPLE_ONLY, personsToken: 200, cookie: 200, otherPage: NOT_OURS }],
  ['/acme/tenant', { nothing: NOT_KNOWN, token: 200, personsToken: 200, cookie: 200, otherPage: NOT_OURS }],
  ['/brook/tenant', { nothing: NOT_KNOWN, token: NO_ACCESS, personsToken: NO_ACCESS, cookie: NO_ACCESS }],
  ['/acme/member', { nothing: NOT_KNOWN, token: PEOPLE_ONLY, personsToken: 200, cookie: 200, otherPage: NOT_OURS }],
  ['/acme/fresh-member', { nothing: NOT_KNOWN, token: PEOPLE_ONLY, personsToken: OLD, cookie: OLD }],
  ['/page', { nothing: NOT_OURS, cookie: 200, otherPage: NOT_OURS }],
  ['/fresh-page', { nothing: NOT_OURS, cookie: 200, otherPage: NOT_OURS }],
])('who may write to %s', async (path, expected) => {
  const { ask, serveAll } = createApp()
  serveAll()
  const headers: { [by: string]: { [name: string]: string } } = {
    nothing: {},
    token: byToken,
    personsToken: byPersonsToken,
    cookie: byCookie,
    otherPage: byOtherPage,
  }
  const answers: { [by: string]: number | string } = {}
  for (const by of Object.keys(expected)) answers[by] = await ask(path, headers[by] ?? {})
  expect(answers).toEqual(expected)
})

test.each([
  ['/caller', [{ who: 'caller', audit: 'caps.set' }]],
  ['/person', [{ who: 'person', audit: 'report.read', filesOnly: true }]],
  ['/acme/tenant', []],
  // Proof of a program's person is the guard's to ask for; of a page's, the page's.
  ['/acme/fresh-member', []],
  ['/page', [['page', 'look']]],
  ['/fresh-page', [['page', null], 'proof']],
])('what stands before %s', async (path, expected) => {
  const { ask, seen, serveAll } = createApp()
  serveAll()
  await ask(path, byCookie)
  expect(seen).toEqual(expected)
})

test('a route without a rule keeps the service from starting', () => {
  const { app, checkRoutes, serveAll } = createApp()
  serveAll()
  expect(() => checkRoutes()).not.toThrow()
  app.get('/anyone', (context) => context.text(''))
  expect(() => checkRoutes()).toThrow(new Error('no rule says who may use GET /anyone'))
  app.get('/forgotten', (context) => context.text(''))
  expect(() => checkRoutes()).toThrow(new Error('no rule says who may use GET /anyone, GET /forgotten'))
})

const operation = (route: Operation['route']): Operation => ({
  route,
  rule: { who: 'anyone' },
  tag: 'Operations',
  summary: '',
  description: '',
  answers: {},
})

test('an operation without a route does too, and a rule without a route does not', () => {
  const { app, checkRoutes } = createApp()
  app.post('/anyone', (context) => context.text(''))
  const operations = { one: operation('POST /anyone'), two: operation('POST /caller'), three: operation('POST /page') }
  expect(() => checkRoutes({ one: operations.one })).not.toThrow()
  expect(() => checkRoutes({ one: operations.one, two: operations.two })).toThrow(new Error('no route serves two'))
  expect(() => checkRoutes(operations)).toThrow(new Error('no route serves two, three'))
})

test('pages need a guard of their own', () => {
  expect(() => createApp({ hasPages: false })).toThrow(new Error('page routes need requirePage'))
  expect(() => createApp({ hasPages: false, table: { 'GET /anyone': { who: 'anyone' } } })).not.toThrow()
})

test('the list of routes has each once, and none that runs on every request', () => {
  const app = new Hono<ServiceEnv>()
  app.get('/first', (context) => context.text(''))
  app.use(async (_context, next) => next())
  app.get('/first', (context) => context.text(''))
  app.get('/*', (context) => context.text(''))
  app.all('/both', (context) => context.text(''))
  expect(listRoutes(app)).toEqual(['GET /first', 'GET /*', 'ALL /both'])
})

test('the rules of operations are found by their routes', () => {
  expect(rulesOf({ one: operation('POST /anyone') })).toEqual({ 'POST /anyone': { who: 'anyone' } })
})
