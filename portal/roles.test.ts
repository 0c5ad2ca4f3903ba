// The permissions of each role, on every page of the console and in the API: written down here once more, so that a
// change of the table is a change of two places.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ROLES, type Role } from '../contract/roles.ts'
import { sampleRequest } from '../contract/samples.ts'
import { hostedRows } from '../hosted/operations.ts'
import { operationsOf } from '../openapi/operation.ts'
import { serviceRows } from '../plugins/rows.ts'
import { rulesOf } from '../service/http/protect.ts'
import { ORIGIN, SAM, startTestService, type TestService } from '../testing/portal-service.ts'
import { hashQuickly } from '../testing/quick-passwords.ts'
import { mainOf, type TestBrowser } from '../testing/service-browser.ts'
import { PORTAL_ROUTES } from './authorisation.ts'
import { createMembers, join } from './identity/members.ts'
import { createOneTimeLinks } from './identity/one-time-links.ts'
import { createUsers } from './identity/users.ts'

hashQuickly()

/** Every page of the console and every route of the API with a lender in its path, and the roles that may use it. */
const TABLE: readonly [may: readonly Role[], routes: readonly string[]][] = [
  [
    ['owner', 'developer', 'support', 'finance', 'auditor'],
    [
      'GET /console',
      'GET /console/money',
      'GET /console/money/statement',
      'GET /console/money/statement.csv',
      'GET /console/checks',
      'GET /console/checks/:creditReportId',
      'GET /:tenantId/v1/credit-reports',
      'GET /:tenantId/v1/credit-reports/:creditReportId/timeline',
      'GET /:tenantId/v1/stats',
      'GET /:tenantId/v1/wallet',
      'GET /:tenantId/v1/wallet/lines',
      'GET /:tenantId/v1/wallet/statement',
      'GET /:tenantId/v1/wallet/holds',
      'GET /:tenantId/v1/wallet/caps',
      'GET /:tenantId/v1/wallet/low-balance',
    ],
  ],
  [
    ['owner', 'developer', 'auditor'],
    [
      'GET /console/setup',
      'GET /console/clients',
      'GET /console/webhooks',
      'GET /console/webhooks/events/:deliveryId',
      'GET /console/hosted-page',
      'GET /:tenantId/v1/hosted-page',
      'GET /:tenantId/v1/clients',
      'GET /:tenantId/v1/clients/:clientId',
      'GET /:tenantId/v1/refusals',
      'GET /:tenantId/v1/webhooks',
      'GET /:tenantId/v1/webhooks/:webhookId',
      'GET /:tenantId/v1/webhook-deliveries',
      'GET /:tenantId/v1/webhook-deliveries/:deliveryId',
    ],
  ],
  [
    ['owner', 'developer'],
    [
      'POST /console/clients',
      'GET /console/clients/:clientId/revoke',
      'POST /console/clients/:clientId/revoke',
      'GET /console/clients/:clientId/name',
      'POST /console/clients/:clientId/name',
      'GET /console/clients/:clientId/secrets',
      'POST /console/clients/:clientId/secrets',
      'GET /console/clients/:clientId/secrets/:secretId/end',
      'POST /console/clients/:clientId/secrets/:secretId/end',
      'POST /console/webhooks',
      'GET /console/webhooks/:webhookId/rotate',
      'POST /console/webhooks/resend-failed',
      'POST /console/webhooks/:webhookId/rotate',
      'GET /console/webhooks/:webhookId/remove',
      'POST /console/webhooks/:webhookId/remove',
      'POST /console/webhooks/:webhookId/test',
      'POST /console/webhooks/events/:deliveryId/resend',
      'POST /:tenantId/v1/doctor',
      'POST /console/hosted-page',
      'POST /console/hosted-page/logo',
      'PUT /:tenantId/v1/hosted-page',
      'PUT /:tenantId/v1/hosted-page/logo',
      'POST /:tenantId/v1/clients',
      'PATCH /:tenantId/v1/clients/:clientId',
      'DELETE /:tenantId/v1/clients/:clientId',
      'POST /:tenantId/v1/clients/:clientId/secrets',
      'DELETE /:tenantId/v1/clients/:clientId/secrets/:secretId',
      'POST /:tenantId/v1/webhooks',
      'POST /:tenantId/v1/webhooks/:webhookId/secret',
      'POST /:tenantId/v1/webhooks/:webhookId/test',
      'DELETE /:tenantId/v1/webhooks/:webhookId',
      'POST /:tenantId/v1/webhook-deliveries/:deliveryId/resend',
      'POST /:tenantId/v1/webhook-deliveries/resend-failed',
    ],
  ],
  [
    ['owner', 'support'],
    [
      'GET /console/links',
      'POST /console/links',
      'GET /console/links/:linkId',
      'POST /console/links/:linkId/revoke',
      'POST /:tenantId/v1/links',
      'GET /:tenantId/v1/links',
      'GET /:tenantId/v1/links/:linkId',
      'DELETE /:tenantId/v1/links/:linkId',
    ],
  ],
  [
    ['owner', 'finance'],
    [
      'GET /console/caps',
      'POST /console/caps',
      'POST /console/money/low-balance',
      'PATCH /:tenantId/v1/wallet/caps',
      'PUT /:tenantId/v1/wallet/low-balance',
    ],
  ],
  [
    ['owner', 'auditor'],
    [
      'GET /console/people',
      'GET /console/audit',
      'GET /console/audit.csv',
      'GET /console/audit.jsonl',
      'GET /:tenantId/v1/audit',
      'GET /:tenantId/v1/audit/heads',
    ],
  ],
  [
    ['owner'],
    [
      'POST /console/people',
      'GET /console/people/invitations/:invitationId/withdraw',
      'POST /console/people/invitations/:invitationId/withdraw',
      'GET /console/people/second-factor',
      'POST /console/people/second-factor',
      'GET /console/people/:person/role',
      'POST /console/people/:person/role',
      'GET /console/people/:person/remove',
      'POST /console/people/:person/remove',
      'GET /console/data',
      'POST /console/data/find',
      'POST /console/data/print',
      'POST /console/data/export',
      'POST /console/data/erase',
      'GET /console/checks/:creditReportId/erase',
      'POST /console/checks/:creditReportId/erase',
      'GET /console/checks/:creditReportId/report',
      'POST /console/checks/:creditReportId/report',
      'POST /:tenantId/v1/credit-reports',
      'GET /:tenantId/v1/credit-reports/:creditReportId',
      'DELETE /:tenantId/v1/credit-reports/:creditReportId',
      'POST /:tenantId/v1/credit-reports/:creditReportId/otp-challenge',
      'POST /:tenantId/v1/credit-reports/:creditReportId/resend-sms',
      'POST /:tenantId/v1/credit-reports/:creditReportId/open',
      'POST /:tenantId/v1/people/export',
      'POST /:tenantId/v1/people/erase',
      'POST /:tenantId/v1/steps',
    ],
  ],
]

