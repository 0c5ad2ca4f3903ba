import { expect, test } from 'vitest'
import { createOpenApi, openApiRoute } from './openapi-route.ts'

const served = ['POST /:tenantId/v1/credit-reports', 'GET /v1/fingerprints/:pinned{device@[A-Za-z0-9_-]{16}}']

async function serve(nowMs = Date.UTC(2026, 10, 15)) {
  const options = { publicUrl: 'https://reports.example', bureaus: ['alpha'], clock: () => nowMs, routes: () => served }
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
