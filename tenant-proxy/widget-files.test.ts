import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createTestMount } from '../testing/proxy-mount.ts'
import { toHono, toNext, toNodeHandler } from './adapters.ts'
import type { ProxyEvent } from './events.ts'
import { createTenantProxy, type TenantProxy } from './tenant-proxy.ts'
import { createWidgetFiles } from './widget-files.ts'

const WIDGET = `/* the widget */ ${'customElements.define("credit-report-widget", class extends HTMLElement {});'.repeat(50)}`
const CHUNK = 'report.Ab3_-9xQ.js'
const OPTIONS = {
  service: 'https://service.example',
  tenantId: 'demo-lender',
  credentials: { clientId: 'demo-lender', clientSecret: 'demo-secret' },
}
let folder: string
let proxy: TenantProxy

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'widget-files-'))
  writeFileSync(join(folder, 'widget.js'), WIDGET)
  writeFileSync(join(folder, CHUNK), 'export const report = 1')
  writeFileSync(join(folder, 'manifest.json'), '{}')
  writeFileSync(join(folder, 'widget.js.map'), '{}')
  proxy = createTenantProxy({ ...OPTIONS, widgetFiles: folder, compress: true })
})
afterEach(() => rmSync(folder, { recursive: true }))

function get(file: string, headers: Record<string, string> = {}, method = 'GET') {
  return proxy(new Request(`https://shop.lender.example/credit-reports/${file}`, { method, headers }))
}

test('the widget is asked after each time, its chunks never again', async () => {
  expect((await get('widget.js')).headers.get('Cache-Control')).toBe('public, no-cache')
  expect((await get(CHUNK)).headers.get('Cache-Control')).toBe('public, max-age=31536000, immutable')
  expect((await get('manifest.json')).headers.get('Content-Type')).toBe('application/json; charset=utf-8')
})

test('a script is a script, for this origin, and nothing else', async () => {
  const { headers } = await get('widget.js')
  expect(Object.fromEntries(headers)).toMatchObject({
    'content-type': 'text/javascript; charset=utf-8',
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
    vary: 'Accept-Encoding',
  })
})

