// The gates in front of the routes, in one process; gate.test.ts and shed.test.ts have the rest.
import { describe, expect, test } from 'vitest'
import { createEdge } from '../../service/http/edge.ts'
import { createSilentLog } from '../../service/log.ts'
import { createMetrics } from '../metrics/metrics.ts'
import { createGate, type Gate } from './gate.ts'
import { shed } from './shed.ts'

function createApp({ gate }: { gate: Gate }) {
  const metrics = createMetrics()
  const around = [shed({ lenders: gate, anyone: gate, receipts: gate }, metrics)]
  const app = createEdge({ log: createSilentLog(), telemetry: metrics, https: false, around })
  app.get('/things/:id', (context) => context.json({}))
  app.get('/bug', () => {
    throw new TypeError('a bug')
  })
  return { app, metrics }
}

describe('under more load than it can take', () => {
  const full: Gate = { enter: () => Promise.resolve(false), leave() {}, load: () => ({ running: 9, waiting: 9 }) }

  test('a request is sent away for a moment', async () => {
    const { app, metrics } = createApp({ gate: full })
    const response = await app.request('/things/7')
    expect(response.status).toBe(503)
    expect((await response.json()).code).toBe('unavailable')
    expect(response.headers.get('Retry-After')).toBe('2')
    expect(await metrics.render()).toContain('crs_http_requests_shed_total{urgency="normal"} 1')
  })

  test.each(['/things/7', '/bug', '/nowhere'])('the place of %s is free again afterwards', async (path) => {
    const gate = createGate()
    await createApp({ gate }).app.request(path)
    expect(gate.load()).toEqual({ running: 0, waiting: 0 })
  })
})
