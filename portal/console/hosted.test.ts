// Links and the look of their page, in the console.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newId } from '../../kit/new-id.ts'
import { SMALL_PNG } from '../../testing/hosted-link.ts'
import { ORIGIN, SAM, startTestService, type TestService } from '../../testing/portal-service.ts'
import { hashQuickly } from '../../testing/quick-passwords.ts'
import { type TestBrowser, wordsOf } from '../../testing/service-browser.ts'
import { liveRequest } from '../../testing/test-app.ts'

hashQuickly()

let service: TestService
let browser: TestBrowser
beforeAll(async () => {
  service = await startTestService()
  browser = service.browser()
  await browser.signIn(...SAM, '/console')
})
afterAll(() => service.stop())

test('a link is made, shown with its address and as a QR code, and revoked', async () => {
  const form = { externalReference: 'order-1', mode: 'test', minutes: '60' }
  const made = await browser.visit('/console/links', { form })
  expect(made.text).toContain('The link was made.')
  expect(made.text).toMatch(new RegExp(`${ORIGIN}/c/[\\w-]{22}`))
  expect(made.text).toContain('aria-label="QR code of the check"')
  const revoked = await browser.visit(`${made.url.pathname}/revoke`, { form: {} })
  expect(revoked.text).toContain('The link was revoked.')
  const shown = await browser.visit(made.url.pathname)
  expect(shown.text).toContain('Revoked')
  expect(shown.text).not.toContain('/c/')
})

test('Today counts links apart, by the day they were made', async () => {
  const link = `INSERT INTO hosted_link (id, tenant_id, test, token_hash, created_at_ms, expires_at_ms, opened_at_ms) VALUES (?, ?, 0, ?, ?, ?, ?)`
  const { database, time } = service
  const { creditReportId } = (await (await service.generate(liveRequest('Allow'))).json()).data
  const [begun, opened, yesterday, foreign] = [0, 0, 86_400_000, 0].map((before) => newId(time.nowMs - before))
  for (const [id = '', tenantId, openedAtMs] of [
    [begun, 'demo-lender', time.nowMs],
    [opened, 'demo-lender', time.nowMs],
    [newId(time.nowMs), 'demo-lender', null],
    [yesterday, 'demo-lender', null],
    [foreign, 'other-lender', null],
  ] as const)
    await database.run(link, id, tenantId, id, time.nowMs, time.nowMs + 1, openedAtMs)
  await database.run(`INSERT INTO hosted_check VALUES (?, ?, 1, '')`, creditReportId, begun ?? '')
  const words = wordsOf((await browser.visit('/console')).text)
  expect(words).toContain('Made 3 100% – Opened 2 67% – Check begun 1 33% – Report 1 33% –')
  expect(wordsOf((await browser.visit('/console?mode=test')).text)).toContain('Made 1 100% – Opened 0 0%')
})

test('what is wrong with the page’s look is said beside its field, and what was typed stays', async () => {
  const form = { name: 'Larkfield', accentColour: '#ffff00', returnUrls: 'https://shop.example/\nhttp://shop.example/' }
  const { response, text } = await browser.visit('/console/hosted-page', { form })
  expect(response.status).toBe(400)
  expect(text).toContain('Must be darker: its contrast with white is 1.0, and 4.5 is needed.')
  expect(text).toContain('Must begin with https:// or the scheme of an app.')
  expect(text).toContain('value="Larkfield"')
  expect(text).toContain('https://shop.example/\nhttp://shop.example/</textarea>')
})

test('the look is changed, and an empty field takes away what was there', async () => {
  const form = { name: 'Larkfield', accentColour: '#0B5CAD', returnUrls: 'https://shop.example/\r\nshopapp://done' }
  const { text } = await browser.visit('/console/hosted-page', { form })
  expect(text).toContain('The page was changed.')
  expect(text).toContain('value="#0b5cad"')
  expect(text).toContain('https://shop.example/\nshopapp://done</textarea>')
  const emptied = await browser.visit('/console/hosted-page', { form: { name: '', accentColour: '', returnUrls: '' } })
  expect(emptied.text).not.toContain('Larkfield')
  const row = await service.database.first('SELECT name, accent, return_urls FROM hosted_page')
  expect(row).toEqual({ name: null, accent: null, return_urls: '[]' })
})

async function sendLogo(bytes: Uint8Array) {
  const form = new FormData()
  form.set('press', await browser.newPress())
  form.set('logo', new Blob([new Uint8Array(bytes)], { type: 'image/png' }), 'logo.png')
  const headers = { Cookie: browser.cookies(), Origin: ORIGIN }
  const request = new Request(`${ORIGIN}/console/hosted-page/logo`, { method: 'POST', body: form, headers })
  const response = await service.fetch(request)
  return { status: response.status, text: await response.text() }
}

test('a logo is sent as a file; what is no picture, or too large, is refused in words', async () => {
  const png = Buffer.from(SMALL_PNG, 'base64')
  const svg = await sendLogo(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"></svg>'))
  expect(svg).toMatchObject({ status: 400, text: expect.stringContaining('Logo must be a PNG or WebP picture') })
  const large = await sendLogo(Buffer.concat([png, Buffer.alloc(100_001)]))
  expect(large).toMatchObject({ status: 400, text: expect.stringContaining('Logo must have at most 100000 bytes') })
  expect((await sendLogo(Buffer.alloc(1_000_001))).status).toBe(413)
  expect(await service.database.first('SELECT logo FROM hosted_page')).toEqual({ logo: null })
  expect((await sendLogo(png)).status).toBe(303)
  const row = await service.database.first<{ logo: Uint8Array }>('SELECT logo FROM hosted_page')
  expect(Buffer.from(row?.logo ?? []).equals(png)).toBe(true)
  const { text } = await browser.visit('/console/hosted-page/logo', { form: {} })
  expect(text).toContain('The page has no logo now.')
})

test('a form with a file is refused where no one has signed in', async () => {
  const form = new FormData()
  form.set('email', SAM[0])
  const request = new Request(`${ORIGIN}/password-links`, { method: 'POST', body: form, headers: { Origin: ORIGIN } })
  expect((await service.fetch(request)).status).toBe(415)
})
