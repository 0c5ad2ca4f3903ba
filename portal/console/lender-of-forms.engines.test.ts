// A form acts for the lender that its page shows, or for none. On both engines.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { watchActs } from '../../testing/acts.ts'
import { environmentOf, onEachEngine } from '../../testing/engines.ts'
import { SAM, startTestService, type TestService } from '../../testing/portal-service.ts'
import { hashQuickly } from '../../testing/quick-passwords.ts'
import { pressIn, type TestBrowser, wordsOf } from '../../testing/service-browser.ts'
import { PORTAL_ROUTES } from '../authorisation.ts'
import { join } from '../identity/members.ts'
import { createUsers } from '../identity/users.ts'

hashQuickly()

/** Forms about a lender; those about oneself need no permission at one. */
const FORMS = Object.entries(PORTAL_ROUTES).flatMap(([route, rule]) =>
  route.startsWith('POST /console') && rule.who === 'page' && rule.permission !== null
    ? [route.split(' ')[1] ?? '']
    : [],
)

onEachEngine('the lender of a form', (place) => {
  let service: TestService
  let browser: TestBrowser
  let watched: ReturnType<typeof watchActs>
  let samId: string

  beforeAll(async () => {
    service = await startTestService(environmentOf(await place()))
    watched = watchActs(service)
    const users = createUsers({ database: service.database, clock: () => service.time.nowMs })
    samId = (await users.findByEmail(SAM[0]))?.id ?? ''
    await join(service.database, { tenantId: 'other-lender', userId: samId, role: 'owner', nowMs: 1 })
  })
  afterAll(() => service.stop())
  beforeEach(async () => {
    browser = service.browser()
    await browser.signIn(...SAM, '/console')
    await select('demo-lender')
  })

  const select = (tenantId: string) => browser.visit('/console/tenants', { form: { tenantId } })
  /** The id in the form of a page that stays open. */
  const openPage = async (path: string) => pressIn((await browser.visit(path)).text)
  const lines = () => service.database.all('SELECT action, outcome FROM audit_event ORDER BY sequence')
  const clients = () => service.database.all('SELECT tenant_id FROM api_client')

  test.each(FORMS)('%s is refused in words once another lender is selected, and writes nothing', async (pattern) => {
    const press = await openPage('/console/clients')
    await select('other-lender')
    const before = [await watched.everything(), await lines()]
    const refused = await browser.visit(pattern.replace(/:\w+/g, 'x'), { form: { press } })
    expect(refused.response.status).toBe(409)
    expect(wordsOf(refused.text)).toContain(
      'Nothing was changed This page shows Wrenfield, and you act for Other Lender now.',
    )
    expect([await watched.everything(), await lines()]).toEqual(before)
  })

  test('the refusal leads back to the lender of the page, where the same form is carried out once', async () => {
    const form = { press: await openPage('/console/clients'), name: 'Webshop', scopes: 'wallet' }
    await select('other-lender')
    const refused = await browser.visit('/console/clients', { form })
    const [, tenantId = ''] = /name="tenantId" value="([^"]+)"/.exec(refused.text) ?? []
    const back = await browser.visit('/console/tenants', { form: { press: pressIn(refused.text), tenantId } })
    expect(back.text).toContain('You act for Wrenfield now.')
    const before = (await clients()).length
    expect((await browser.visit('/console/clients', { form })).text).toContain('Webshop was created.')
    expect((await browser.visit('/console/clients', { form })).text).toContain('shown once already')
    expect((await clients()).slice(before)).toEqual([{ tenant_id: 'demo-lender' }])
  })

  test('a role that does not reach so far at the other lender changes nothing about the answer', async () => {
    await service.database.run(`UPDATE user_tenant SET role = 'viewer' WHERE tenant_id = 'other-lender'`)
    const press = await openPage('/console/clients')
    await select('other-lender')
    const before = await lines()
    const { response, text } = await browser.visit('/console/clients', { form: { press } })
    await service.database.run(`UPDATE user_tenant SET role = 'owner' WHERE tenant_id = 'other-lender'`)
    expect([response.status, wordsOf(text)]).toEqual([409, expect.stringContaining('This page shows Wrenfield')])
    expect(await lines()).toEqual(before)
  })

  test('with no lender selected, the form of a page that shows one is refused too', async () => {
    const form = { press: await openPage('/console/clients'), name: 'Webshop', scopes: 'wallet' }
    await service.database.run('UPDATE user_account SET selected_tenant_id = NULL WHERE id = ?', samId)
    const before = await clients()
    const { response, text } = await browser.visit('/console/clients', { form })
    expect([response.status, wordsOf(text)]).toEqual([
      409,
      expect.stringContaining('This page shows Wrenfield, and you have not chosen a lender.'),
    ])
    expect(await clients()).toEqual(before)
  })

  test.each([
    ['made up', async () => `${'A'.repeat(22)}.${'A'.repeat(43)}`],
    ['without its seal', async () => (await openPage('/console/clients')).slice(0, 22)],
    [
      'with the seal of another form',
      async () => {
        const [one, other] = [await openPage('/console/clients'), await openPage('/console/clients')]
        return one.slice(0, 23) + other.slice(23)
      },
    ],
    [
      'of another session',
      async () => {
        const elsewhere = service.browser()
        await elsewhere.signIn(...SAM, '/console')
        return pressIn((await elsewhere.visit('/console/clients')).text)
      },
    ],
    ['empty', async () => ''],
    ['of a million letters', async () => 'A'.repeat(4_000)],
  ])('an id that is %s is refused as out of date', async (_what, make) => {
    const before = await clients()
    const form = { press: await make(), name: 'Webshop', scopes: 'wallet' }
    const { response, text } = await browser.visit('/console/clients', { form })
    expect([response.status, wordsOf(text)]).toEqual([409, expect.stringContaining('That form is out of date.')])
    expect(await clients()).toEqual(before)
  })

  test('what is about oneself is carried out whatever lender is selected', async () => {
    const elsewhere = service.browser()
    await elsewhere.signIn(...SAM, '/console')
    const press = await openPage('/console/profile')
    await select('other-lender')
    const ended = await browser.visit('/console/profile/sessions/end', { form: { press } })
    expect(ended.text).toContain('Signed out there.')
  })
})