/** About the person, not about a lender. */
const OWN_PAGES = [
  'GET /console/tenants',
  'POST /console/tenants',
  'GET /console/invitations/:invitationId',
  'POST /console/invitations/:invitationId',
  'GET /console/profile',
  'GET /console/profile/totp',
  'POST /console/profile/password',
  'POST /console/profile/sessions/end',
  'POST /console/profile/totp',
  'POST /console/profile/totp/confirm',
  'POST /console/profile/totp/off',
  'GET /console/*',
]

const routes = Object.entries({ ...rulesOf(operationsOf([...serviceRows, hostedRows])), ...PORTAL_ROUTES })
  .filter(([, { who }]) => who === 'page' || who === 'tenant' || who === 'member')
  .map(([route]) => route)

test('the table above has every route once', () => {
  expect([...TABLE.flatMap(([, named]) => named), ...OWN_PAGES].toSorted()).toEqual(routes.toSorted())
})

let service: TestService
const browsers = new Map<string, TestBrowser>()

beforeAll(async () => {
  service = await startTestService()
  const { database, time } = service
  const users = createUsers({ database, clock: () => time.nowMs })
  const sam = await users.findByEmail(SAM[0])
  const passwordHash = String(
    (
      await database.first<{ hash: string }>(
        'SELECT password_hash AS hash FROM user_account WHERE id = ?',
        sam?.id ?? '',
      )
    )?.hash,
  )
  async function signIn(name: string, tenantId: string, role: Role): Promise<void> {
    const email = `${name}@${tenantId}.example`
    const person = { email, firstName: 'A', lastName: name, passwordHash, tenantIds: [tenantId], role }
    await users.create(service.database, person)
    const browser = service.browser()
    await browser.signIn(email, SAM[1], '/console')
    browsers.set(name, browser)
  }
  for (const role of ROLES) await signIn(role, 'demo-lender', role)
  await signIn('owner of another lender', 'other-lender', 'owner')
})
afterAll(() => service.stop())

const as = (name: string) => browsers.get(name) ?? service.browser()

async function call(name: string, route: string, ids: { [parameter: string]: string } = {}): Promise<Response> {
  const [method = '', pattern = ''] = route.split(' ')
  const path = pattern
    .replace(':tenantId', 'demo-lender')
    .replace(/:(\w+)/g, (_all, parameter) => ids[parameter] ?? 'x')
    .replace('*', 'x')
  if (path.startsWith('/console')) return as(name).ask(path, method === 'GET' ? {} : { form: {} })
  const cookie = as(name).cookies()
  const body = method === 'GET' ? {} : { body: JSON.stringify({ ...sampleRequest, challengeId: 'x', code: '1' }) }
  const headers = { ...(cookie ? { Cookie: cookie } : {}), Origin: ORIGIN, 'Content-Type': 'application/json' }
  return service.fetch(new Request(ORIGIN + path, { method, headers, ...body }))
}
const statusOf = async (name: string, route: string) => (await call(name, route)).status