describe('compression', () => {
  const decode: { [encoding: string]: (bytes: Buffer) => Buffer } = {
    br: (bytes) => brotliDecompressSync(bytes),
    gzip: (bytes) => gunzipSync(bytes),
    identity: (bytes) => bytes,
  }
  test.each([
    ['gzip, deflate, br, zstd', 'br'],
    ['GZIP', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['br; q=0.0, gzip;q=0', 'identity'],
    ['br;q=0.5', 'br'],
    ['', 'identity'],
    ['brotli', 'identity'],
  ])('%s → %s', async (accepted, encoding) => {
    const response = await get('widget.js', { 'Accept-Encoding': accepted })
    expect(response.headers.get('Content-Encoding') ?? 'identity').toBe(encoding)
    const bytes = Buffer.from(await response.arrayBuffer())
    expect(response.headers.get('Content-Length')).toBe(String(bytes.length))
    expect(decode[encoding]?.(bytes).toString()).toBe(WIDGET)
  })
})

describe('revalidation', () => {
  test('what a browser has is not sent again', async () => {
    const etag = (await get('widget.js')).headers.get('ETag') ?? ''
    for (const match of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const response = await get('widget.js', { 'If-None-Match': match })
      expect(response.status).toBe(304)
      expect(await response.text()).toBe('')
    }
    expect((await get('widget.js', { 'If-None-Match': '"other"' })).status).toBe(200)
  })

  test('each encoding has its own mark', async () => {
    const marks = await Promise.all(
      ['', 'br', 'gzip'].map(async (accepted) =>
        (await get('widget.js', { 'Accept-Encoding': accepted })).headers.get('ETag'),
      ),
    )
    expect(new Set(marks).size).toBe(3)
  })

  test('a rebuilt widget is served without a restart', async () => {
    const before = await get('widget.js')
    writeFileSync(join(folder, 'widget.js'), 'rebuilt')
    utimesSync(join(folder, 'widget.js'), new Date(), new Date(Date.now() + 5_000))
    const after = await get('widget.js')
    expect(await after.text()).toBe('rebuilt')
    expect(after.headers.get('ETag')).not.toBe(before.headers.get('ETag'))
  })
})

test('HEAD says what GET would', async () => {
  const response = await get('widget.js', {}, 'HEAD')
  expect(response.headers.get('Content-Length')).toBe(String(WIDGET.length))
  expect(await response.text()).toBe('')
})

test('integrity is that of the very bytes', () => {
  expect(proxy.integrity()).toBe(`sha384-${createHash('sha384').update(WIDGET).digest('base64')}`)
  expect(proxy.integrity(CHUNK)).toMatch(/^sha384-/)
  expect(() => proxy.integrity('nothing.js')).toThrow(/build it, or set `widgetFiles`/)
})

test.each([
  'nothing.js',
  'report.AAAAAAAA.js',
  'widget.js.map',
  '..%2fwidget.js',
  '%2e%2e/widget.js',
  '.hidden.js',
  'sub/widget.js',
])('%s is not there', async (file) => {
  expect((await get(file)).status).toBe(404)
})

test('a folder by the name of a file is not one', async () => {
  mkdirSync(join(folder, 'folder.js'))
  expect((await get('folder.js')).status).toBe(404)
})

describe('files that are part of the program', () => {
  const embedded = {
    'widget.js': brotliCompressSync(WIDGET).toString('base64'),
    [CHUNK]: brotliCompressSync('export const report = 1').toString('base64'),
  }
  const files = createWidgetFiles({ current: embedded, previous: null })
  const ask = (name: string, encoding: string) =>
    files.serve(name, { method: 'GET', headers: new Headers({ 'Accept-Encoding': encoding }) }, { compress: true })

  test.each([
    ['br', (bytes: Buffer) => brotliDecompressSync(bytes)],
    ['gzip', (bytes: Buffer) => gunzipSync(bytes)],
    ['identity', (bytes: Buffer) => bytes],
  ])('are served as %s', async (encoding, decode) => {
    const answer = await ask('widget.js', encoding)
    expect(decode(Buffer.from(answer?.body ?? '')).toString()).toBe(WIDGET)
    expect(files.integrity('widget.js')).toBe(proxy.integrity())
  })

  test('are served by their own names alone', async () => {
    expect([await ask('constructor', 'br'), await ask('__proto__', 'br')]).toEqual([null, null])
  })
})

test.each([
  ['manifest.json is missing', () => rmSync(join(folder, 'manifest.json'))],
  ['manifest.json is missing', () => writeFileSync(join(folder, 'manifest.json'), '[]')],
  [`${CHUNK} is missing, one of 1`, () => rmSync(join(folder, CHUNK))],
  ['widget.js is missing, one of 1', () => rmSync(join(folder, 'widget.js'))],
  [`${CHUNK} differs from the manifest`, () => writeFileSync(join(folder, CHUNK), 'other')],
])('a folder of which %s is named at the start', (words, spoil) => {
  const manifest = Object.fromEntries([CHUNK].map((name) => [name, { integrity: proxy.integrity(name) }]))
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(manifest))
  const start = () => {
    const events: ProxyEvent[] = []
    createTenantProxy({ ...OPTIONS, widgetFiles: folder, onEvent: (event) => events.push(event) })
    return events
  }
  expect(start()).toEqual([])
  spoil()
  expect(start()).toEqual([{ type: 'misconfigured', problem: expect.stringContaining(words) }])
})

test('the first of several missing files is named, and how many they are', () => {
  const manifest = ['a.js', 'b.js'].map((name) => [name, { integrity: 'sha384-x' }])
  writeFileSync(join(folder, 'manifest.json'), JSON.stringify(Object.fromEntries(manifest)))
  rmSync(join(folder, 'widget.js'))
  const files = createWidgetFiles({ current: folder, previous: null })
  expect(files.findFault()).toEqual({
    message: 'widget.js is missing, one of 3',
    fix: 'set `widgetFiles` to a whole copy of the folder `dist/widget` of the package, or leave it out',
  })
})

