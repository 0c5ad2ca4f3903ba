// docs/any-server.md: the receivers in PHP and Python, run as they stand where their interpreter is installed.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createWebhookSecret, signWebhook } from '../kit/webhook-signature.ts'
import { freePort } from '../testing/throwaway-postgres.ts'

const FOLDER = 'docs/examples/any-server'
const page = readFileSync('docs/any-server.md', 'utf8')
const STARTS: { [language: string]: (port: number) => [command: string, args: string[]] } = {
  php: (port) => ['php', ['-S', `127.0.0.1:${port}`, resolve(FOLDER, 'webhook.php')]],
  python3: () => ['python3', [resolve(FOLDER, 'webhook.py')]],
}
const installed = Object.keys(STARTS).filter(isInstalled)

function isInstalled(command: string): boolean {
  try {
    execFileSync(command, ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

test.each(['nginx.conf', 'webhook.php', 'webhook.py'])('the page shows %s word for word', (file) => {
  expect(page).toContain(`${readFileSync(join(FOLDER, file), 'utf8').trimEnd()}\n\`\`\``)
})

test('the page names every setting of the process', () => {
  const names = [...readFileSync('tenant-proxy/process.ts', 'utf8').matchAll(/'([A-Z]+(?:_[A-Z]+)*)'/g)].map(
    ([, name]) => name,
  )
  expect(names.length).toBeGreaterThan(12)
  expect(names.filter((name) => !page.includes(`\`${name}\``))).toEqual([])
})

const report = {
  creditReportId: '0199e3a0-0000-7000-8000-000000000001',
  status: 'complete',
  creditReport: { person: { firstName: 'Sam' } },
}

describe.each(installed)('%s', (language) => {
  const secret = createWebhookSecret()
  let folder: string
  let child: ChildProcess
  let url: string
  const service = createServer((request, response) => {
    const isToken = request.url === '/v1/oauth/token'
    const isAsked = request.url === `/acme/v1/credit-reports/${report.creditReportId}`
    const isKnown = isToken || (isAsked && request.headers.authorization === 'Bearer token')
    response.writeHead(isKnown ? 200 : 404, { 'Content-Type': 'application/json' })
    response.end(JSON.stringify(isToken ? { access_token: 'token' } : { data: report }))
  })

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'any-server-'))
    await new Promise<void>((done) => service.listen(0, '127.0.0.1', done))
    const port = await freePort()
    url = `http://127.0.0.1:${port}/credit-report-webhook`
    const env = {
      ...process.env,
      PORT: String(port),
      WEBHOOK_SECRETS: `${createWebhookSecret()} ${secret}`,
      CREDIT_SERVICE_URL: `http://127.0.0.1:${(service.address() as AddressInfo).port}`,
      TENANT_ID: 'acme',
      CLIENT_ID: 'acme',
      CLIENT_SECRET: 'secret',
      REPORTS: folder,
    }
    const [command, args] = STARTS[language]?.(port) ?? ['', []]
    child = spawn(command, args, { env, stdio: 'ignore' })
    await listening(port)
  })
  afterEach(() => {
    child.kill('SIGKILL')
    service.close()
    service.closeAllConnections()
    rmSync(folder, { recursive: true })
  })

  async function send(change: { timestampSeconds?: number; body?: string; secret?: string } = {}): Promise<number> {
    const data = { tenantId: 'acme', creditReportId: report.creditReportId, status: 'complete', test: false }
    const body = JSON.stringify({ type: 'credit-report.completed', timestamp: new Date().toISOString(), data })
    const timestampSeconds = change.timestampSeconds ?? Math.floor(Date.now() / 1000)
    const message = { id: 'msg_1', timestampSeconds, body: Buffer.from(body) }
    const headers = { 'Content-Type': 'application/json', ...signWebhook([change.secret ?? secret], message) }
    return (await fetch(url, { method: 'POST', headers, body: change.body ?? body })).status
  }

  test('a signed event brings the report; a forged, changed or old one brings nothing', async () => {
    const file = join(folder, `${report.creditReportId}.json`)
    expect(await send({ secret: createWebhookSecret() })).toBe(400)
    expect(await send({ body: '{"type":"credit-report.completed"}' })).toBe(400)
    expect(await send({ timestampSeconds: Math.floor(Date.now() / 1000) - 600 })).toBe(400)
    expect(existsSync(file)).toBe(false)
    expect(await send()).toBe(204)
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(report)
  })
})

async function listening(port: number): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    const isThere = await fetch(`http://127.0.0.1:${port}/`).then(
      () => true,
      () => false,
    )
    if (isThere) return
    await sleep(50)
  }
}