describe.each(ROLES.map((role) => [role]))('as %s', (role) => {
  test.each(TABLE.flatMap(([may, named]) => named.map((route) => [route, may] as const)))(
    '%s is answered or refused as the table says',
    async (route, may) => {
      expect((await statusOf(role, route)) === 403).toBe(!may.includes(role))
    },
  )

  test.each(OWN_PAGES)('%s is answered', async (route) => {
    // Choosing a lender without naming one is refused for a reason of its own.
    expect((await statusOf(role, route)) === 403).toBe(route === 'POST /console/tenants')
  })
})

describe('as an owner of another lender, who names what belongs to this one', () => {
  const ids: { [parameter: string]: string } = {}
  const idFrom = async (sql: string) => String((await service.database.first<{ id: string }>(sql))?.id)
  /** The data of this lender; counts of requests are none of it. */
  async function dump(): Promise<string> {
    const tables = [
      'user_tenant',
      'one_time_link',
      'api_client',
      'webhook_endpoint',
      'webhook_delivery',
      'hosted_link',
      'credit_report',
    ]
    const rows = tables.map((table) => service.database.all(`SELECT * FROM ${table} WHERE tenant_id = 'demo-lender'`))
    const secrets = service.database.all('SELECT * FROM api_client_secret')
    const tenant = service.database.all(`SELECT * FROM tenant WHERE id = 'demo-lender'`)
    return JSON.stringify(await Promise.all([...rows, secrets, tenant]))
  }

  beforeAll(async () => {
    const { database, time } = service
    const clock = () => time.nowMs
    const links = createOneTimeLinks({ database, clock, users: createUsers({ database, clock }) })
    const email = 'pat@demo-lender.example'
    await links.invite(database, { tenantId: 'demo-lender', email, role: 'owner', by: null })
    const generated = await call('owner', 'POST /:tenantId/v1/credit-reports')
    await as('owner').visit('/console/webhooks', { form: { url: 'https://events.lender.example/' } })
    const made = await as('owner').visit('/console/links', { form: { mode: 'test' } })
    Object.assign(ids, {
      linkId: made.url.pathname.split('/').at(-1),
      creditReportId: (await generated.json()).data.creditReportId,
      clientId: 'demo-lender',
      secretId: await idFrom(
        `SELECT SUBSTR(digest, 1, 8) AS id FROM api_client_secret WHERE client_id = 'demo-lender'`,
      ),
      person: await idFrom(`SELECT id FROM user_account WHERE email = 'support@demo-lender.example'`),
      invitationId: await idFrom(`SELECT id FROM one_time_link WHERE email = '${email}'`),
      webhookId: await idFrom(`SELECT id FROM webhook_endpoint WHERE tenant_id = 'demo-lender'`),
    })
    await database.run(
      `INSERT INTO webhook_delivery (id, endpoint_id, tenant_id, type, payload, status, due_at_ms, queued_at_ms, created_at_ms)
       VALUES ('an-event', '${ids.webhookId}', 'demo-lender', 'wallet.low', '{}', 'parked', 1, 1, 1)`,
    )
    ids.deliveryId = 'an-event'
  })

  test('these are all there', () => {
    expect(Object.values(ids)).not.toContain('undefined')
    const named = new Set(routes.flatMap((route) => [...route.matchAll(/:(\w+)/g)].map(([, name = '']) => name)))
    expect([...named].filter((name) => !(name in ids)).toSorted()).toEqual(['tenantId'])
  })

  // Those of the API refuse every name of another lender: authorisation.test.ts.
  const pages = TABLE.flatMap(([, named]) => named).filter((route) => route.includes('/console'))
  test.each(pages)('%s shows and changes nothing', async (route) => {
    const before = await dump()
    const text = await (await call('owner of another lender', route, ids)).text()
    // A page may repeat the id that was typed, as an id of no one.
    for (const word of ['Wrenfield', 'events.lender.example', '@demo-lender.example']) expect(text).not.toContain(word)
    expect(await dump()).toBe(before)
  })
})

test('who selects another lender while a page is on its way acts for one lender alone, as what they are there', async () => {
  const { database, time } = service
  const users = createUsers({ database, clock: () => time.nowMs })
  const userId = (await users.findByEmail('owner@demo-lender.example'))?.id ?? ''
  await join(database, { tenantId: 'other-lender', userId, role: 'support', nowMs: 1 })
  const browser = as('owner')
  await browser.visit('/console/tenants', { form: { tenantId: 'other-lender' } })
  expect((await browser.ask('/console/clients')).status).toBe(403)
  await browser.visit('/console/tenants', { form: { tenantId: 'demo-lender' } })
  expect((await browser.ask('/console/clients')).status).toBe(200)
  await createMembers({ database }).setRole(database, { tenantId: 'other-lender', person: userId, role: null })
})

