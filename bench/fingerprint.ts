// What the fingerprint script costs a page: against an empty page, against the least any script with one round trip can cost, and
// against the libraries lenders use today. Every load is a fresh context, and in every round the variants take turns in a new order.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { type Browser, chromium } from '@playwright/test'
import { browserLaunchOptions } from '../scripts/ensure-browser.mjs'
import type { Row } from './row.ts'

const ROUNDS = 15
const PROFILES = [
  { name: 'desktop', slowdown: 1, startLimit: 1.3 },
  { name: 'phone', slowdown: 4, startLimit: 1.25 },
] as const

const SCRIPT_BYTES = 1_500
/** What browsers call a long task. */
const LONG_TASK_MS = 50
const CPU_RATIO_MAX = 0.07

const PEERS = { fingerprintjs: '@fingerprintjs/fingerprintjs@5.2.0', thumbmarkjs: '@thumbmarkjs/thumbmarkjs@1.11.0' }
const PEERS_FOLDER = 'node_modules/.cache/peers'

type Variant = 'blank' | 'floor' | 'ours' | keyof typeof PEERS
type Load = { cpuMs: number; scriptMs: number; answerMs: number }

export async function run(): Promise<Row[]> {
  const files = getPeers()
  const service = await startService()
  const site = await serve(files, new URL(service.url))
  const browser = await chromium.launch(browserLaunchOptions())
  try {
    const bytes = Number((await fetch(`${site.front}/v1/fingerprints/device`, BROTLI)).headers.get('Content-Length'))
    const peerBytes = brotliCompressSync(readFileSync(files['/fingerprintjs.js'] ?? '')).length
    const rows: Row[] = [
      row('script, brotli', bytes, 'B', 'a budget of', SCRIPT_BYTES, 1),
      row('script, brotli', bytes, 'B', 'FingerprintJS', peerBytes, null),
    ]
    for (const { name, slowdown, startLimit } of PROFILES) {
      const loads = await measure(browser, site.shop, slowdown)
      const middle = (variant: Variant, figure: keyof Load) => median(loads[variant].map((load) => load[figure]))
      const above = (variant: Variant, figure: 'cpuMs' | 'scriptMs') =>
        middle(variant, figure) - middle('blank', figure)
      const cpu = `main thread above a blank page, ${name}`
      const ours = above('ours', 'cpuMs')
      rows.push(
        row(cpu, ours, 'ms', 'FingerprintJS', above('fingerprintjs', 'cpuMs'), CPU_RATIO_MAX),
        row(cpu, ours, 'ms', 'ThumbmarkJS', above('thumbmarkjs', 'cpuMs'), null),
        row(cpu, ours, 'ms', 'one bare POST', above('floor', 'cpuMs'), null),
        row(`all its script time, ${name}`, above('ours', 'scriptMs'), 'ms', 'one long task', LONG_TASK_MS, 1),
        row(
          `start to callback, ${name}`,
          middle('ours', 'answerMs'),
          'ms',
          'one bare POST',
          middle('floor', 'answerMs'),
          startLimit,
        ),
      )
    }
    return rows
  } finally {
    await browser.close()
    await site.stop()
    await service.stop()
  }
}

function row(name: string, value: number, unit: string, against: string, floor: number, limit: number | null): Row {
  return { name, value, unit, against, floor, ratio: value / floor, limit }
}

async function measure(browser: Browser, shop: string, slowdown: number): Promise<{ [variant in Variant]: Load[] }> {
  const loads: { [variant in Variant]: Load[] } = { blank: [], floor: [], ours: [], fingerprintjs: [], thumbmarkjs: [] }
  const variants = Object.keys(loads) as Variant[]
  // The first round warms the disk, the service and the browser, and is not counted.
  for (let round = -1; round < ROUNDS; round++) {
    for (const variant of shuffled(variants)) {
      const load = await loadOnce(browser, `${shop}/${variant}`, slowdown)
      if (round >= 0) loads[variant].push(load)
    }
  }
  return loads
}

const SETTLE_MS = 150

async function loadOnce(browser: Browser, url: string, slowdown: number): Promise<Load> {
  const context = await browser.newContext(slowdown > 1 ? { viewport: { width: 390, height: 844 } } : {})
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
  // Time the thread really ran, so that a busy machine does not count against anyone.
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' })
  await page.goto(url)
  const answerMs = await page.evaluate<number>('done')
  await page.waitForTimeout(SETTLE_MS * slowdown)
  const { metrics } = await devtools.send('Performance.getMetrics')
  const figure = (name: string) => (metrics.find((metric) => metric.name === name)?.value ?? Number.NaN) * 1000
  const load = { cpuMs: figure('TaskDuration'), scriptMs: figure('ScriptDuration'), answerMs }
  await context.close()
  return load
}

