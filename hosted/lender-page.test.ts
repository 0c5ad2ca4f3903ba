import { afterAll, beforeAll, expect, test } from 'vitest'
import { type HostedService, startHosted } from '../testing/hosted-link.ts'
import { problemOfReturn, problemsOfPage } from './lender-page.ts'

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')
const WEBP = Buffer.concat([Buffer.from('RIFF\x1a\0\0\0WEBPVP8L', 'latin1'), Buffer.alloc(8)])

test.each([
  ['white', '#ffffff', 'its contrast with white is 1.0'],
  ['a light blue', '#5aa9e6', 'must be darker'],
  ['just too light', '#777777', 'its contrast with white is 4.4'],
  ['no colour', 'red', 'must be a colour such as #0b5cad'],
  ['a style of its own', '#000;}body{}', 'must be a colour'],
])('%s is refused as a colour', (_name, accent, words) => {
  expect(problemsOfPage({ accent }, { httpsOnly: true })).toEqual([
    { path: 'accentColour', expected: expect.stringContaining(words) },
  ])
})

test('what can be read below white is taken', () => {
  for (const accent of ['#767676', '#0b5cad', '#000000'])
    expect(problemsOfPage({ accent }, { httpsOnly: true })).toEqual([])
})

test.each([
  ['an SVG', SVG, 1],
  ['an SVG behind the name of a PNG', Buffer.concat([Buffer.from('\x89PNG', 'latin1'), SVG]), 1],
  ['nothing but a beginning', PNG.subarray(0, 10), 1],
  ['one byte too many', Buffer.concat([PNG, Buffer.alloc(100_001 - PNG.length)]), 1],
  ['as many as may be', Buffer.concat([PNG, Buffer.alloc(100_000 - PNG.length)]), 0],
  ['a WebP', WEBP, 0],
])('%s as a logo', (_name, logo, problems) => {
  expect(problemsOfPage({ logo }, { httpsOnly: true })).toHaveLength(problems)
})

test.each([
  'javascript:alert(1)',
  'data:text/html,x',
  'http://shop.example/',
  'https://user@shop.example/',
  'https://shop.example/?a=1',
  'https://shop.example/#a',
  'shop.example',
])('%s is no address to lead back to', (url) => {
  expect(problemsOfPage({ returnUrls: [url] }, { httpsOnly: true })).toHaveLength(1)
})

test.each([
  ['https://shop.example/checks', true],
  ['https://shop.example/checks/', true],
  ['https://shop.example/checks/12?a=b', true],
  ['https://SHOP.example/checks', true],
  ['https://shop.example/check', false],
  ['https://shop.example/checks/../admin', false],
  ['https://shop.example:8443/checks', false],
  ['https://shop.example.evil.example/checks', false],
  ['//shop.example/checks', false],
  ['', false],
])('back to %s: %s', (returnUrl, isAllowed) => {
  expect(problemOfReturn(returnUrl, { returnUrls: ['https://shop.example/checks'] }) === null).toBe(isAllowed)
})

let app: HostedService
beforeAll(async () => {
  app = await startHosted()
})
afterAll(() => app.stop())

test('the page shows the lender’s name, colour and logo, and the policy allows nothing else', async () => {
  const look = { name: 'Larkfield <b>Cars</b>', accentColour: '#0B5CAD', privacyUrl: 'https://shop.example/privacy' }
  expect((await app.call('PUT /hosted-page', look)).body.data).toEqual({
    ...look,
    accentColour: '#0b5cad',
    returnUrls: [],
    logo: false,
  })
  expect((await app.call('PUT /hosted-page/logo', new Uint8Array(PNG))).status).toBe(204)
  const { url } = await app.link()
  const page = await app.fetch(new Request(url))
  const text = await page.text()
  expect(text).toContain('Credit check for Larkfield &lt;b&gt;Cars&lt;/b&gt;')
  expect(text).toContain('--credit-report-accent: #0b5cad')
  expect(text).toContain('privacy-url="https://shop.example/privacy"')
  const policy = page.headers.get('Content-Security-Policy')
  expect(policy).toMatch(
    /^default-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; img-src 'self'; style-src 'self' 'sha256-[\w+/=]+'; script-src 'self' https:\/\/service\.example; connect-src 'self' https:\/\/service\.example$/,
  )
  expect(page.headers.get('Referrer-Policy')).toBe('no-referrer')
  const logo = await app.fetch(new Request(`${url}/logo`))
  expect([logo.headers.get('Content-Type'), (await logo.arrayBuffer()).byteLength]).toEqual(['image/png', PNG.length])
})

test('a hostile logo, a light colour and a foreign lender change nothing', async () => {
  expect(await app.call('PUT /hosted-page/logo', new Uint8Array(SVG))).toMatchObject({
    status: 400,
    body: { message: 'logo: must be a PNG or WebP picture' },
  })
  expect((await app.call('PUT /hosted-page/logo', new Uint8Array(100_001))).status).toBe(413)
  expect((await app.call('PUT /hosted-page', { accentColour: '#ffff00' })).status).toBe(400)
  const foreign = { lender: 'demo-lender', by: 'other-lender' }
  expect((await app.call('PUT /hosted-page', { name: 'Mine' }, foreign)).status).toBe(403)
  expect((await app.call('GET /hosted-page')).body.data.name).toBe('Larkfield <b>Cars</b>')
  expect((await app.call('PUT /hosted-page', { name: null })).body.data).not.toHaveProperty('name')
})
