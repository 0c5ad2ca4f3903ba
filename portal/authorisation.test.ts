// Every route × every kind of credential × own, foreign and absent ids. The routes come from the router itself.

import { Hono } from 'hono'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sampleRequest } from '../contract/samples.ts'
import { DEMO_ROUTES } from '../demo/service/mount.ts'
import { hostedRows } from '../hosted/operations.ts'
import { PAGE_ROUTES } from '../hosted/page-routes.ts'
import { operationsOf } from '../openapi/operation.ts'
import { serviceRows } from '../plugins/rows.ts'
import { createAccess } from '../service/http/access.ts'
import type { ServiceEnv } from '../service/http/context.ts'
import { type AuthorisationTable, protect, rulesOf } from '../service/http/protect.ts'
import { walletRows } from '../service/ledger/operations.ts'
import { SCOPES } from '../service/tokens/clients.ts'
import { ORIGIN, SAM, startTestService, type TestService } from '../testing/portal-service.ts'
import { PORTAL_ROUTES } from './authorisation.ts'

const AUTHORISATION: AuthorisationTable = {
  ...rulesOf(operationsOf([...serviceRows, hostedRows])),
  ...PAGE_ROUTES,
  'ALL /v1/fingerprints/device/sessions': { who: 'anyone' },
  'GET /.well-known/security.txt': { who: 'anyone' },
  ...PORTAL_ROUTES,
  ...DEMO_ROUTES,
}

const OWN = 'demo-lender'
const FOREIGN = 'other-lender'
const ABSENT = 'no-such-lender'

let service: TestService
let reports: { [tenantId: string]: { id: string; challengeId: string } }
/** Headers that prove, or do not, who calls. */
let credentials: { [name: string]: { [header: string]: string } }

beforeAll(async () => {
  service = await startTestService()
  // These may do everything: which scope a route needs is tried with one that has fewer.
  await service.database.run(`UPDATE api_client SET scopes = '${SCOPES.join(' ')}'`)
  const [own, foreign] = [await service.tokenOf(OWN, 'demo-secret'), await service.tokenOf(FOREIGN, 'other-secret')]
  const scopeless = await service.tokenOf(OWN, 'demo-secret&scope=wallet')
  const browser = service.browser()
  await browser.signIn(...SAM)
  const cookie = browser.cookies()
  const userToken = browser.jar.get('__Host-access')?.value
  credentials = {
    nothing: {},
    'an empty token': { Authorization: 'Bearer ' },
    'a made-up token': { Authorization: 'Bearer a.b.c' },
    'a made-up cookie': { Cookie: '__Host-access=a.b.c' },
    'a cookie without its prefix': { Cookie: `access=${userToken}` },
    'the same cookie twice': { Cookie: `__Host-access=${userToken}; __Host-access=${userToken}` },
    'a machine’s token in a cookie': { Cookie: `__Host-access=${own}` },
    'a good cookie behind a bad header': { Cookie: cookie, Authorization: 'Bearer a.b.c' },
    'a machine': { Authorization: `Bearer ${own}` },
    'a machine without the scope': { Authorization: `Bearer ${scopeless}` },
    'another tenant’s machine': { Authorization: `Bearer ${foreign}` },
    'a person, by header': { Authorization: `Bearer ${userToken}` },
    'a person, by cookie': { Cookie: cookie, Origin: ORIGIN },
  }
  reports = {
    [OWN]: await openChallenge(OWN, own),
    [FOREIGN]: await openChallenge(FOREIGN, foreign),
    [ABSENT]: { id: 'no-such-report', challengeId: 'no-such-challenge' },
  }
})
afterAll(() => service.stop())

const STRANGERS = [
  'nothing',
  'an empty token',
  'a made-up token',
  'a made-up cookie',
  'a cookie without its prefix',
  'the same cookie twice',
  'a machine’s token in a cookie',
  'a good cookie behind a bad header',
]
const MEMBERS = ['a machine', 'a person, by header', 'a person, by cookie']
const CALLERS = [...MEMBERS, 'another tenant’s machine', 'a machine without the scope']

async function openChallenge(tenantId: string, token: string) {
  const response = await service.fetch(
    new Request(`${ORIGIN}/${tenantId}/v1/credit-reports`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ ...sampleRequest, challengeOptions: { status: 'challenge' } }),
    }),
  )
  const { data } = await response.json()
  return { id: data.creditReportId, challengeId: data.challenge.challengeId }
}

type Call = { route: string; as: string; tenantId?: string; reportOf?: string; body?: unknown }

