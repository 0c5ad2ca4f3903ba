// docs/examples/plugin.mjs, run as printed on the built package: a plugin refuses checks at night, with words of its
// own.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { sampleRequest } from '../contract/samples.ts'
import { topUp } from '../service/ledger/ledger.ts'
import { createTenant } from '../service/ledger/tenants.ts'
import type { Database } from '../service/store/database.ts'
import { createClients } from '../service/tokens/clients.ts'

type Service = { database: Database; fetch(request: Request): Promise<Response> }
type Options = { tenantId: string; hourOf: () => number }

const ORIGIN = 'http://localhost:4100'
const folder = mkdtempSync(join(tmpdir(), 'example-'))
let hour = 3
let service: Service
beforeAll(async () => {
  const example = pathToFileURL('docs/examples/plugin.mjs').href
  const { createService } = (await import(/* @vite-ignore */ example)) as {
    createService(environment: object, options: Options): Promise<Service>
  }
  const environment = {
    DATA_DIR: folder,
    SECRET_KEY: 'a secret key for tests that is long enough',
    LOG_LEVEL: 'silent',
  }
  service = await createService(environment, { tenantId: 'acme', hourOf: () => hour })
  const { database } = service
  for (const id of ['acme', 'other']) {
    await createTenant(database, { id, name: id, nowMs: 1 })
    await topUp(database, { tenantId: id, credits: 1_000, reference: 'first', nowMs: 1 })
    await createClients({ database, clock: Date.now }).create(database, { id, tenantId: id, secret: `${id}-secret` })
  }
})
afterAll(async () => {
  await service.database.close()
  rmSync(folder, { recursive: true })
})

async function generate(tenantId: string) {
  const credentials = { grant_type: 'client_credentials', client_id: tenantId, client_secret: `${tenantId}-secret` }
  const token = await service.fetch(
    new Request(`${ORIGIN}/v1/oauth/token`, { method: 'POST', body: new URLSearchParams(credentials) }),
  )
  const { access_token } = (await token.json()) as { access_token: string }
  const { test: _mode, challengeOptions: _branch, ...consumer } = sampleRequest
  const response = await service.fetch(
    new Request(`${ORIGIN}/${tenantId}/v1/credit-reports`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${access_token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ ...consumer, lastName: 'Allow' }),
    }),
  )
  return { status: response.status, body: await response.json() }
}

test('the program of docs/operator serves its three plugins and no other', async () => {
  const [, program = ''] =
    /```js\n(import [^`]*startService[^`]*)```/.exec(readFileSync('docs/operator/operate.md', 'utf8')) ?? []
  expect(program.trim().split('\n').length).toBeLessThanOrEqual(15)
  const dataDir = mkdtempSync(join(tmpdir(), 'assembled-'))
  const env = { ...process.env, NODE_ENV: 'test', PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'silent' }
  const child = spawn(process.execPath, ['--input-type=module', '-'], { env, stdio: ['pipe', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  child.stdin.end(program)
  const [line] = await once(child.stdout, 'data')
  const document = await (await fetch(`${String(line).trim()}/openapi.json`)).json()
  child.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
  rmSync(dataDir, { recursive: true })
  const served = Object.keys(document.paths).join(' ')
  for (const path of ['/timeline', '/stats', '/v1/clients', '/otp-challenge']) expect(served).toContain(path)
  for (const path of ['/webhooks', '/audit', '/people', '/wallet/lines', '/caps']) expect(served).not.toContain(path)
})

const countReports = async (tenantId: string) =>
  (await service.database.all('SELECT id FROM credit_report WHERE tenant_id = ?', tenantId)).length

test('at night the lender reads why, and nothing is written or held', async () => {
  expect(await generate('acme')).toEqual({
    status: 403,
    body: { code: 'forbidden', message: 'checks for "acme" begin at 6 in the morning; try again then' },
  })
  expect(await countReports('acme')).toBe(0)
  const lines = await service.database.all('SELECT kind FROM wallet_line WHERE tenant_id = ?', 'acme')
  expect(lines).toEqual([{ kind: 'top-up' }])
})

test('another lender is served at night, and this one by day', async () => {
  expect((await generate('other')).status).toBe(200)
  hour = 9
  expect((await generate('acme')).status).toBe(200)
  expect([await countReports('acme'), await countReports('other')]).toEqual([1, 1])
})