/** `done` resolves to the milliseconds between the script's arrival and its answer. */
const page = (script: string, start: string) => `<!doctype html><meta charset="utf-8"><title>page</title>
  <link rel="icon" href="data:,">
  <script>
    var source = ${JSON.stringify(script)}, finish, done = new Promise((resolve) => { finish = resolve })
    function answered() {
      const answeredMs = performance.now()
      const [entry] = source ? performance.getEntriesByName(source) : []
      finish(entry ? answeredMs - entry.responseEnd : 0)
    }
    window.service = { deviceFingerprint: answered }
  </script>
  ${script && `<script src="${script}"></script>`}
  <script>${start}</script>
  <p>A page like any other.</p>`

/** The least a script can do that asks the service once and hands on the answer. */
const FLOOR = `(function () {
  var source = document.currentScript.src, request = new XMLHttpRequest()
  request.open('POST', source.replace('floor.js', 'v1/fingerprints/device/sessions'))
  request.withCredentials = true
  request.onload = function () { window.service.deviceFingerprint({ sessionId: request.responseText }) }
  request.send('')
})()`

type Site = { shop: string; front: string; stop(): Promise<void> }

/** The lender's page on one origin; the scripts and, passed on, the service on another. */
async function serve(files: { [path: string]: string }, service: URL): Promise<Site> {
  const front = await listen('127.0.0.1', (incoming, outgoing) => {
    const headers = { 'Content-Type': 'text/javascript', 'Timing-Allow-Origin': '*' }
    if (incoming.url === '/floor.js') return outgoing.writeHead(200, headers).end(FLOOR)
    const file = files[incoming.url ?? '']
    if (file) return outgoing.writeHead(200, headers).end(readFileSync(file))
    passOn(incoming, outgoing, service)
  })
  const at = `http://127.0.0.1:${portOf(front)}`
  const pages: { [path: string]: string } = {
    '/blank': page('', 'answered()'),
    '/floor': page(`${at}/floor.js`, ''),
    '/ours': page(`${at}/v1/fingerprints/device`, ''),
    '/fingerprintjs': page(
      `${at}/fingerprintjs.js`,
      'FingerprintJS.load({ monitoring: false }).then((agent) => agent.get()).then(answered)',
    ),
    '/thumbmarkjs': page(`${at}/thumbmarkjs.js`, 'new ThumbmarkJS.Thumbmark({ logging: false }).get().then(answered)'),
  }
  const shop = await listen('localhost', (incoming, outgoing) => {
    const html = pages[incoming.url ?? '']
    outgoing.writeHead(html ? 200 : 404, { 'Content-Type': 'text/html; charset=utf-8' }).end(html)
  })
  return {
    shop: `http://localhost:${portOf(shop)}`,
    front: at,
    async stop() {
      for (const server of [shop, front]) {
        server.closeAllConnections()
        server.close()
        await once(server, 'close')
      }
    },
  }
}

function passOn(incoming: IncomingMessage, outgoing: ServerResponse, { hostname, port }: URL): void {
  const { url, method, headers } = incoming
  const onward = request({ hostname, port, path: url, method, headers }, (response) => {
    outgoing.writeHead(response.statusCode ?? 502, response.headers)
    response.pipe(outgoing)
  })
  incoming.pipe(onward)
}

async function listen(host: string, handler: (incoming: IncomingMessage, outgoing: ServerResponse) => unknown) {
  const server = createServer(handler).listen(0, host)
  await once(server, 'listening')
  return server
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port
}

async function startService(): Promise<{ url: string; stop(): Promise<void> }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'bench-fingerprint-'))
  const environment = { DEMO: '1', PORT: '0', DATA_DIR: dataDir, LOG_LEVEL: 'error' }
  const child: ChildProcess = spawn(process.execPath, ['dist/node/service-main.js'], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(child.stdout ?? child, 'data')
  const url = /http:\S+/.exec(String(line))?.[0]
  if (!url) throw new Error('the service did not say where it listens')
  return {
    url: url.replace('localhost', '127.0.0.1'),
    async stop() {
      child.kill('SIGTERM')
      await once(child, 'exit')
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

/** Fetched when first needed: nothing else in the project depends on them. */
function getPeers(): { [path: string]: string } {
  const folder = join(PEERS_FOLDER, 'node_modules')
  const files = {
    '/fingerprintjs.js': join(folder, '@fingerprintjs/fingerprintjs/dist/fp.umd.min.js'),
    '/thumbmarkjs.js': join(folder, '@thumbmarkjs/thumbmarkjs/dist/thumbmark.umd.js'),
  }
  if (!Object.values(files).every(existsSync)) {
    const packages = Object.values(PEERS)
    execFileSync('npm', ['install', '--prefix', PEERS_FOLDER, '--no-save', '--no-audit', '--no-fund', ...packages], {
      stdio: ['ignore', 'ignore', 'inherit'],
    })
  }
  return files
}

const BROTLI = { headers: { 'Accept-Encoding': 'br' } }

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

function shuffled<T>(items: readonly T[]): T[] {
  return items
    .map((item) => ({ item, order: Math.random() }))
    .toSorted((a, b) => a.order - b.order)
    .map(({ item }) => item)
}