async function call({ route, as, tenantId = OWN, reportOf = tenantId, body }: Call) {
  const [method = '', pattern = ''] = route.split(' ')
  const report = reports[reportOf]
  const path = pattern.replace(':tenantId', tenantId).replace(':creditReportId', report?.id ?? '')
  const content = body ?? { challengeId: report?.challengeId, code: '000000', dateOfBirth: '1970-01-01', tenantId }
  const response = await service.fetch(
    new Request(ORIGIN + path.replace(/:\w+(\{.*\})?/g, 'x'), {
      method,
      headers: { 'Content-Type': 'application/json', ...credentials[as] },
      ...(method === 'GET' ? {} : { body: JSON.stringify(content) }),
    }),
  )
  const headers = ['WWW-Authenticate', 'Location', 'Cache-Control'].map((name) => response.headers.get(name))
  return { status: response.status, headers, text: await response.text() }
}

const routesFor = (who: string) =>
  Object.entries(AUTHORISATION)
    .filter(([, rule]) => rule.who === who)
    .map(([route]) => route)
const needToken = ['caller', 'person', 'member', 'tenant'].flatMap(routesFor)

function noAccess() {
  const limit = { take: async () => ({ allowed: true, limit: 1, remaining: 1, resetSeconds: 1 }) }
  return createAccess({ authenticate: async () => null, limit })
}

describe('the table', () => {
  test('knows every route there is', () => {
    expect(service.routes.filter((route) => !(route in AUTHORISATION))).toEqual([])
    expect(service.routes).toContain('POST /:tenantId/v1/credit-reports')
  })

  test('a route it does not know keeps the service from starting', () => {
    const app = new Hono<ServiceEnv>()
    const access = noAccess()
    const check = protect(app, { access, requirePage: () => access.requireCaller(), table: {} })
    app.get('/new', (context) => context.text('open'))
    expect(check).toThrow('GET /new')
  })

  test('so does an operation without a route, also where a guard waits for it', () => {
    const app = new Hono<ServiceEnv>()
    const { getWallet } = walletRows.operations
    const check = protect(app, { access: noAccess(), table: rulesOf({ getWallet }) })
    expect(() => check({ getWallet })).toThrow('no route serves getWallet')
    app.get('/:tenantId/v1/wallet', (context) => context.text('open'))
    expect(() => check({ getWallet })).not.toThrow()
  })
})

describe('without a good token', () => {
  test.each(needToken)('%s is the same 401 for everyone', async (route) => {
    const expected = await call({ route: 'GET /v1/my/tenants', as: 'nothing' })
    expect(expected.status).toBe(401)
    expect(JSON.parse(expected.text)).toEqual({ code: 'unauthorized', message: expect.any(String) })
    for (const as of STRANGERS) {
      for (const tenantId of [OWN, FOREIGN, ABSENT]) {
        const [_bearer, ...headers] = expected.headers
        const shown = credentials[as]?.Authorization === undefined ? 'Bearer' : 'Bearer error="invalid_token"'
        const answer = { ...expected, headers: [shown, ...headers] }
        expect(await call({ route, as, tenantId }), `${as}, ${tenantId}`).toEqual(answer)
      }
    }
  })

  test.each(routesFor('page'))('%s leads to the login', async (route) => {
    for (const as of [...STRANGERS.filter((each) => !each.startsWith('a good cookie')), 'a machine']) {
      const { status, headers } = await call({ route, as })
      expect(status, as).toBe(303)
      expect(headers[1], as).toMatch(/^\/v1\/oauth\/login\?returnTo=%2Fconsole/)
    }
  })
})

