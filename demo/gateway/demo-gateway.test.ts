import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readConfig } from '../../plugins/settings.ts'
import { createSilentLog } from '../../service/log.ts'
import { liveRequest, TEST_SECRET_KEY } from '../../testing/test-app.ts'
import { startDemoService } from '../service/start.ts'

test('the demo’s gateway plays every part over the network, and misbehaves on request', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'demo-gateway-'))
  // Receipts come back to the address the service knows itself by, so its port must be known before.
  const PORT = String(await freePort())
  const environment = { DEMO: '1', DEMO_GATEWAY: '1', DATA_DIR: folder, SECRET_KEY: TEST_SECRET_KEY, PORT }
  const { url, stop } = await startDemoService({ config: readConfig(environment), log: createSilentLog(), environment })
  try {
    const token = await signIn(url)
    const post = async (path: string, body: unknown) => {
      const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
      const response = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
      return { status: response.status, body: await response.json() }
    }
    const started = await post('/demo-lender/v1/credit-reports', liveRequest())
    expect(started.body.data.status).toBe('authentication-required')

    const [text] = await (await fetch(`${url}/demo/sms`)).json()
    expect(text).toMatchObject({ creditReportId: started.body.data.creditReportId, to: liveRequest().mobileNumber })
    expect(await (await fetch(`${url}/demo/gateway`)).json()).toMatchObject({ calls: { risk: 1, sms: 1 }, texts: 1 })

    // The gateway's receipt arrives by itself, and the text's credits are spent: only the report's are still held.
    const wallet = async () => {
      const headers = { Authorization: `Bearer ${token}` }
      return (await (await fetch(`${url}/demo-lender/v1/wallet`, { headers })).json()).data.heldCredits
    }
    await expect.poll(wallet).toBe(500)

    await post('/demo/gateway', { provider: 'risk', fault: { kind: 'garbage' } })
    expect((await post('/demo-lender/v1/credit-reports', liveRequest())).status).toBe(503)
    await post('/demo/gateway', { provider: 'risk', fault: null })
    expect((await post('/demo-lender/v1/credit-reports', liveRequest('Allow'))).status).toBe(200)
    expect((await post('/demo/gateway', { provider: 'unknown', fault: null })).status).toBe(400)
  } finally {
    await stop()
    rmSync(folder, { recursive: true, force: true })
  }
})

async function signIn(url: string): Promise<string> {
  const credentials = { grant_type: 'client_credentials', client_id: 'demo-lender', client_secret: 'demo-secret' }
  const response = await fetch(`${url}/v1/oauth/token`, { method: 'POST', body: new URLSearchParams(credentials) })
  return (await response.json()).access_token
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer()
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}
