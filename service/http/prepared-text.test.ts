import { createHash } from 'node:crypto'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { prepareText, sendPrepared } from './prepared-text.ts'

const TEXT = `${'a text that says the same again and again, '.repeat(200)}“until it ends”`
const digest = createHash('sha384').update(TEXT)
const DIGEST = digest.copy().digest('base64')
const HASH = digest.copy().digest('base64url').slice(0, 16)

async function ask(headers: { [name: string]: string }) {
  const app = new Hono().get('/', (context) =>
    sendPrepared(context, prepareText(TEXT), { 'Content-Type': 'text/plain', 'Cache-Control': 'no-cache' }),
  )
  const response = await app.request('/', { headers })
  return { response, body: Buffer.from(await response.arrayBuffer()) }
}

test('a text is named by its hash: whole for integrity checks, its beginning for addresses', () => {
  const { digest, hash, bodies } = prepareText(TEXT)
  expect([digest, hash]).toEqual([DIGEST, HASH])
  expect(Buffer.from(bodies.identity).toString()).toBe(TEXT)
})

test.each([
  ['no encoding', {}, 'identity', (body: Buffer) => body],
  ['gzip', { 'Accept-Encoding': 'gzip' }, 'gzip', gunzipSync],
  ['Brotli', { 'Accept-Encoding': 'gzip, br' }, 'br', brotliDecompressSync],
])('a caller that knows %s is sent the text, and has it from then on', async (_name, headers, encoding, open) => {
  const { response, body } = await ask(headers)
  const etag = `"${HASH}-${encoding}"`
  expect(response.status).toBe(200)
  expect(Object.fromEntries(response.headers)).toEqual({
    'content-type': 'text/plain',
    'cache-control': 'no-cache',
    vary: 'Accept-Encoding',
    etag,
    ...(encoding === 'identity' ? {} : { 'content-encoding': encoding }),
  })
  expect(open(body).toString()).toBe(TEXT)
  if (encoding !== 'identity') expect(body.length).toBeLessThan(TEXT.length / 10)
  const again = await ask({ ...headers, 'If-None-Match': etag })
  expect([again.response.status, again.body.length, again.response.headers.get('ETag')]).toEqual([304, 0, etag])
  const other = await ask({ ...headers, 'If-None-Match': '"other"' })
  expect(other.response.status).toBe(200)
})
