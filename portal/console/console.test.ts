// The console as its users see it: pages, forms, and nothing of anyone else's.
import { createHash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { SAM, startTestService, type TestService } from '../../testing/portal-service.ts'
import { type TestBrowser, wordsOf } from '../../testing/service-browser.ts'
import { liveRequest } from '../../testing/test-app.ts'
import { join } from '../identity/members.ts'
import { createUsers } from '../identity/users.ts'

let service: TestService
let browser: TestBrowser
let creditReportId: string

beforeAll(async () => {
  service = await startTestService()
  creditReportId = (await (await service.generate(liveRequest())).json()).data.creditReportId
})
afterAll(() => service.stop())
beforeEach(async () => {
  browser = service.browser()
  await browser.signIn(...SAM, '/console')
})

const page = async (path: string) => (await browser.visit(path)).text

test('the wallet is shown in credits and in pounds, with every line', async () => {
  const words = wordsOf(await page('/console/money'))
  expect(words).toContain('Balance £999.46 999,460 credits')
  expect(words).toContain('Held £0.50 500 credits')
  expect(words).toContain('Report, held −£0.50 −500 credits')
  expect(words).toContain('Top-up +£1,000.00 +1,000,000 credits')
})

test.each([
  ['/console/', '/console'],
  ['/console/profile/totp', '/console/profile'],
  ['/console/profile/totp/confirm', '/console/profile'],
  ['/console/clients/demo-lender/nothing', '/console/clients'],
])('who goes to %s gets a page for people', async (path, expected) => {
  const { response, url } = await browser.visit(path)
  expect([response.status, url.pathname]).toEqual([200, expected])
})

test.each(['/console/nothing', '/console/checksandbalances', '/nonsense', '/favicon.ico/x'])(
  'who goes to %s reads in words that there is no such page',
  async (path) => {
    for (const visitor of [browser, service.browser()]) {
      const { response, text } = await visitor.visit(path)
      if (text.includes('<h1>Sign in</h1>')) continue
      expect([response.status, response.headers.get('Content-Type')]).toEqual([404, 'text/html; charset=UTF-8'])
      expect(text).toContain('<h1>There is no such page</h1>')
      expect(text).not.toContain(path)
    }
  },
)

test('a program, and the API, get an error as JSON', async () => {
  for (const [path, accept] of [
    ['/nonsense', '*/*'],
    ['/demo-lender/v1/nonsense', 'text/html'],
    ['/v1/oauth/nonsense', 'text/html'],
  ] as const) {
    const response = await browser.ask(path, { headers: { Accept: accept } })
    expect([response.status, (await response.json()).code]).toEqual([404, 'not-found'])
  }
})

test('the audit trail has the sign-in, what was changed and what was refused', async () => {
  await browser.visit('/console/clients', { form: { name: 'Shop', scopes: 'credit-reports' } })
  await browser.visit('/console/clients/other-lender/revoke', { form: {} })
  const words = wordsOf(await page('/console/audit'))
  expect(words).toMatch(
    /Revoked an API client other-lender Refused: not found.*Created an API client Shop demo-lender-\w+ Done.*Sam \S+ \S+ Signed in Done/,
  )
})

describe('spend caps', () => {
  const save = (form: { [name: string]: string }) => browser.visit('/console/caps', { form })
  const capsOf = () =>
    service.database.all(
      "SELECT purpose, hour_cap, day_cap FROM spend WHERE tenant_id = 'demo-lender' ORDER BY purpose",
    )

  test('an owner sets them, and they are in force and written down', async () => {
    const saved = await save({ 'report.hour': '£1', 'report.day': '2 000.50', 'text.hour': '', 'text.day': '0' })
    expect(wordsOf(saved.text)).toContain('The caps are in force.')
    expect(saved.text).toContain('value="2,000.50"')
    expect(await capsOf()).toEqual([
      { purpose: 'report', hour_cap: 1_000, day_cap: 2_000_500 },
      { purpose: 'text', hour_cap: null, day_cap: 0 },
    ])
    const money = wordsOf(await page('/console/money'))
    expect(money).toContain('Reports hour £0.50 500 credits £1.00 1,000 credits Open')
    expect(money).toContain('£0.00 0 credits Buys no text')
  })

  const NO_AMOUNT = 'Type an amount in pounds, or nothing for none.'
  test.each([
    ['words', { 'report.hour': 'many' }, NO_AMOUNT],
    ['less than nothing', { 'text.day': '-1' }, NO_AMOUNT],
    ['half a credit', { 'report.day': '1.0005' }, NO_AMOUNT],
    ['more than there can be', { 'report.day': '1000000000.001' }, NO_AMOUNT],
    ['a day below its hour', { 'text.hour': '9', 'text.day': '8' }, 'Must not be below the cap for an hour.'],
    ['less than a report costs', { 'report.hour': '0.499' }, 'at least the price of one, 500 credits (£0.50).'],
    ['less than a text costs', { 'text.day': '0.039' }, 'at least the price of one, 40 credits (£0.04).'],
  ])('%s are refused in words, what was typed stays, and nothing changes', async (_what, typed, problem) => {
    const before = await capsOf()
    const { response, text } = await save(typed)
    expect(response.status).toBe(400)
    expect(wordsOf(text)).toContain(problem)
    expect(text).toContain(`value="${Object.values(typed).at(-1)}"`)
    expect(await capsOf()).toEqual(before)
  })

  test('another site’s page cannot set them', async () => {
    const before = await capsOf()
    const form = { 'report.hour': '1' }
    const forged = await browser.ask('/console/caps', { form, headers: { Origin: 'https://evil.example' } })
    expect(forged.status).toBe(403)
    expect(await capsOf()).toEqual(before)
  })
})

describe('choosing a lender', () => {
  const choose = (tenantId: string) => browser.visit('/console/tenants', { form: { tenantId } })

  test('one that is not one’s own is refused', async () => {
    expect((await choose('other-lender')).response.status).toBe(403)
    expect(await page('/console')).toContain('<b>Wrenfield</b>')
  })

  test('someone with several chooses, and is shown that one until the membership ends', async () => {
    const users = createUsers({ database: service.database, clock: () => service.time.nowMs })
    const sam = await users.findByEmail(SAM[0])
    await join(service.database, { tenantId: 'other-lender', userId: sam?.id ?? '', role: 'owner', nowMs: 1 })
    expect(wordsOf(await page('/console/money'))).toContain(
      'Choose a lender Other Lender other-lender Wrenfield demo-lender',
    )
    expect((await choose('other-lender')).text).toContain('<b>Other Lender</b>')
    // Another lender's check is not there for this one.
    expect((await browser.visit(`/console/checks/${creditReportId}`)).response.status).toBe(404)
    await service.database.run(`DELETE FROM user_tenant WHERE tenant_id = 'other-lender'`)
    expect(await page('/console')).toContain('<b>Wrenfield</b>')
  })
})

test('every page has a policy that allows its one script by its hash, and is kept by no cache', async () => {
  for (const path of [
    '/console',
    '/console/checks',
    `/console/checks/${creditReportId}`,
    '/console/caps',
    '/console/clients',
    '/console/audit',
    '/console/profile',
    '/console/tenants',
  ]) {
    const { response, text } = await browser.visit(path)
    const scripts = [...text.matchAll(/<script>([\s\S]*?)<\/script>/g)].map(([, code = '']) => code)
    expect([scripts.length, text.split('<script').length - 1]).toEqual([1, 1])
    const hash = createHash('sha256')
      .update(scripts[0] ?? '')
      .digest('base64')
    expect(response.headers.get('Content-Security-Policy')).toContain(
      `default-src 'none'; style-src 'self'; script-src 'sha256-${hash}'; form-action`,
    )
    expect(response.headers.get('Cache-Control')).toBe('no-store')
    expect(text).not.toMatch(/\sstyle=|\son\w+=/)
  }
})
