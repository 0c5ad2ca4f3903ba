// What the tenant proxy adds to a check: the same request to the built service, straight and through the built proxy, taking turns.
// Three processes, as in production: this one is the browser, one is the lender's server, one is the service.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Row } from './row.ts'

const PAIRS = 600
const WARM_UP_PAIRS = 100
/** What a consumer may be made to wait for the lender's side of it. */
const BUDGET_MS = 1

export async function run(): Promise<Row[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'bench-proxy-'))
  const environment = { DEMO: '1', PORT: '0', DATA_DIR: dataDir, RATE_LIMIT_PER_MINUTE: '1000000', LOG_LEVEL: 'error' }
  const service = await start(['dist/node/service-main.js'], environment)
  const lender = await start(['--input-type=module', '--eval', LENDER], { SERVICE: service.url })
  try {
    const token = await signIn(service.url)
    const direct = () =>
      send(`${service.url}/demo-lender/v1/credit-reports`, { Authorization: `Bearer ${token}` }, REQUEST)
    const through = () => send(`${lender.url}/credit-reports`, { Origin: lender.url }, DETAILS)
    const directMs: number[] = []
    const throughMs: number[] = []
    for (let pair = -WARM_UP_PAIRS; pair < PAIRS; pair += 1) {
      const [one, other] = [await direct(), await through()]
      if (pair < 0) continue
      directMs.push(one)
      throughMs.push(other)
    }
    const [straight, proxied] = [median(directMs), median(throughMs)]
    const added = proxied - straight
    return [
      {
        name: 'time added, p50',
        value: added,
        unit: 'ms',
        against: 'a budget of',
        floor: BUDGET_MS,
        ratio: added / BUDGET_MS,
        limit: 1,
      },
      {
        name: 'a check, p50',
        value: proxied,
        unit: 'ms',
        against: 'straight to the service',
        floor: straight,
        ratio: proxied / straight,
        limit: null,
      },
    ]
  } finally {
    for (const { child } of [lender, service]) {
      child.kill('SIGTERM')
      await once(child, 'exit')
    }
    rmSync(dataDir, { recursive: true, force: true })
  }
}

const LENDER = `
  import { createServer } from 'node:http'
  import { createTenantProxy, toNodeHandler } from './dist/node/tenant-proxy.js'
  const proxy = createTenantProxy({
    service: process.env.SERVICE,
    tenantId: 'demo-lender',
    credentials: { clientId: 'demo-lender', clientSecret: 'demo-secret' },
    test: 'challenge',
    limits: { generatesMax: 1e9, writesMax: 1e9 },
  })
  const server = createServer(toNodeHandler(proxy)).listen(0, '127.0.0.1', () => {
    console.log('lender: http://localhost:' + server.address().port)
  })
  process.on('SIGTERM', () => process.exit(0))
`

const DETAILS = {
  sessionId: 'bench',
  firstName: 'Sam',
  lastName: 'Example',
  dateOfBirth: '1985-03-27',
  addresses: [{ type: 'current', ukAddress: { buildingNumber: '10', townOrCity: 'Ambleford', postcode: 'SW1A 1AA' } }],
  mobileNumber: '+447700900123',
  email: 'test003@example.com',
}
const REQUEST = {
  ...DETAILS,
  bureaus: ['equifax', 'experian', 'transunion'],
  ipAddress: '127.0.0.1',
  searchType: 'pcp',
  test: true,
  challengeOptions: { status: 'challenge' },
}

async function send(url: string, headers: Record<string, string>, body: object): Promise<number> {
  const startedMs = performance.now()
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Idempotency-Key': crypto.randomUUID(), ...headers },
    body: JSON.stringify(body),
  })
  await response.text()
  if (response.status !== 200) throw new Error(`${url} answered ${response.status}`)
  return performance.now() - startedMs
}

async function signIn(url: string): Promise<string> {
  const form = { grant_type: 'client_credentials', client_id: 'demo-lender', client_secret: 'demo-secret' }
  const response = await fetch(`${url}/v1/oauth/token`, { method: 'POST', body: new URLSearchParams(form) })
  return String((await response.json()).access_token)
}

async function start(
  args: string[],
  environment: Record<string, string>,
): Promise<{ url: string; child: ChildProcess }> {
  const child = spawn(process.execPath, args, { env: { ...process.env, NODE_ENV: 'test', ...environment } })
  let said = ''
  for await (const chunk of child.stdout) {
    said += chunk
    const url = /^\w+: http:\/\/localhost:(\d+)$/m.exec(said)?.[1]
    if (url) return { url: `http://localhost:${url}`, child }
  }
  throw new Error(`${args[0]} did not start: ${said}`)
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN
}