describe('with a token', () => {
  test.each(routesFor('tenant'))('%s is for the tenant’s own', async (route) => {
    for (const as of MEMBERS) expect([401, 403], as).not.toContain((await call({ route, as })).status)
    const refused = await call({ route, as: 'a machine', tenantId: FOREIGN })
    expect(refused.status).toBe(403)
    for (const as of MEMBERS) {
      for (const tenantId of [FOREIGN, ABSENT]) {
        for (const reportOf of [OWN, FOREIGN, ABSENT]) {
          expect(await call({ route, as, tenantId, reportOf }), `${as}, ${tenantId}`).toEqual(refused)
        }
      }
    }
    expect(await call({ route, as: 'another tenant’s machine' })).toEqual(refused)
  })

  test.each([
    'Demo-Lender',
    'demo-lender%01',
    'demo-lender%2f..',
    'demo%2dlender%20',
    'd\u0435mo-lender',
    '.',
    '%2e%2e',
  ])('a tenant written %s is unknown', async (tenantId) => {
    for (const route of routesFor('tenant')) {
      expect([403, 404], route).toContain((await call({ route, as: 'a machine', tenantId })).status)
    }
  })

  test.each(routesFor('tenant').filter((route) => route.includes(':creditReportId')))(
    '%s: another tenant’s report is as absent as one that never was',
    async (route) => {
      for (const as of MEMBERS) {
        const absent = await call({ route, as, reportOf: ABSENT })
        expect(absent.status).toBe(404)
        expect(await call({ route, as, reportOf: FOREIGN })).toEqual(absent)
      }
    },
  )

  test.each(routesFor('tenant').filter((route) => !route.includes('/wallet')))('%s needs its scope', async (route) => {
    expect((await call({ route, as: 'a machine without the scope' })).status).toBe(403)
  })

  test.each(routesFor('member'))('%s is for the tenant’s own people', async (route) => {
    for (const as of CALLERS) {
      const { status } = await call({ route, as })
      expect(status === 403, as).toBe(!as.startsWith('a person'))
      for (const tenantId of [FOREIGN, ABSENT]) {
        if (as === 'another tenant’s machine' && tenantId === FOREIGN) continue
        expect((await call({ route, as, tenantId })).status, `${as}, ${tenantId}`).toBe(403)
      }
    }
  })

  test.each(routesFor('person'))('%s is for people', async (route) => {
    for (const as of CALLERS) expect((await call({ route, as })).status, as).toBe(as.startsWith('a person') ? 200 : 403)
  })

  test('selecting a tenant is no way into one', async () => {
    for (const as of MEMBERS) {
      for (const tenantId of [FOREIGN, ABSENT]) {
        expect((await call({ route: 'POST /v1/my/tenants/select', as, tenantId })).status).toBe(403)
        expect((await call({ route: 'GET /:tenantId/v1/wallet', as, tenantId })).status).toBe(403)
      }
      const selected = await call({ route: 'POST /v1/my/tenants/select', as })
      expect(JSON.parse(selected.text)).toEqual({ id: OWN, name: 'Wrenfield' })
    }
  })

  test('everyone sees their own tenants and no others', async () => {
    const listed = async (as: string) => JSON.parse((await call({ route: 'GET /v1/my/tenants', as })).text)
    for (const as of MEMBERS) expect(await listed(as)).toEqual([{ id: OWN, name: 'Wrenfield' }])
    expect(await listed('another tenant’s machine')).toEqual([{ id: FOREIGN, name: 'Other Lender' }])
  })

  test('none of it touched the other tenant', async () => {
    const row = await service.database.first(
      `SELECT balance_credits, attempts, sends FROM wallet JOIN credit_report ON credit_report.tenant_id = wallet.tenant_id
       WHERE credit_report.id = ?`,
      reports[FOREIGN]?.id ?? '',
    )
    expect(row).toEqual({ balance_credits: 1_000_000, attempts: 0, sends: 1 })
  })
})

describe('a write that only cookies vouch for', () => {
  const writes = needToken.concat(routesFor('page')).filter((route) => route.startsWith('POST'))
  type Row = [from: string, headers: { [name: string]: string }]
  const elsewhere: Row[] = [
    ['another site’s form', { Origin: 'https://evil.example', 'Content-Type': 'application/x-www-form-urlencoded' }],
    ['another site’s text/plain', { Origin: 'https://evil.example', 'Content-Type': 'text/plain' }],
    ['a sandboxed frame', { Origin: 'null' }],
    ['a sub-domain', { Origin: 'https://www.service.example', 'Sec-Fetch-Site': 'same-site' }],
    ['a page that lies about Origin but not about the rest', { Origin: ORIGIN, 'Sec-Fetch-Site': 'cross-site' }],
    ['nowhere', {}],
  ]
  test.each(elsewhere)('from %s is 403 on every route', async (_from, headers) => {
    credentials.forged = { Cookie: credentials['a person, by cookie']?.Cookie ?? '', ...headers }
    for (const route of writes) {
      const { status, text } = await call({ route, as: 'forged' })
      expect(status, route).toBe(403)
      expect(JSON.parse(text)).toEqual({ code: 'forbidden', message: expect.any(String) })
    }
  })

  test('beside an unexpected Authorization header is 403 on every page', async () => {
    const forged = { Origin: 'https://evil.example', Authorization: 'Basic x' }
    credentials.forged = { Cookie: credentials['a person, by cookie']?.Cookie ?? '', ...forged }
    for (const route of writes.filter((each) => each.includes('/console'))) {
      expect((await call({ route, as: 'forged' })).status, route).toBe(403)
    }
  })

  test('there are such routes', () => {
    expect(writes.length).toBeGreaterThan(8)
  })
})
