// The time that the tenant proxy adds to a check: the same request to the built service, straight and through the built
// proxy, taking turns. Three processes, as in production: this one is the browser, one is the lender's server, one is
// the service. The lender's has a core to itself; the other two never work at the same time.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { fetchPeers } from '../scripts/fetch-peers.mjs'
import { fetchNodes } from '../scripts/node-versions.mjs'
import { commandOn, keptOn } from './cores.ts'
import { absolute, compare, median } from './measure.ts'
import type { Row } from './row.ts'
import { PROXY } from './targets.ts'

const ROUNDS = 600
/**
 * A lender's server runs for weeks. After 2,000 rounds Node is still compiling, and a twentieth of a millisecond
 * slower.
 */
const WARM_UP_ROUNDS = 6_000
const SERVICE_PATH = '/demo-lender/v1/credit-reports'
const LENDER_CORE = 0
const OTHER_CORE = 1
/**
 * If a hop that only forwards takes longer than this, the machine is busy with something else and a millisecond means
 * nothing.
 */
const QUIET_HOP_MS = 0.4
const BUN_VERSION = '1.4.4'

export async function run(): Promise<Row[]> {
  const own = await measure(process.execPath)
  const others: Row[] = []
  for (const [name, program] of otherRuntimes())
    others.push(overHop(`time added on ${name}, p50`, await measure(program)))
  const { straightMs, hopMs, addedMs } = own
  const added = absolute('time added, p50', addedMs, 'ms', PROXY.addedMs)
  return [
    { ...added, target: hopMs <= QUIET_HOP_MS ? (added.target ?? null) : null },
    overHop('time added, p50', own),
    ...others,
    compare('a whole request, p50', {
      value: straightMs + addedMs,
      unit: 'ms',
      against: 'straight to the service',
      floor: straightMs,
    }),
  ]
}

function overHop(name: string, { addedMs, hopMs }: Times): Row {
  const against = 'a hop that only forwards'
  return compare(name, { value: addedMs, unit: 'ms', against, floor: hopMs, target: PROXY.ofHop })
}

/** Runtimes of lenders besides this Node, as far as npm has them for this machine. */
function otherRuntimes(): [name: string, program: string][] {
  const bunPackage = `@oven/bun-${process.platform}-${process.arch === 'arm64' ? 'aarch64' : process.arch}`
  const bun = fetchPeers('bun', [`${bunPackage}@${BUN_VERSION}`])
  const nodes = fetchNodes().filter(({ version }) => version.startsWith('24.'))
  const runtimes = nodes.map(({ version, path }): [string, string] => [`Node ${version}`, path])
  if (bun !== null) runtimes.push([`Bun ${BUN_VERSION}`, resolve(bun, bunPackage, 'bin/bun')])
  return runtimes
}

type Times = { straightMs: number; hopMs: number; addedMs: number }

/** With the lender's server on `program`; the service is always on this Node. */
async function measure(program: string): Promise<Times> {
  const dataDir = mkdtempSync(join(tmpdir(), 'bench-proxy-'))
  const environment = { DEMO: '1', PORT: '0', DATA_DIR: dataDir, RATE_LIMIT_PER_MINUTE: '1000000', LOG_LEVEL: 'error' }
  const service = await start(commandOn(OTHER_CORE), ['dist/programs/demo-service.js'], environment)
  const script = join(dataDir, 'lender.mjs')
  writeFileSync(script, LENDER)
  const lender = await start(commandOn(LENDER_CORE, program), [script], { SERVICE: service.url })
  try {
    const token = await signIn(service.url)
    // A browser that keeps cookies: without one the proxy spends nothing.
    const { headers } = await fetch(`${lender.url}/credit-reports/current`)
    const cookie = headers.getSetCookie().map((line) => line.split(';')[0])
    const browser = { Origin: lender.url, 'Sec-Fetch-Site': 'same-origin', Cookie: cookie.join('; ') }
    const authorized = { Authorization: `Bearer ${token}` }
    const ways = {
      straight: () => send(`${service.url}${SERVICE_PATH}`, authorized, REQUEST),
      forwarded: () => send(`${lender.url}${SERVICE_PATH}`, authorized, REQUEST),
      proxied: () => send(`${lender.url}/credit-reports`, browser, DETAILS),
    }
    const takenMs = { straight: [] as number[], forwarded: [] as number[], proxied: [] as number[] }
    await keptOn(OTHER_CORE, async () => {
      for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round += 1) {
        for (const way of ['straight', 'forwarded', 'proxied'] as const) {
          const ms = await ways[way]()
          if (round >= 0) takenMs[way].push(ms)
        }
      }
    })
    const straightMs = median(takenMs.straight)
    return {
      straightMs,
      hopMs: median(takenMs.forwarded) - straightMs,
      addedMs: median(takenMs.proxied) - straightMs,
    }
  } finally {
    for (const { child } of [lender, service]) {
      child.kill('SIGTERM')
      await once(child, 'exit')
    }
    rmSync(dataDir, { recursive: true, force: true })
  }
}

// The lender's server: the proxy on its mount, and on every other path a hop that only forwards, to compare with.
const LENDER = `
  import { Agent, createServer, request } from 'node:http'
  import { createTenantProxy, toNodeHandler } from '${pathToFileURL('dist/lender/tenant-proxy.js').href}'
  const handle = toNodeHandler(createTenantProxy({
    service: process.env.SERVICE,
    tenantId: 'demo-lender',
    credentials: { clientId: 'demo-lender', clientSecret: 'demo-secret' },
    test: 'challenge',
    limits: { generatesMax: 1e9, writesMax: 1e9 },
  }))
  const agent = new Agent({ keepAlive: true })
  const forward = (incoming, outgoing) => {
    const { method, headers } = incoming
    incoming.pipe(request(process.env.SERVICE + incoming.url, { method, headers, agent }, (answer) => {
      outgoing.writeHead(answer.statusCode, answer.headers)
      answer.pipe(outgoing)
    }))
  }
  const server = createServer((incoming, outgoing) => handle(incoming, outgoing, () => forward(incoming, outgoing)))
  server.listen(0, '127.0.0.1', () => console.log('lender: http://localhost:' + server.address().port))
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
  const answer = await response.text()
  if (response.status !== 200) throw new Error(`${url} answered ${response.status}: ${answer}`)
  return performance.now() - startedMs
}

async function signIn(url: string): Promise<string> {
  const form = { grant_type: 'client_credentials', client_id: 'demo-lender', client_secret: 'demo-secret' }
  const response = await fetch(`${url}/v1/oauth/token`, { method: 'POST', body: new URLSearchParams(form) })
  return String((await response.json()).access_token)
}

async function start(
  [command, ...before]: [string, ...string[]],
  args: string[],
  environment: Record<string, string>,
): Promise<{ url: string; child: ChildProcess }> {
  const child = spawn(command, [...before, ...args], { env: { ...process.env, NODE_ENV: 'test', ...environment } })
  let said = ''
  for await (const chunk of child.stdout) {
    said += chunk
    const url = /http:\/\/localhost:(\d+)["\n]/.exec(said)?.[1]
    if (url) return { url: `http://localhost:${url}`, child }
  }
  throw new Error(`${args[0]} did not start: ${said}`)
}
