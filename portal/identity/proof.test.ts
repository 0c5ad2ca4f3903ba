// Requests that ask for the password or a code again, and their outcomes.

import { generateSync } from 'otplib'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { operationsOf } from '../../openapi/operation.ts'
import { serviceRows } from '../../plugins/rows.ts'
import { rulesOf } from '../../service/http/protect.ts'
import { CLIENT, startOpenIdProvider } from '../../testing/openid-provider.mjs'
import { ORIGIN, SAM, startTestService, type TestService } from '../../testing/portal-service.ts'
import { hashQuickly } from '../../testing/quick-passwords.ts'
import type { TestBrowser } from '../../testing/service-browser.ts'
import { liveRequest } from '../../testing/test-app.ts'
import { PORTAL_ROUTES } from '../authorisation.ts'
import { FRESH_MS } from './sessions.ts'

hashQuickly()

const FRESH = [
  'POST /console/caps',
  'PATCH /:tenantId/v1/wallet/caps',
  'POST /:tenantId/v1/credit-reports',
  'POST /:tenantId/v1/credit-reports/:creditReportId/otp-challenge',
  'POST /console/data/find',
  'POST /console/data/print',
  'POST /console/checks/:creditReportId/report',
  'POST /console/clients',
  'POST /console/clients/:clientId/revoke',
  'POST /console/clients/:clientId/secrets',
  'POST /console/clients/:clientId/secrets/:secretId/end',
  'POST /console/webhooks',
  'POST /console/webhooks/:webhookId/rotate',
  'POST /console/people',
  'POST /console/people/invitations/:invitationId/withdraw',
  'POST /console/people/second-factor',
  'POST /console/people/:person/role',
  'POST /console/people/:person/remove',
  'GET /:tenantId/v1/credit-reports/:creditReportId',
  'POST /:tenantId/v1/people/export',
  'POST /:tenantId/v1/people/erase',
  'DELETE /:tenantId/v1/credit-reports/:creditReportId',
  'POST /:tenantId/v1/clients',
  'DELETE /:tenantId/v1/clients/:clientId',
  'POST /:tenantId/v1/clients/:clientId/secrets',
  'DELETE /:tenantId/v1/clients/:clientId/secrets/:secretId',
  'POST /:tenantId/v1/webhooks',
  'POST /:tenantId/v1/webhooks/:webhookId/secret',
  'POST /console/data/export',
  'POST /console/data/erase',
  'POST /console/checks/:creditReportId/erase',
]
const QUESTION = '<h1>Confirm that it is you</h1>'

let service: TestService
let browser: TestBrowser

beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())
beforeEach(async () => {
  service.time.nowMs += 300_000
  browser = service.browser()
  await browser.signIn(...SAM, '/console')
  service.time.nowMs += FRESH_MS
})

const countOf = async (table: string) =>
  Number((await service.database.first<{ count: number }>(`SELECT COUNT(*) AS count FROM ${table}`))?.count)
const lines = async () =>
  (
    await service.database.all<{ action: string; outcome: string }>(
      'SELECT action, outcome FROM audit_event ORDER BY sequence',
    )
  ).map(({ action, outcome }) => `${action} ${outcome}`)

/** The fields of a page's one form. */
function fieldsOf(text: string): { [name: string]: string } {
  const plain = (value: string) =>
    value.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&')
  return Object.fromEntries(
    [...text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)].map(([, name = '', value = '']) => [
      name,
      plain(value),
    ]),
  )
}

test('the rules that need it are these', () => {
  const rules = Object.entries({ ...rulesOf(operationsOf(serviceRows)), ...PORTAL_ROUTES })
  const fresh = rules.filter(([, rule]) => 'fresh' in rule && rule.fresh)
  expect(fresh.map(([route]) => route).toSorted()).toEqual(FRESH.toSorted())
})

test.each(FRESH.filter((route) => route.includes('/console')))('%s asks first', async (route) => {
  const before = await lines()
  const [, pattern = ''] = route.split(' ')
  const response = await browser.ask(pattern.replace(/:\w+/g, 'x'), { form: {} })
  expect(response.status).toBe(403)
  expect(await response.text()).toContain(QUESTION)
  // A question is no act.
  expect(await lines()).toEqual(before)
})

