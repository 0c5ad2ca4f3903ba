// What each role may do, on every page of the console and in the API: written down here once more, so that a change of the
// table is a change of two places.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sampleRequest } from '../contract/samples.ts'
import { SERVICE_ROUTES } from '../service/authorisation.ts'
import { ROLES, type Role } from '../service/http/caller.ts'
import { ORIGIN, SAM, startTestService, type TestService } from '../testing/portal-service.ts'
import { hashQuickly } from '../testing/quick-passwords.ts'
import type { TestBrowser } from '../testing/service-browser.ts'
import { PORTAL_ROUTES } from './authorisation.ts'
import { createMembers, join } from './members.ts'
import { createUsers } from './users.ts'

hashQuickly()

const VIEWER = [
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
]
const EVERYONE = [
  'GET /console/tenants',
  'POST /console/tenants',
  'GET /console/invitations/:token',
  'POST /console/invitations/:token',
  'GET /console/profile',
  'GET /console/profile/totp',
  'POST /console/profile/password',
  'POST /console/profile/sessions/end',
  'POST /console/profile/totp',
  'POST /console/profile/totp/confirm',
  'POST /console/profile/totp/off',
  'GET /console/*',
]

const routes = Object.entries({ ...SERVICE_ROUTES, ...PORTAL_ROUTES })
  .filter(([, { who }]) => who === 'page' || who === 'tenant')
  .map(([route]) => route)

function rolesFor(route: string): readonly Role[] {
  return [...EVERYONE, ...VIEWER].includes(route) ? ROLES : ['owner']
}

let service: TestService
const browsers = new Map<Role, TestBrowser>()

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
  for (const role of ROLES) {
    const email = `${role}@demo-lender.example`
    await users.create(service.database, {
      email,
      firstName: 'A',
      lastName: role,
      passwordHash,
      tenantIds: ['demo-lender'],
      role,
    })
    const browser = service.browser()
    await browser.signIn(email, SAM[1], '/console')
    browsers.set(role, browser)
  }
})
afterAll(() => service.stop())

const as = (role: Role) => browsers.get(role) ?? service.browser()

async function statusOf(role: Role, route: string): Promise<number> {
  const [method = '', pattern = ''] = route.split(' ')
  const path = pattern.replace(':tenantId', 'demo-lender').replace(/:\w+/g, 'x').replace('*', 'x')
  if (path.startsWith('/console')) {
    return (await as(role).ask(path, method === 'GET' ? {} : { form: {} })).status
  }
  const cookie = [...as(role).jar.values()].map(({ name, value }) => `${name}=${value}`).join('; ')
  const body = method === 'GET' ? {} : { body: JSON.stringify({ ...sampleRequest, challengeId: 'x', code: '1' }) }
  const headers = { Cookie: cookie, Origin: ORIGIN, 'Content-Type': 'application/json' }
  return (await service.fetch(new Request(ORIGIN + path, { method, headers, ...body }))).status
}

describe.each(ROLES)('as %s', (role) => {
  test.each(routes)('%s is answered or refused as the table says', async (route) => {
    const isRefused = (await statusOf(role, route)) === 403
    expect(isRefused).toBe(
      // Choosing a lender without naming one is refused for a reason of its own.
      route === 'POST /console/tenants' || !rolesFor(route).includes(role),
    )
  })
})

test('there are routes of every kind', () => {
  for (const route of [...VIEWER, ...EVERYONE]) expect(routes).toContain(route)
})

test('who selects another lender while a page is on its way acts for one lender alone, as what they are there', async () => {
  const { database, time } = service
  const users = createUsers({ database, clock: () => time.nowMs })
  const userId = (await users.findByEmail('owner@demo-lender.example'))?.id ?? ''
  await join(database, { tenantId: 'other-lender', userId, role: 'viewer', nowMs: 1 })
  const browser = as('owner')
  await browser.visit('/console/tenants', { form: { tenantId: 'other-lender' } })
  expect((await browser.ask('/console/clients')).status).toBe(403)
  await browser.visit('/console/tenants', { form: { tenantId: 'demo-lender' } })
  expect((await browser.ask('/console/clients')).status).toBe(200)
  await createMembers({ database }).setRole(database, { tenantId: 'other-lender', userId, role: null })
})

test('a role of 0.2.0 that is no more counts as viewer', async () => {
  const { database } = service
  const stored = `UPDATE user_tenant SET role = ? WHERE user_id IN (SELECT id FROM user_account WHERE email LIKE 'viewer@%')`
  await database.run(stored, 'operator')
  expect(await statusOf('viewer', 'GET /:tenantId/v1/wallet')).toBe(200)
  expect(await statusOf('viewer', 'POST /:tenantId/v1/credit-reports')).toBe(403)
  const [listed] = (await createMembers({ database }).list('demo-lender')).filter(({ email }) =>
    email.startsWith('viewer'),
  )
  expect(listed?.role).toBe('viewer')
  await database.run(stored, 'viewer')
})

