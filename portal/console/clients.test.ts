// API clients as the people of a lender see them.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { SAM, startTestService, type TestService } from '../../testing/portal-service.ts'
import { type TestBrowser, wordsOf } from '../../testing/service-browser.ts'

let service: TestService
let browser: TestBrowser

beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())
beforeEach(async () => {
  browser = service.browser()
  await browser.signIn(...SAM, '/console')
})

const page = async (path: string) => (await browser.visit(path)).text
const secretIn = (text: string) => /class="secret"[^>]*>([\w-]{43})</.exec(text)?.[1] ?? ''

async function make(name: string) {
  const { text } = await browser.visit('/console/clients', { form: { name, scopes: 'credit-reports' } })
  return { id: /<code>(demo-lender-\w{10})</.exec(text)?.[1] ?? '', secret: secretIn(text), text }
}

test('a new one shows its secret once, works, and stops working when it is revoked', async () => {
  const form = { press: await browser.newPress(), name: 'Webshop', scopes: 'credit-reports' }
  const created = await browser.visit('/console/clients', { form })
  const secret = secretIn(created.text)
  const id = /<code>(demo-lender-\w{10})</.exec(created.text)?.[1] ?? ''
  expect(await service.tokenOf(id, secret)).toMatch(/^ey/)
  // A reload, then the same form again: neither makes a client, and neither shows the secret.
  const clients = await service.database.all('SELECT * FROM api_client_secret')
  const reloaded = await page(created.url.pathname + created.url.search)
  const again = await browser.visit('/console/clients', { form })
  for (const text of [reloaded, again.text]) {
    expect(wordsOf(text)).toContain(
      'That was shown once already and cannot be shown again. If it was not kept, replace it below.',
    )
    expect(text).not.toContain(secret)
  }
  expect(await service.database.all('SELECT * FROM api_client_secret')).toEqual(clients)
  expect(wordsOf(await page(`/console/clients/${id}/revoke`))).toContain('stop working within a minute')
  expect(await service.tokenOf(id, secret)).toMatch(/^ey/)
  const revoked = await browser.visit(`/console/clients/${id}/revoke`, { form: {} })
  expect(wordsOf(revoked.text)).toMatch(new RegExp(`${id} was revoked.*${id} Revoked`))
  const twice = await browser.visit(`/console/clients/${id}/revoke`, { form: {} })
  expect(twice.response.status).toBe(404)
  expect(wordsOf(twice.text)).toContain('Nothing was changed There is no client ')
  expect(await service.tokenOf(id, secret)).toBeUndefined()
})

test.each(['', 'short', 'x'.repeat(23), '../../../etc/passwd---'])(
  'a form with the id %j is out of date, and makes nothing',
  async (press) => {
    const before = await service.database.all('SELECT * FROM api_client_secret')
    const { response, text } = await browser.visit('/console/clients', {
      form: { press, name: 'Webshop', scopes: 'credit-reports' },
    })
    expect(response.status).toBe(409)
    expect(wordsOf(text)).toContain('That form is out of date. Open the page again.')
    expect(await service.database.all('SELECT * FROM api_client_secret')).toEqual(before)
  },
)

describe('a name', () => {
  test.each([
    ['markup', '<img src=x onerror=alert(1)>'],
    ['a formula', '=cmd|calc!A1'],
    ['quotes', `"Bob's" & Sons`],
    ['sixty characters', 'x'.repeat(60)],
  ])('%s is shown as typed, and can be changed', async (_name, typed) => {
    const { id, text } = await make(typed)
    expect(text).not.toContain('<img')
    expect(await service.database.first('SELECT name FROM api_client WHERE id = ?', id)).toEqual({ name: typed })
    await browser.visit(`/console/clients/${id}/name`, { form: { name: '  Branch 12 ' } })
    expect(await page('/console/clients')).toMatch(new RegExp(`<h2>Branch 12</h2>[^]*<code>${id}</code>`))
    await browser.visit(`/console/clients/${id}/name`, { form: { name: typed } })
    for (const path of ['', '/name', '/secrets', '/revoke'])
      expect(await page(`/console/clients${path && `/${id}${path}`}`)).not.toContain('<img')
  })

  test.each([
    ['nothing', ' '],
    ['too long', 'x'.repeat(61)],
    ['a direction mark', 'shop\u202egnp'],
    ['a line break', 'a\nb'],
  ])('%s is refused, and what was typed stays', async (_name, typed) => {
    const before = await service.database.all('SELECT * FROM api_client')
    const form = { name: typed, scopes: 'audit' }
    const { response, text } = await browser.visit('/console/clients', { form })
    expect(response.status).toBe(400)
    expect(text).toMatch(/id="name-error"[^>]*>(?:<[^>]*>)*[^<]*Must /i)
    expect(text).toMatch(/value="audit" checked/)
    expect((await browser.visit('/console/clients/demo-lender/name', { form: { name: typed } })).response.status).toBe(
      409,
    )
    expect(await service.database.all('SELECT * FROM api_client')).toEqual(before)
  })
})

