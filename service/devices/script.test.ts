import { createHash } from 'node:crypto'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { loadScript, prepareScript } from './script.ts'

test('every encoding unpacks to the same bytes, and the digest is theirs', () => {
  const { bodies, digest, source } = prepareScript('document.title="ü"')
  expect(digest).toBe(createHash('sha384').update(bodies.identity).digest('base64'))
  expect(Buffer.from(bodies.identity).toString('utf8')).toBe(source)
  expect(gunzipSync(bodies.gzip)).toEqual(Buffer.from(bodies.identity))
  expect(brotliDecompressSync(bodies.br)).toEqual(Buffer.from(bodies.identity))
})

test('the script knows where it is served, and its hash depends on that', () => {
  const source = 'ask("%SERVED_AS%")'
  const here = loadScript('https://service.example', source)
  expect(here.source).toBe('ask("https://service.example/v1/fingerprints/device")')
  expect(loadScript('https://service.example', source).hash).toBe(here.hash)
  expect(loadScript('https://other.example', source).hash).not.toBe(here.hash)
})