test('where two-step sign-in is required, a lender is closed to those without, on pages and in the API', async () => {
  const { database } = service
  const members = createMembers({ database })
  const turnOn = (email: string) =>
    database.run('UPDATE user_account SET totp_enabled_at_ms = 1 WHERE email = ?', email)
  // An owner without it would shut out themselves.
  const asked = await as('owner').visit('/console/people/second-factor')
  const pressed = await as('owner').visit('/console/people/second-factor', { form: { required: '1' } })
  for (const { response, text } of [asked, pressed]) {
    expect(response.status).toBe(409)
    expect(text).toContain('Turn on two-step sign-in for yourself first')
  }
  expect(await members.isSecondFactorRequired('demo-lender')).toBe(false)
  await turnOn('owner@demo-lender.example')
  const question = (await as('owner').visit('/console/people/second-factor')).text
  expect(question).toContain('<li>Sam Lee (sam@demo-lender.example)</li><li>A viewer (viewer@demo-lender.example)</li>')
  expect(question).not.toContain('owner@demo-lender.example)')
  const required = await as('owner').visit('/console/people/second-factor', { form: { required: '1' } })
  expect(required.text).toContain('Two-step sign-in is required now.')

  const closed = await as('viewer').visit('/console')
  expect(closed.text).toContain('Wrenfield needs two-step sign-in')
  expect(closed.text).toContain('href="/console/profile">Turn on two-step sign-in')
  expect(closed.text).not.toContain('class="choice"')
  expect(await statusOf('viewer', 'GET /:tenantId/v1/wallet')).toBe(403)
  expect((await as('owner').visit('/console/clients')).text).toContain('<h1>API clients</h1>')
  expect((await as('viewer').ask('/console/profile')).status).toBe(200)
  await turnOn('viewer@demo-lender.example')
  expect((await as('viewer').visit('/console')).text).toContain('<h1>Wrenfield</h1>')
  await members.requireSecondFactor(database, { tenantId: 'demo-lender', required: false, by: null })
  await database.run('UPDATE user_account SET totp_enabled_at_ms = NULL')
})

describe('one’s own password and sessions', () => {
  test('a new password needs the old one and twelve characters, and ends every other session', async () => {
    const other = service.browser()
    await other.signIn('owner@demo-lender.example', SAM[1], '/console')
    const change = (current: string, next: string) =>
      as('owner').visit('/console/profile/password', { form: { current, new: next } })
    expect((await change('wrong', 'a much longer one')).text).toContain('That is not your password.')
    expect((await change(SAM[1], 'short')).text).toContain('must have 12 to 256 characters')
    expect((await other.visit('/console')).text).toContain('<h1>Wrenfield</h1>')
    expect((await change(SAM[1], 'a much longer one')).text).toContain('Your password was changed.')
    expect((await other.visit('/console')).text).toContain('Sign in')
    expect((await as('owner').visit('/console')).text).toContain('<h1>Wrenfield</h1>')
    await other.signIn('owner@demo-lender.example', 'a much longer one', '/console')
    expect((await other.visit('/console')).text).toContain('<h1>Wrenfield</h1>')
  })

  test('five wrong passwords, then a pause, also for the right one', async () => {
    const begin = (password: string) => as('viewer').visit('/console/profile/totp', { form: { password } })
    service.time.nowMs += 300_000
    for (let tries = 0; tries < 5; tries += 1) expect((await begin('wrong')).text).toContain('not your password')
    expect((await begin(SAM[1])).text).toContain('Too many tries')
    service.time.nowMs += 300_000
    expect((await begin(SAM[1])).text).toContain('<h1>Set up an authenticator app</h1>')
  })

  test('a session is ended from another browser, and no one ends a stranger’s', async () => {
    const other = service.browser()
    await other.signIn('viewer@demo-lender.example', SAM[1], '/console')
    const { text } = await other.visit('/console/profile')
    const [, id = ''] = /name="id" value="([^"]+)"/.exec(text) ?? []
    expect(id).not.toBe('')
    await as('owner').visit('/console/profile/sessions/end', { form: { id } })
    expect((await as('viewer').visit('/console')).text).toContain('<h1>Wrenfield</h1>')
    await other.visit('/console/profile/sessions/end', { form: { id } })
    expect((await as('viewer').visit('/console')).text).toContain('Sign in')
    expect((await other.visit('/console')).text).toContain('<h1>Wrenfield</h1>')
  })
})

describe('a client’s secrets', () => {
  const tokenOf = async (id: string, secret: string) => typeof (await service.tokenOf(id, secret))
  const shown = (text: string) => /role="textbox"[^>]*>([\w-]{43})</.exec(text)?.[1] ?? ''

  test('one is replaced, the first is ended, and one ends by itself', async () => {
    const owner = as('owner')
    const created = (await owner.visit('/console/clients', { form: { name: 'Board', scope: 'wallet' } })).text
    const [, id = ''] = /<dd><code>(demo-lender-\w+)</.exec(created) ?? []
    const first = shown(created)
    service.time.nowMs += 1
    const added = await owner.visit(`/console/clients/${id}/secrets`, { form: { days: '90' } })
    const second = shown(added.text)
    expect([await tokenOf(id, first), await tokenOf(id, second)]).toEqual(['string', 'string'])
    const [, oldest = ''] = new RegExp(`${id}/secrets/(\\w{8})/end`).exec(added.text) ?? []
    await owner.visit(`/console/clients/${id}/secrets/${oldest}/end`, { form: {} })
    expect([await tokenOf(id, first), await tokenOf(id, second)]).toEqual(['undefined', 'string'])

    // Fewer scopes: the wallet, and nothing else.
    const headers = { Authorization: `Bearer ${await service.tokenOf(id, second)}` }
    const ask = (path: string) => service.fetch(new Request(`${ORIGIN}/demo-lender/v1/${path}`, { headers }))
    expect([(await ask('wallet')).status, (await ask('credit-reports')).status]).toEqual([200, 403])

    service.time.nowMs += 90 * 86_400_000
    expect(await tokenOf(id, second)).toBe('undefined')
  })
})