test('a page that only asks, and what needs no proof, are answered', async () => {
  expect((await browser.ask('/console/clients/demo-lender/secrets')).status).toBe(200)
  expect((await browser.ask('/console/money/low-balance', { form: { thresholdCredits: '' } })).status).toBe(303)
})

test('for fifteen minutes after the sign-in nothing is asked', async () => {
  service.time.nowMs -= 1
  expect((await browser.ask('/console/clients', { form: { name: 'Shop', scopes: 'wallet' } })).status).toBe(303)
  service.time.nowMs += 1
  expect((await browser.ask('/console/clients', { form: { name: 'Shop', scopes: 'wallet' } })).status).toBe(403)
})

test('with the password it goes on with what was sent, once, and asks no more for a while', async () => {
  const before = { clients: await countOf('api_client'), lines: await lines() }
  const sent = { press: await browser.newPress(), name: 'Shop', scopes: 'wallet', note: '"><b>&amp;</b>' }
  const asked = await browser.visit('/console/clients', { form: sent })
  expect(asked.text).not.toContain('<b>')
  expect(fieldsOf(asked.text)).toEqual(sent)
  expect(await countOf('api_client')).toBe(before.clients)

  const form = { ...fieldsOf(asked.text), proof: SAM[1] }
  const done = await browser.visit('/console/clients', { form })
  expect(done.text).toContain('Shop was created.')
  expect(done.text).not.toContain(SAM[1])
  expect(await countOf('api_client')).toBe(before.clients + 1)
  expect((await lines()).slice(before.lines.length)).toEqual(['sign-in.again done', 'client.create done'])
  // The form once more, as a second press or a reload sends it.
  expect((await browser.visit('/console/clients', { form })).text).toContain('already')
  expect(await countOf('api_client')).toBe(before.clients + 1)

  service.time.nowMs += FRESH_MS - 1
  expect((await browser.ask('/console/webhooks', { form: {} })).status).toBe(400)
  service.time.nowMs += 1
  expect((await browser.ask('/console/webhooks', { form: {} })).status).toBe(403)
})

test('one session’s proof is no other’s', async () => {
  const other = service.browser()
  await other.signIn(...SAM, '/console')
  service.time.nowMs += FRESH_MS
  expect(
    (await browser.ask('/console/clients', { form: { name: 'Shop', scopes: 'wallet', proof: SAM[1] } })).status,
  ).toBe(303)
  expect((await other.ask('/console/clients', { form: { name: 'Shop', scopes: 'wallet' } })).status).toBe(403)
})

test('a wrong password is asked for again, five times, and is in the audit trail', async () => {
  const before = { clients: await countOf('api_client'), lines: await lines() }
  const attempt = (proof: string) =>
    browser.ask('/console/clients', { form: { name: 'Shop', scopes: 'wallet', proof } })
  for (let tries = 0; tries < 5; tries += 1) {
    const response = await attempt('wrong')
    expect(response.status).toBe(400)
    const text = await response.text()
    expect(text).toContain('That is not your password.')
    expect(fieldsOf(text).scopes).toBe('wallet')
    expect(fieldsOf(text)).not.toHaveProperty('proof')
  }
  const late = await attempt(SAM[1])
  expect([late.status, late.headers.get('Retry-After')]).toEqual([429, '300'])
  expect(await countOf('api_client')).toBe(before.clients)
  expect((await lines()).slice(before.lines.length)).toEqual([
    ...Array.from({ length: 5 }, () => 'sign-in.again 400'),
    'sign-in.again 429',
  ])
  service.time.nowMs += 300_000
  expect((await attempt(SAM[1])).status).toBe(303)
})

test('another site’s form uses up no try', async () => {
  const headers = { Origin: 'https://evil.example' }
  for (let tries = 0; tries < 6; tries += 1) {
    expect((await browser.ask('/console/clients', { form: { proof: 'wrong' }, headers })).status).toBe(403)
  }
  expect(
    (await browser.ask('/console/clients', { form: { name: 'Shop', scopes: 'wallet', proof: SAM[1] } })).status,
  ).toBe(303)
})

