import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { Hono } from 'hono'
import { afterAll, describe, expect, test } from 'vitest'
import { answerError } from '../http/api-error.ts'
import type { ServiceEnv } from '../http/context.ts'
import { createSilentLog } from '../log.ts'
import { openSqlite } from '../store/sqlite.ts'
import { createMintLimit, deviceRoutes } from './routes.ts'
import { loadScript } from './script.ts'
import { createDeviceSessions } from './sessions.ts'
import { deviceTables } from './tables.ts'

const SCRIPT = '/v1/fingerprints/device'
const SESSIONS = `${SCRIPT}/sessions`
const ORIGIN = 'https://lender.example'
const SIGNALS = 'screen=390,844,24,3&cores=6'
const clock = () => Date.UTC(2026, 10, 15)

const folder = mkdtempSync(join(tmpdir(), 'device-routes-'))
const database = await openSqlite({ folder, role: 'service', migrations: [deviceTables] })
const sessions = createDeviceSessions({ database, secretKeys: [new Uint8Array(32).fill(1)], clock })

afterAll(async () => {
  await database.close()
  rmSync(folder, { recursive: true })
})

function appServing(source: string, mintsPerMinute = 1_000) {
  const app = new Hono<ServiceEnv>()
  app.onError((error, context) => answerError(context, error, createSilentLog()))
  const script = loadScript('https://service.example', source)
  const mintLimit = createMintLimit(clock, mintsPerMinute)
  app.route('/', deviceRoutes({ database, sessions, script, clock, trustedHops: 0, mintLimit }))
  return {
    script,
    get: (path: string, headers = {}) => app.request(path, { headers }),
    post: (body: string | Uint8Array<ArrayBuffer>, headers = {}) =>
      app.request(SESSIONS, {
        method: 'POST',
        body,
        headers: { 'Content-Type': 'text/plain;charset=UTF-8', ...headers },
      }),
    postBare: (body: Uint8Array<ArrayBuffer>) => app.request(SESSIONS, { method: 'POST', body }),
    preflight: (headers: { [name: string]: string }) => app.request(SESSIONS, { method: 'OPTIONS', headers }),
  }
}

async function factsOf(sessionId: string) {
  const consumer = { lastName: 'Example', dateOfBirth: '1990-02-28', ipAddress: '127.0.0.1' }
  return sessions.claim({ tenantId: 'demo-lender', sessionId, consumer })
}

describe('the script', () => {
  const { get, script } = appServing('run("%SERVED_AS%")')

  test('is public JavaScript that any page may load, however strict', async () => {
    const response = await get(SCRIPT)
    expect(response.status).toBe(200)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'cross-origin',
      'access-control-allow-origin': '*',
      'timing-allow-origin': '*',
      'cache-control': 'public, max-age=3600, stale-while-revalidate=86400',
      vary: 'Accept-Encoding',
    })
    expect(response.headers.has('Set-Cookie')).toBe(false)
    expect(await response.text()).toBe('run("https://service.example/v1/fingerprints/device")')
  })

  test('comes compressed as the browser likes it', async () => {
    const response = await get(SCRIPT, { 'Accept-Encoding': 'gzip, br' })
    expect(response.headers.get('Content-Encoding')).toBe('br')
    expect(brotliDecompressSync(await response.arrayBuffer()).toString()).toBe(script.source)
  })

  test('is not sent again to a browser that has it', async () => {
    const etag = (await get(SCRIPT, { 'Accept-Encoding': 'br' })).headers.get('ETag') ?? ''
    const same = await get(SCRIPT, { 'Accept-Encoding': 'br', 'If-None-Match': `"older", W/${etag}` })
    expect(same.status).toBe(304)
    expect(await same.text()).toBe('')
    const otherEncoding = await get(SCRIPT, { 'Accept-Encoding': 'gzip', 'If-None-Match': etag })
    expect(otherEncoding.status).toBe(200)
  })

  test('says where exactly these bytes stay, for a page that pins them', async () => {
    const response = await get(SCRIPT)
    const pinned = await get(response.headers.get('Content-Location') ?? '')
    expect(pinned.status).toBe(200)
    expect(pinned.headers.get('Cache-Control')).toBe('public, max-age=31536000, immutable')
    expect(pinned.headers.get('X-Integrity')).toBe(response.headers.get('X-Integrity'))
    expect(await pinned.text()).toBe(await response.text())
  })

  test('of an earlier release is still there for pages that pinned it', async () => {
    const earlier = appServing('earlier()')
    const pinned = (await earlier.get(SCRIPT)).headers.get('Content-Location') ?? ''
    const later = appServing('later()')
    // Serving the script does not wait for the archive.
    await expect.poll(async () => (await later.get(pinned)).text()).toBe('earlier()')
  })

  test('that was never served is said to be so', async () => {
    const message = 'no script with this hash was ever served here'
    expect(await (await get(`${SCRIPT}@AAAAAAAAAAAAAAAA`)).json()).toEqual({ code: 'not-found', message })
  })

  test.each([
    ['a hash never served', `${SCRIPT}@AAAAAAAAAAAAAAAA`],
    ['no hash', `${SCRIPT}@`],
    ['a longer one', `${SCRIPT}@AAAAAAAAAAAAAAAAA`],
  ])('with %s is not found', async (_what, path) => {
    expect((await get(path)).status).toBe(404)
  })
})

