import { describe, expect, test } from 'vitest'
import { createEdge } from '../../service/http/edge.ts'
import { createSilentLog } from '../../service/log.ts'
import { createTestApp, liveRequest } from '../../testing/test-app.ts'
import { createMetrics } from './metrics.ts'
import { metricsRoute } from './metrics-route.ts'

function createApp() {
  const metrics = createMetrics()
  return { app: createEdge({ log: createSilentLog(), telemetry: metrics, https: false }), metrics }
}

describe('GET /metrics', () => {
  const from = (remoteAddress: string) => ({ incoming: { socket: { remoteAddress } } })
  const metricsToken = 'a-token-of-some-length'
  const right = { Authorization: `Bearer ${metricsToken}` }

  type Row = [name: string, token: string | null, address: string, headers: { [name: string]: string }, status: number]
  test.each<Row>([
    ['this machine may look', null, '127.0.0.1', {}, 200],
    ['this machine may look over IPv6', null, '::1', {}, 200],
    ['this machine may look over both', null, '::ffff:127.0.0.1', {}, 200],
    ['another machine may not', null, '10.0.0.9', {}, 404],
    ['another machine may not through a proxy on this one', null, '127.0.0.1', { 'X-Forwarded-For': '10.0.0.9' }, 404],
    ['the token opens it from anywhere', metricsToken, '10.0.0.9', right, 200],
    ['the wrong token does not', metricsToken, '10.0.0.9', { Authorization: 'Bearer x' }, 404],
    ['no token does not', metricsToken, '10.0.0.9', {}, 404],
    ['with a token set, this machine needs it too', metricsToken, '127.0.0.1', {}, 404],
  ])('%s', async (_name, token, address, headers, status) => {
    const { app, metrics } = createApp()
    app.route('/', metricsRoute({ metrics, token, publicUrl: 'http://localhost:4100', trustedHops: 0 }))
    const response = await app.request('/metrics', { headers }, from(address))
    expect(response.status).toBe(status)
    const type = status === 200 ? metrics.contentType : 'application/json'
    expect(response.headers.get('Content-Type')).toBe(type)
  })

  test.each([
    ['http://localhost:4100', 0, 200],
    ['http://127.0.0.1:4100', 0, 200],
    ['http://[::1]:4100', 0, 200],
    // A proxy on this machine may pass strangers on without a word about them.
    ['https://credit.example', 0, 404],
    ['http://localhost.example', 0, 404],
    ['https://credit.example', 1, 200],
  ])('to this machine, at %s with %i trusted hops: %i', async (publicUrl, trustedHops, status) => {
    const { app, metrics } = createApp()
    app.route('/', metricsRoute({ metrics, token: null, publicUrl, trustedHops }))
    expect((await app.request('/metrics', {}, from('127.0.0.1'))).status).toBe(status)
  })
})

test('a service tells what its database holds', async () => {
  const token = 'a-token-of-some-length'
  const app = await createTestApp({ environment: { METRICS_TOKEN: token } })
  await app.generate(liveRequest())
  const headers = { Authorization: `Bearer ${token}` }
  const answer = await app.fetch(new Request('http://service.test/metrics', { headers }))
  expect(await answer.text()).toContain('\ncrs_reports_open 1\n')
  await app.close()
})
