import { afterAll, beforeAll, expect, test } from 'vitest'
import { LenderPageChange } from '../contract/lender-page.ts'
import { read } from '../contract/problems.ts'
import { type HostedService, SMALL_PNG, startHosted } from '../testing/hosted-link.ts'
import { logoType, problemOfReturn } from './lender-page.ts'

const PNG = Buffer.from(SMALL_PNG, 'base64')
const SVG = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>')

const problemsOf = (change: object) => {
  const reading = read(LenderPageChange, change)
  return reading.ok ? [] : reading.problems
}

test.each([
  ['white', '#ffffff', 'its contrast with white is 1.0'],
  ['a light blue', '#5aa9e6', 'must be darker'],
  ['just too light', '#777777', 'its contrast with white is 4.4'],
  ['no colour', 'red', 'must be a colour such as #0b5cad'],
  ['a style of its own', '#000;}body{}', 'must be a colour'],
])('%s is refused as a colour', (_name, accentColour, words) => {
  expect(problemsOf({ accentColour })).toEqual([{ path: 'accentColour', expected: expect.stringContaining(words) }])
})

test('what can be read below white is taken', () => {
  for (const accentColour of ['#767676', '#0B5CAD', '#000000']) expect(problemsOf({ accentColour })).toEqual([])
})

/** As a picture of that size begins. */
function pngOf(width: number, height: number): Buffer {
  const png = Buffer.from(PNG)
  png.writeUInt32BE(width, 16)
  png.writeUInt32BE(height, 20)
  return png
}
function webpOf(kind: string, size: (bytes: Buffer) => void): Buffer {
  const webp = Buffer.concat([Buffer.from(`RIFF\x1a\0\0\0WEBP${kind}`, 'latin1'), Buffer.alloc(16)])
  size(webp)
  return webp
}

test.each([
  ['a PNG', PNG, 'image/png'],
  ['a PNG of 2,000 pixels', pngOf(2_000, 2_000), 'image/png'],
  ['a PNG that would unpack to gigabytes', pngOf(60_000, 60_000), null],
  ['a PNG of nothing', pngOf(0, 10), null],
  ['a lossy WebP', webpOf('VP8 ', (bytes) => bytes.writeUInt32LE(0x00100010, 26)), 'image/webp'],
  ['a lossless WebP', webpOf('VP8L', (bytes) => bytes.writeUInt32LE((99 << 14) | 99, 21)), 'image/webp'],
  ['a lossless WebP that is too wide', webpOf('VP8L', (bytes) => bytes.writeUInt32LE(2_000, 21)), null],
  ['an extended WebP that is too high', webpOf('VP8X', (bytes) => bytes.writeUIntLE(2_000, 27, 3)), null],
  ['a WebP of a kind that there is not', webpOf('VP9 ', () => {}), null],
  ['an SVG', SVG, null],
  ['an SVG behind the name of a PNG', Buffer.concat([Buffer.from('\x89PNG', 'latin1'), SVG]), null],
  ['nothing but a beginning', PNG.subarray(0, 20), null],
  ['no byte at all', Buffer.alloc(0), null],
])('%s as a logo', (_name, logo, type) => {
  expect(logoType(logo)).toBe(type)
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
  expect(problemsOf({ returnUrls: [url] })).toHaveLength(1)
})

test.each(['https://shop.example/checks', 'shopapp://done', 'http://localhost:4200/'])(
  '%s is one, and may be that of a privacy notice',
  (url) => {
    expect(problemsOf({ returnUrls: [url], privacyUrl: url })).toEqual([])
  },
)

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
    body: { message: 'logo: must be a PNG or WebP picture of at most 2,000 pixels a side' },
  })
  expect((await app.call('PUT /hosted-page/logo', new Uint8Array(100_001))).status).toBe(413)
  expect((await app.call('PUT /hosted-page', { accentColour: '#ffff00' })).status).toBe(400)
  const foreign = { lender: 'demo-lender', by: 'other-lender' }
  expect((await app.call('PUT /hosted-page', { name: 'Mine' }, foreign)).status).toBe(403)
  expect((await app.call('GET /hosted-page')).body.data.name).toBe('Larkfield <b>Cars</b>')
  expect((await app.call('PUT /hosted-page', { name: null })).body.data).not.toHaveProperty('name')
})