describe('the sessions', () => {
  const { get, post, postBare, preflight } = appServing('run()')

  test('a page on any origin gets the id of a stored, profiled session', async () => {
    const response = await post(SIGNALS, { Origin: ORIGIN })
    expect(response.status).toBe(200)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': expect.stringMatching(/^text\/plain/),
      'cache-control': 'no-store',
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
    })
    expect(response.headers.has('Access-Control-Allow-Credentials')).toBe(false)
    expect(response.headers.has('Set-Cookie')).toBe(false)
    const sessionId = await response.text()
    expect(sessionId).toMatch(/^[\w-]{32}$/)
    expect(await factsOf(sessionId)).toMatchObject({ profiled: true, signals: { cores: '6' } })
  })

  test('a tag’s answer hands over an unprofiled session and is never cached', async () => {
    const response = await get(`${SCRIPT}?m=1`)
    expect(response.headers.get('Cache-Control')).toBe('no-store')
    expect(response.headers.get('Content-Type')).toBe('text/javascript; charset=utf-8')
    const [, sessionId = ''] = /^document\.__deviceFingerprint\("([\w-]{32})"\)$/.exec(await response.text()) ?? []
    expect(await factsOf(sessionId)).toMatchObject({ profiled: false })
  })

  test('a body without a single signal still gets a session, unprofiled', async () => {
    for (const body of ['', 'rubbish', '{"cores":8}', new Uint8Array([0xff, 0xfe, 0x00])]) {
      const response = await post(body)
      expect(response.status).toBe(200)
      expect(await factsOf(await response.text())).toMatchObject({ profiled: false })
    }
  })

  test('a page that names no origin or kind of content is answered too', async () => {
    const response = await postBare(new TextEncoder().encode(SIGNALS))
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'access-control-allow-origin': '*',
      'timing-allow-origin': '*',
    })
    expect(await factsOf(await response.text())).toMatchObject({ profiled: true })
  })

  test('a body of 16 KiB is read', async () => {
    const response = await post(`${SIGNALS}&pad=`.padEnd(16_384, 'x'))
    expect(await factsOf(await response.text())).toMatchObject({ profiled: true })
  })

  test('a body over 16 KiB is refused, and the page can read why', async () => {
    const response = await post('x'.repeat(16_385), { Origin: ORIGIN })
    expect(response.status).toBe(413)
    expect(await response.json()).toMatchObject({ code: 'payload-too-large' })
    expect(response.headers.get('Access-Control-Allow-Origin')).toBe('*')
  })

  test('anything but text is refused', async () => {
    const response = await post('{}', { 'Content-Type': 'application/json', Origin: ORIGIN })
    expect(response.status).toBe(415)
    expect(await response.json()).toMatchObject({ code: 'unsupported-media-type' })
  })

  test('a page whose tools add headers passes its preflight', async () => {
    const response = await preflight({
      Origin: ORIGIN,
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'traceparent,x-tool',
    })
    expect(response.status).toBe(204)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'POST',
      'access-control-allow-headers': 'traceparent,x-tool',
      'access-control-max-age': '86400',
    })
    const bare = await preflight({ Origin: ORIGIN, 'Access-Control-Request-Method': 'POST' })
    expect([bare.status, bare.headers.get('Access-Control-Allow-Headers')]).toEqual([204, ''])
  })

  test('a network that opens too many is asked to wait, by either way in', async () => {
    const busy = appServing('run()', 2)
    expect((await busy.post(SIGNALS)).status).toBe(200)
    expect((await busy.get(`${SCRIPT}?m=1`)).status).toBe(200)
    const refused = await busy.post(SIGNALS, { Origin: ORIGIN })
    expect(refused.status).toBe(429)
    expect(refused.headers.get('Retry-After')).toBe('30')
    expect(refused.headers.get('Access-Control-Allow-Origin')).toBe('*')
    expect(await refused.json()).toMatchObject({ code: 'rate-limited' })
    expect((await busy.get(`${SCRIPT}?m=1`)).status).toBe(429)
    expect((await busy.get(SCRIPT)).status).toBe(200)
  })
})
