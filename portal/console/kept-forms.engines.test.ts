// A session that ends in mid-form: after the sign-in the person is back at the form, with what they typed. On both
// engines.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { environmentOf, onEachEngine } from '../../testing/engines.ts'
import { SAM, startTestService, type TestService } from '../../testing/portal-service.ts'
import { hashQuickly } from '../../testing/quick-passwords.ts'
import { pressIn, type TestBrowser, wordsOf } from '../../testing/service-browser.ts'
import { join } from '../identity/members.ts'
import { hashPassword } from '../identity/password.ts'
import { IDLE_MS } from '../identity/sessions.ts'
import { createUsers } from '../identity/users.ts'

hashQuickly()

const NOTICE = 'You were signed out, and the form was not sent.'
const PAT = ['pat@demo-lender.example', 'a long enough password'] as const

onEachEngine('a form whose session is over', (place) => {
  let service: TestService
  let browser: TestBrowser

  beforeAll(async () => {
    service = await startTestService(environmentOf(await place()))
    const person = { email: PAT[0], firstName: 'Pat', lastName: 'Doe', passwordHash: await hashPassword(PAT[1]) }
    await users().create(service.database, { ...person, tenantIds: ['demo-lender'], role: 'owner' })
    const sam = await users().findByEmail(SAM[0])
    await join(service.database, { tenantId: 'other-lender', userId: sam?.id ?? '', role: 'owner', nowMs: 1 })
  })
  afterAll(() => service.stop())
  beforeEach(async () => {
    browser = service.browser()
    await browser.signIn(...SAM, '/console')
    await browser.visit('/console/tenants', { form: { tenantId: 'demo-lender' } })
  })

  const users = () => createUsers({ database: service.database, clock: () => service.time.nowMs })
  const clients = () => service.database.all('SELECT id FROM api_client')

  /** Types into the form of a page, sends it when the session is over, and signs in again. */
  async function sendLate(path: string, form: { [name: string]: string }, person: readonly [string, string] = SAM) {
    const press = pressIn((await browser.visit('/console/clients')).text)
    service.time.nowMs += IDLE_MS
    const { url, response } = await browser.visit(path, { form: { press, ...form } })
    expect([response.status, url.pathname.startsWith('/v1/oauth/sign-in/')]).toEqual([200, true])
    const [email, password] = person
    return browser.visit(url.pathname, { form: { email, password } })
  }
  /** The values that the page's script fills in. */
  function keptIn(text: string) {
    const [, kept] = /data-kept="([^"]+)"/.exec(text) ?? []
    return kept === undefined ? null : JSON.parse(kept.replaceAll('&quot;', '"').replaceAll('&amp;', '&'))
  }

  test('is back with what was typed, and is sent by the person alone', async () => {
    const before = await clients()
    const { url, text } = await sendLate('/console/clients', { name: 'Web "shop" & co', scope: 'wallet' })
    expect(url.pathname).toBe('/console/clients')
    expect(wordsOf(text)).toContain(NOTICE)
    expect(keptIn(text)).toEqual({
      action: '/console/clients',
      fields: [
        ['name', 'Web "shop" & co'],
        ['scope', 'wallet'],
      ],
    })
    expect(url.href).not.toContain('shop')
    expect(await clients()).toEqual(before)
    // Once: a reload shows an empty form.
    const again = await browser.visit('/console/clients')
    expect([wordsOf(again.text).includes(NOTICE), keptIn(again.text)]).toEqual([false, null])
  })

  test('of a page that asks a question is back at that question', async () => {
    const { url, text } = await sendLate('/console/clients/demo-lender/name', { name: 'Board' })
    expect(url.pathname).toBe('/console/clients/demo-lender/name')
    expect(keptIn(text)).toEqual({ action: '/console/clients/demo-lender/name', fields: [['name', 'Board']] })
  })

  test('keeps no password, code or tick', async () => {
    const secrets = { current: SAM[1], new: 'a better password', password: SAM[1], code: '123456', proof: SAM[1] }
    const { url, text } = await sendLate('/console/profile/password', { ...secrets, sure: 'yes', note: 'kept' })
    expect(url.pathname).toBe('/console/profile')
    expect(keptIn(text)).toEqual({ action: '/console/profile/password', fields: [['note', 'kept']] })
  })

  test('is shown to no one else who signs in there', async () => {
    const { url, text } = await sendLate('/console/clients', { name: 'Webshop', scope: 'wallet' }, PAT)
    expect(url.pathname).toBe('/console/clients')
    expect([wordsOf(text).includes(NOTICE), keptIn(text)]).toEqual([false, null])
  })

  test('is not shown for another lender', async () => {
    const press = pressIn((await browser.visit('/console/clients')).text)
    service.time.nowMs += IDLE_MS
    const late = await browser.visit('/console/clients', { form: { press, name: 'Webshop' } })
    const elsewhere = service.browser()
    await elsewhere.signIn(...SAM, '/console')
    await elsewhere.visit('/console/tenants', { form: { tenantId: 'other-lender' } })
    const back = await browser.visit(late.url.pathname, { form: { email: SAM[0], password: SAM[1] } })
    expect(back.text).toContain('<b>Other Lender</b>')
    expect(keptIn(back.text)).toBeNull()
  })

  test.each([
    ['after signing out', async () => void (await browser.visit('/v1/oauth/logout', { form: {} })), {}],
    ['that no page of the session has sent', async () => {}, { press: `${'A'.repeat(22)}.${'A'.repeat(43)}` }],
    ['that is too long for a cookie', async () => {}, { name: 'x'.repeat(5_000) }],
  ])('a form %s is not kept', async (_what, before, form) => {
    const press = pressIn((await browser.visit('/console/clients')).text)
    await before()
    service.time.nowMs += IDLE_MS
    const { url } = await browser.visit('/console/clients', { form: { press, name: 'Webshop', ...form } })
    const { text } = await browser.visit(url.pathname, { form: { email: SAM[0], password: SAM[1] } })
    expect(keptIn(text)).toBeNull()
  })
})