test('those with a second factor type a code, which works once; sent twice at the same time, it is done once', async () => {
  const { text } = await browser.visit('/console/profile/totp', { form: { password: SAM[1] } })
  const secret = text.match(/>((?:[A-Z2-7]{4} ?){8})</)?.[1]?.replaceAll(' ', '') ?? ''
  const codeNow = () => generateSync({ secret, epoch: Math.floor(service.time.nowMs / 1000) })
  await browser.visit('/console/profile/totp/confirm', { form: { code: codeNow() } })
  const before = await countOf('api_client')
  const asked = await browser.visit('/console/clients', { form: { name: 'Shop', scopes: 'wallet' } })
  expect(asked.text).toContain('Security code')
  expect(
    (await browser.ask('/console/clients', { form: { name: 'Shop', scopes: 'wallet', proof: SAM[1] } })).status,
  ).toBe(400)
  service.time.nowMs += 31_000
  const form = { ...fieldsOf(asked.text), proof: codeNow() }
  const both = await Promise.all([1, 2].map(() => browser.ask('/console/clients', { form })))
  expect(both.map(({ status }) => status)).toContain(303)
  expect((await browser.ask('/console/clients', { form })).status).toBe(303)
  expect(await countOf('api_client')).toBe(before + 1)
  await service.database.run('UPDATE user_account SET totp_enabled_at_ms = NULL')
})

describe('in the API', () => {
  test('a person reads a report with a fresh sign-in only, a machine always', async () => {
    const token = await service.tokenOf('demo-lender', 'demo-secret')
    const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
    const reports = `${ORIGIN}/demo-lender/v1/credit-reports`
    const body = JSON.stringify(liveRequest())
    const { data } = await (await service.fetch(new Request(reports, { method: 'POST', headers, body }))).json()
    const url = `${reports}/${data.creditReportId}`
    const cookies = () => browser.cookies()
    // The access cookie lasts as long as a proof does.
    await browser.ask('/console')
    const refused = await service.fetch(new Request(url, { headers: { Cookie: cookies() } }))
    expect([refused.status, (await refused.json()).code]).toEqual([403, 'proof-required'])
    expect((await service.fetch(new Request(url, { headers }))).status).toBe(200)
    await browser.ask('/console/clients', { form: { name: 'Shop', scopes: 'wallet', proof: SAM[1] } })
    expect((await service.fetch(new Request(url, { headers: { Cookie: cookies() } }))).status).toBe(200)
  })
})

describe('where another provider signs people in', () => {
  let provider: Awaited<ReturnType<typeof startOpenIdProvider>>
  let external: TestService
  beforeAll(async () => {
    provider = await startOpenIdProvider()
    external = await startTestService({}, { externalProvider: { issuer: provider.issuer, ...CLIENT } })
  })
  afterAll(async () => {
    await external.stop()
    await provider.stop()
  })

  async function signIn(path: string, authTime: number | undefined): Promise<TestBrowser> {
    Object.assign(provider.bent, { claims: { auth_time: authTime } })
    const visitor = external.browser()
    const begun = await visitor.ask(path)
    const body = new URLSearchParams({ email: SAM[0] })
    const there = await fetch(begun.headers.get('Location') ?? '', { method: 'POST', body, redirect: 'manual' })
    const back = new URL(there.headers.get('Location') ?? '')
    await visitor.visit(back.pathname + back.search)
    return visitor
  }
  const nowSeconds = () => Math.floor(external.time.nowMs / 1000)

  test('the page leads to a sign-in that asks again', async () => {
    const visitor = await signIn('/v1/oauth/login', undefined)
    const { response, text } = await visitor.visit('/console/clients', { form: { name: 'Shop', scopes: 'wallet' } })
    expect(response.status).toBe(403)
    const link = /class="button" href="([^"]+)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? ''
    expect(link).toBe('/v1/oauth/login?prompt=login&returnTo=%2Fconsole%2Fclients')
    const { searchParams } = new URL((await visitor.ask(link)).headers.get('Location') ?? '')
    expect([searchParams.get('prompt'), searchParams.get('max_age')]).toEqual(['login', '0'])
  })

  test.each([
    ['a moment ago', () => nowSeconds(), 303],
    ['an hour ago', () => nowSeconds() - 3_600, 403],
    ['it does not say when', () => undefined, 403],
  ])('what counts is when they signed in there: %s', async (_when, authTime, expected) => {
    const visitor = await signIn('/v1/oauth/login?prompt=login', authTime())
    expect((await visitor.ask('/console/clients', { form: { name: 'Shop', scopes: 'wallet' } })).status).toBe(expected)
  })
})