test('a role that only a later version knows means the least', async () => {
  const { database } = service
  const store = (role: string) =>
    database.run(
      `UPDATE user_tenant SET role = ? WHERE user_id = (SELECT id FROM user_account WHERE email = 'support@demo-lender.example')`,
      role,
    )
  await store('a role of a later version')
  const members = await createMembers({ database }).list('demo-lender')
  expect(members.find(({ email }) => email.startsWith('support'))?.role).toBe('support')
  expect(await statusOf('support', 'GET /:tenantId/v1/wallet')).toBe(200)
  expect(await statusOf('support', 'POST /:tenantId/v1/credit-reports')).toBe(403)
  await store('support')
})

test('a page that the role does not include says which role does, and the navigation does not lead there', async () => {
  const { text } = await as('finance').visit('/console/webhooks')
  expect(text).toContain('You are <strong>finance</strong>')
  expect(text).toContain('needs the role <strong>owner or developer or auditor</strong>')
  const names = ['Today', 'Checks', 'Money', 'API clients', 'Webhooks', 'People', 'Audit', 'Profile']
  const shownTo = async (role: Role) => {
    const page = (await as(role).visit('/console/profile')).text
    return names.filter((name) => page.includes(`>${name}</a>`))
  }
  expect(await shownTo('owner')).toEqual(names)
  expect(await shownTo('developer')).toEqual(['Today', 'Checks', 'Money', 'API clients', 'Webhooks', 'Profile'])
  expect(await shownTo('support')).toEqual(['Today', 'Checks', 'Money', 'Profile'])
  expect(await shownTo('finance')).toEqual(['Today', 'Checks', 'Money', 'Profile'])
  expect(await shownTo('auditor')).toEqual(names)
})

test.each(['/console/clients', '/console/webhooks', '/console/people'])(
  'an auditor reads %s and finds nothing to press',
  async (path) => {
    const { text } = await as('auditor').visit(path)
    // A filter changes nothing.
    const seen = mainOf(text).replace(/<form[^>]*method="get".*?<\/form>/gs, '')
    expect(seen).toContain('<h1>')
    expect(seen).not.toMatch(
      /<form|<button(?![^>]*data-copy)|<a [^>]*href="\/console\/(?:clients|webhooks(?!\/events)|people)\//,
    )
    expect(mainOf((await as('owner').visit(path)).text)).toContain('<form')
  },
)

test('where two-step sign-in is required, a lender is closed to those without, on pages and in the API', async () => {
  const { database } = service
  const members = createMembers({ database })
  const turnOn = (email: string) =>
    database.run('UPDATE user_account SET totp_enabled_at_ms = 1 WHERE email = ?', email)
  // An owner without it would shut out themselves.
  const asked = await as('owner').visit('/console/people/second-factor')
  const pressed = await as('owner').visit('/console/people/second-factor', { form: { secondFactor: 'required' } })
  for (const { response, text } of [asked, pressed]) {
    expect(response.status).toBe(409)
    expect(text).toContain('Turn on two-step sign-in for yourself first')
  }
  expect(await members.isSecondFactorRequired('demo-lender')).toBe(false)
  await turnOn('owner@demo-lender.example')
  const question = (await as('owner').visit('/console/people/second-factor')).text
  expect(question).toContain(
    '<li>Sam Lee (sam@demo-lender.example)</li><li>A support (support@demo-lender.example)</li>',
  )
  expect(question).not.toContain('owner@demo-lender.example)')
  const required = await as('owner').visit('/console/people/second-factor', { form: { secondFactor: 'required' } })
  expect(required.text).toContain('Two-step sign-in is required now.')

  const closed = await as('support').visit('/console')
  expect(closed.text).toContain('Wrenfield needs two-step sign-in')
  expect(closed.text).toContain('href="/console/profile">Turn on two-step sign-in')
  expect(closed.text).not.toContain('class="choice"')
  expect(await statusOf('support', 'GET /:tenantId/v1/wallet')).toBe(403)
  expect((await as('owner').visit('/console/clients')).text).toContain('<h1>API clients</h1>')
  expect((await as('support').ask('/console/profile')).status).toBe(200)
  await turnOn('support@demo-lender.example')
  expect((await as('support').visit('/console')).text).toContain('<b>Wrenfield</b>')
  await members.requireSecondFactor(database, { tenantId: 'demo-lender', required: false, by: null })
  await database.run('UPDATE user_account SET totp_enabled_at_ms = NULL')
})
