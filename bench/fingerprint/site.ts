// A lender's page on one origin; on another the scripts and, passed on, the built service.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export type Variant = 'blank' | 'floor' | 'ours' | 'fingerprintjs' | 'thumbmarkjs'

export type Site = {
  /**
   * A page on which `start(variant)` adds a script and resolves to the milliseconds between its arrival and its answer.
   */
  page: string
  /** Our script. */
  device: string
  stop(): Promise<void>
}

/** `peers` are files by variant. A peer that is missing is not served. */
export async function openSite(peers: { [variant: string]: string }): Promise<Site> {
  const service = await startService()
  const front = await listen('127.0.0.1', (incoming, outgoing) => {
    const name = /^\/(\w+)\.js$/.exec(incoming.url ?? '')?.[1] ?? ''
    const headers = { 'Content-Type': 'text/javascript', 'Timing-Allow-Origin': '*' }
    if (name === 'floor') return outgoing.writeHead(200, headers).end(FLOOR)
    const file = peers[name]
    if (file) return outgoing.writeHead(200, headers).end(readFileSync(file))
    passOn(incoming, outgoing, new URL(service.url))
  })
  const at = `http://127.0.0.1:${portOf(front)}`
  const html = pageFor({
    blank: '',
    floor: `${at}/floor.js`,
    ours: `${at}/v1/fingerprints/device`,
    fingerprintjs: `${at}/fingerprintjs.js`,
    thumbmarkjs: `${at}/thumbmarkjs.js`,
  })
  const shop = await listen('localhost', (_incoming, outgoing) => {
    outgoing.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' }).end(html)
  })
  return {
    page: `http://localhost:${portOf(shop)}`,
    device: `${at}/v1/fingerprints/device`,
    async stop() {
      for (const server of [shop, front]) {
        server.closeAllConnections()
        server.close()
        await once(server, 'close')
      }
      await service.stop()
    },
  }
}

const pageFor = (sources: { [variant in Variant]: string }) => `<!doctype html><meta charset="utf-8"><title>page</title>
  <link rel="icon" href="data:,">
  <script>
    const sources = ${JSON.stringify(sources)}
    const whenLoaded = {
      fingerprintjs: () => FingerprintJS.load({ monitoring: false }).then((agent) => agent.get()).then(answered),
      thumbmarkjs: () => new ThumbmarkJS.Thumbmark({ logging: false }).get().then(answered),
    }
    let answered
    window.service = { deviceFingerprint: () => answered() }
    const start = (variant) => new Promise((resolve) => {
      const src = sources[variant]
      answered = () => {
        const answeredMs = performance.now()
        const [entry] = performance.getEntriesByName(src)
        resolve(entry ? answeredMs - entry.responseEnd : 0)
      }
      if (!src) return answered()
      document.head.append(Object.assign(document.createElement('script'), { src, onload: whenLoaded[variant] }))
    })
  </script>
  <p>A page like any other.</p>`

/** The least a script can do that asks the service once and hands on the answer. */
const FLOOR = `(function () {
  var source = document.currentScript.src, request = new XMLHttpRequest()
  request.open('POST', source.replace('floor.js', 'v1/fingerprints/device/sessions'))
  request.onload = function () { window.service.deviceFingerprint({ sessionId: request.responseText }) }
  request.send('')
})()`

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
  const child: ChildProcess = spawn(process.execPath, ['dist/programs/demo-service.js'], {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(child.stdout ?? child, 'data')
  const url = /"url":"(http:[^"]+)"/.exec(String(line))?.[1]
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
