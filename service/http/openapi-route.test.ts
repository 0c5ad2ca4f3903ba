import { brotliDecompressSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { checkRows } from '../check/operations.ts'
import { deviceRows } from '../devices/operations.ts'
import { createOpenApi, openApiRoute } from './openapi-route.ts'

const { generateCreditReport } = checkRows.operations
const { getPinnedFingerprintScript } = deviceRows.operations
const operations = { generateCreditReport, getPinnedFingerprintScript }
const rows = () => [{ ...checkRows, operations }]

async function serve(nowMs = Date.UTC(2026, 10, 15)) {
  const options = { publicUrl: 'https://reports.example', bureaus: ['alpha'], clock: () => nowMs, rows }
  const response = await openApiRoute(createOpenApi(options)).request('/openapi.json')
  return { response, document: await response.json() }
}

test('the document is that of this service: its address, its bureaus, what it serves', async () => {
  const { response, document } = await serve()
  expect(response.headers.get('Content-Type')).toBe('application/json')
  expect(document.servers[0].url).toBe('https://reports.example')
  expect(document.components.schemas.GenerateRequest.properties.bureaus.items.enum).toEqual(['alpha'])
  expect(Object.keys(document.paths)).toEqual(['/{tenantId}/v1/credit-reports', '/v1/fingerprints/device@{hash}'])
})

test('a page of another origin may read it', async () => {
  const { headers } = (await serve()).response
  expect(headers.get('Access-Control-Allow-Origin')).toBe('*')
  expect(headers.get('Cross-Origin-Resource-Policy')).toBe('cross-origin')
})

test('who turns sixteen this year is in it, who does so next year is not', async () => {
  const pattern = async (nowMs: number) => {
    const { document } = await serve(nowMs)
    return new RegExp(document.components.schemas.GenerateRequest.properties.dateOfBirth.pattern)
  }
  expect((await pattern(Date.UTC(2030, 0, 1))).test('2014-06-01')).toBe(true)
  expect((await pattern(Date.UTC(2030, 0, 1))).test('2015-06-01')).toBe(false)
})

test('it is compressed, and sent once to a caller that keeps it', async () => {
  const route = openApiRoute(createOpenApi({ publicUrl: 'https://a.example', bureaus: ['a'], clock: Date.now, rows }))
  const plain = await (await route.request('/openapi.json')).text()
  const packed = await route.request('/openapi.json', { headers: { 'Accept-Encoding': 'gzip, br' } })
  expect(packed.headers.get('Content-Encoding')).toBe('br')
  expect(packed.headers.get('Vary')).toBe('Accept-Encoding')
  expect(brotliDecompressSync(await packed.arrayBuffer()).toString()).toBe(plain)
  const etag = packed.headers.get('ETag') ?? ''
  const headers = { 'Accept-Encoding': 'gzip, br', 'If-None-Match': `W/"other", ${etag}` }
  const again = await route.request('/openapi.json', { headers })
  expect([again.status, await again.text()]).toEqual([304, ''])
  const otherEncoding = await route.request('/openapi.json', { headers: { 'If-None-Match': etag } })
  expect(otherEncoding.status).toBe(200)
})

test('it is made again when the year changes, and not before', async () => {
  let nowMs = Date.UTC(2026, 10, 15)
  let made = 0
  const counted = () => {
    made += 1
    return rows()
  }
  const options = { publicUrl: 'https://a.example', bureaus: ['a'], clock: () => nowMs, rows: counted }
  const openApi = createOpenApi(options)
  const route = openApiRoute(openApi)
  const etagOf = async () => (await route.request('/openapi.json')).headers.get('ETag')
  const first = await etagOf()
  nowMs = Date.UTC(2026, 11, 31)
  expect(await etagOf()).toBe(first)
  expect(made).toBe(1)
  nowMs = Date.UTC(2027, 0, 1)
  expect(await etagOf()).not.toBe(first)
  expect(made).toBe(2)
  expect(openApi()).toBe(await (await route.request('/openapi.json')).text())
  // For people too: two spaces a level.
  expect(openApi()).toMatch(/^\{\n {2}"openapi": /)
})