describe('replacing a secret', () => {
  const replace = (id: string, form: { [name: string]: string }) =>
    browser.visit(`/console/clients/${id}/secrets`, { form })

  test('the old one works until the time that was chosen, and the page says when', async () => {
    const { id, secret } = await make('Overlap')
    expect(await page(`/console/clients/${id}/secrets`)).toContain('value="24" selected')
    const press = await browser.newPress()
    const replaced = await replace(id, { press, overlapHours: '1' })
    const next = secretIn(replaced.text)
    expect(next).not.toBe(secret)
    expect(wordsOf(replaced.text)).toMatch(/ends \d+ \w+ \d{4}, \d\d:\d\d /)
    // The same form again makes no third secret.
    expect(secretIn((await replace(id, { press, overlapHours: '1' })).text)).toBe('')
    expect(await service.database.all('SELECT 1 FROM api_client_secret WHERE client_id = ?', id)).toHaveLength(2)
    service.time.nowMs += 3_599_000
    expect(await service.tokenOf(id, secret)).toMatch(/^ey/)
    service.time.nowMs += 1_000
    expect(await service.tokenOf(id, secret)).toBeUndefined()
    expect(await service.tokenOf(id, next)).toMatch(/^ey/)
    service.time.nowMs -= 3_600_000
  })

  test('an overlap that is no number is refused, and nothing is changed', async () => {
    const { id, secret } = await make('Overlap')
    expect(wordsOf((await replace(id, { overlapHours: 'x' })).text)).toContain('Overlap hours must be a number.')
    expect(await service.database.all('SELECT 1 FROM api_client_secret WHERE client_id = ?', id)).toHaveLength(1)
    expect(await service.tokenOf(id, secret)).toMatch(/^ey/)
  })

  test('a secret that ends sooner is not prolonged, and ten are the most', async () => {
    const { id } = await make('Many')
    for (let count = 1; count < 10; count += 1) await replace(id, { overlapHours: '1' })
    const refused = await replace(id, { overlapHours: '168' })
    expect(wordsOf(refused.text)).toContain('Overlap hours must be 0: 10 secrets of this client work already.')
    const live = await service.database.all(
      'SELECT 1 FROM api_client_secret WHERE client_id = ? AND expires_at_ms = ?',
      id,
      service.time.nowMs + 3_600_000,
    )
    expect(live).toHaveLength(9)
    expect(secretIn((await replace(id, { overlapHours: '0' })).text)).not.toBe('')
  })
})

test('the last token of a client and of each secret is shown', async () => {
  const { id, secret } = await make('Used')
  expect(wordsOf(await page('/console/clients'))).toContain(
    `${id} May run credit checks, read their reports, and make links Works with live and test checks Made by Sam Lee (${SAM[0]}) Last token None recorded`,
  )
  await service.tokenOf(id, secret)
  const words = wordsOf(await page('/console/clients'))
  expect(words).toMatch(new RegExp(`${id} May run .* Last token \\d+ \\w+ \\d{4}`))
})

test('a client that may do nothing is not made: the usual rights are not given to who ticked none', async () => {
  const before = await service.database.all('SELECT * FROM api_client')
  const { response, text } = await browser.visit('/console/clients', { form: { name: 'Webshop' } })
  expect(response.status).toBe(400)
  expect(wordsOf(text)).toContain('Tick at least one thing that it may do.')
  expect(await service.database.all('SELECT * FROM api_client')).toEqual(before)
})