test('a file of an unknown kind is bytes to a browser', async () => {
  const asked = { method: 'GET', headers: new Headers() }
  const answer = await createWidgetFiles({ current: folder, previous: null }).serve('widget.js.map', asked, {
    compress: false,
  })
  expect(answer?.headers).toMatchObject({ 'Content-Type': 'application/octet-stream', 'Content-Length': '2' })
})

test('where no widget was built there is no file', async () => {
  const files = createWidgetFiles({ current: null, previous: null })
  const asked = { method: 'GET', headers: new Headers() }
  expect(await files.serve(CHUNK, asked, { compress: true })).toBeNull()
  expect(files.findFault()).toMatchObject({ message: 'manifest.json is missing' })
})

describe('chunks of an earlier version', () => {
  const OLD = 'export const report = 0'
  const oldName = (code: string) =>
    `report.${createHash('sha384').update(code).digest('base64').slice(0, 10).replace(/\W/g, '-')}.js`
  let previousFiles: string
  let deployed: TenantProxy
  beforeEach(() => {
    previousFiles = join(folder, 'previous')
    mkdirSync(previousFiles)
    writeFileSync(join(previousFiles, oldName(OLD)), OLD)
    deployed = createTenantProxy({ ...OPTIONS, widgetFiles: folder, previousFiles })
  })
  const ask = (file: string) => deployed(new Request(`https://shop.lender.example/credit-reports/${file}`))

  test('are served to pages that were open during the deploy, cached for good', async () => {
    const answer = await ask(oldName(OLD))
    expect(await answer.text()).toBe(OLD)
    expect(answer.headers.get('Cache-Control')).toBe('public, max-age=31536000, immutable')
    expect(deployed.integrity(oldName(OLD))).toMatch(/^sha384-/)
  })

  test('have the bytes their name promises, or are not there', async () => {
    writeFileSync(join(previousFiles, 'report.AAAAAAAAAA.js'), OLD)
    expect((await ask('report.AAAAAAAAAA.js')).status).toBe(404)
  })

  test('are chunks: an old widget.js or manifest is never served in place of a missing one', async () => {
    for (const name of ['widget.js', 'manifest.json', 'index.js']) {
      writeFileSync(join(previousFiles, name), OLD)
      rmSync(join(folder, name), { force: true })
      expect((await ask(name)).status).toBe(404)
    }
  })

  test('do not hide the present version', async () => {
    writeFileSync(join(previousFiles, CHUNK), OLD)
    expect(await (await ask(CHUNK)).text()).toBe('export const report = 1')
  })
})

test('a file name longer than any file system takes is not found', async () => {
  const at = await createTestMount()
  expect((await at.browser.get(`/credit-reports/${'x'.repeat(300)}.js`)).status).toBe(404)
  await at.service.stop()
})

test.each<[string, (mount: TenantProxy) => (request: Request) => Promise<Response>, string | null]>([
  ['a host that takes a Response', (mount) => mount, 'br'],
  ['Hono', (mount) => (request) => toHono(mount)({ req: { raw: request } }), 'br'],
  ['Next, which compresses by itself,', (mount) => toNext(mount).GET, null],
])('%s gets the files compressed', async (_host, handlerOf, encoding) => {
  const handle = handlerOf(createTenantProxy({ ...OPTIONS, widgetFiles: folder }))
  const url = 'https://shop.lender.example/credit-reports/widget.js'
  const answer = await handle(new Request(url, { headers: { 'Accept-Encoding': 'br, gzip' } }))
  expect(answer.headers.get('Content-Encoding')).toBe(encoding)
  const bytes = Buffer.from(await answer.arrayBuffer())
  expect((encoding ? brotliDecompressSync(bytes) : bytes).toString()).toBe(WIDGET)
})

test('an adapter that writes to the socket itself compresses', async () => {
  const server = createServer(toNodeHandler(createTenantProxy({ ...OPTIONS, widgetFiles: folder })))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const answer = await fetch(`http://127.0.0.1:${port}/credit-reports/widget.js`, {
    headers: { 'Accept-Encoding': 'br' },
  })
  expect(answer.headers.get('Content-Encoding')).toBe('br')
  expect(await answer.text()).toBe(WIDGET)
  server.close()
  server.closeAllConnections()
})
