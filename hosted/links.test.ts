import { afterAll, beforeAll, expect, test } from 'vitest'
import { ORIGIN, startTestService, type TestService } from '../testing/portal-service.ts'

let service: TestService
let token: string
beforeAll(async () => {
  service = await startTestService()
  token = await service.tokenOf('demo-lender', 'demo-secret')
})
afterAll(() => service.stop())

async function call(route: string, body?: object, headers: { [name: string]: string } = {}) {
  const [method = '', path = ''] = route.split(' ')
  const response = await service.fetch(
    new Request(`${ORIGIN}/demo-lender/v1${path}`, {
      method,
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', ...headers },
      ...(body && { body: JSON.stringify(body) }),
    }),
  )
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text && JSON.parse(text) }
}

test('a link is made, read, listed and revoked', async () => {
  const made = await call('POST /links', { externalReference: 'order-1', expiresInMinutes: 60, test: true })
  console.log(made.status, JSON.stringify(made.body))
  const read = await call(`GET /links/${made.body.data.linkId}`)
  console.log(JSON.stringify(read.body))
  const list = await call(`GET /links?limit=1`)
  console.log(JSON.stringify(list.body))
  const url = made.body.data.url
  const page = await service.fetch(new Request(url))
  console.log(page.status, [...page.headers], await page.text())
  const cookie = page.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const env = { incoming: { socket: { remoteAddress: '203.0.113.9' } } }
  const cur = await service.fetch(new Request(`${url}/check/current`, { headers: { Cookie: cookie } }), env)
  console.log(cur.status, await cur.text())
})
