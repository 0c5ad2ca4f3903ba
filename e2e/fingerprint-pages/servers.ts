// Two origins for the fingerprint script to meet: a lender's pages, and the real service behind a front that can
// misbehave.
//
//   http://localhost:…/{case}            the page of a case, with whatever headers it asks for
//   http://127.0.0.1:…/{case}/v1/…       the service, as that case sees it: every request noted, faults on demand
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The treatment of one request for a session. */
export type Fault = 'pass' | 'reset' | 'hang' | { status: number } | { answer: string } | { delayMs: number }

type Seen = { method: string; url: string; headers: IncomingHttpHeaders; body: string; answer: string }

export type Case = {
  /** The address of the script. */
  device: string
  /** Every request but those for the script itself. */
  asked: Seen[]
  /** Taken one by one by requests for a session; the last one stays. Empty: everything passes. */
  faults: Fault[]
  /** Puts a page up and gives its address. */
  serve(html: string, headers?: { [name: string]: string }): string
}

export type Stage = {
  service: string
  newCase(): Case
  /** Requests to the service's own address, without a case: a script that could not see its own tag asks there. */
  direct: Case
  stop(): Promise<void>
}

const root = fileURLToPath(new URL('../../', import.meta.url))

/** Files that pages may load from their own origin. */
const VENDOR: { [path: string]: string } = {
  '/vendor/zone.js': 'node_modules/zone.js/bundles/zone.umd.js',
  '/vendor/prototype-like.js': 'e2e/fingerprint-pages/prototype-like.js',
  '/vendor/mootools-like.js': 'e2e/fingerprint-pages/mootools-like.js',
}

export async function startStage(): Promise<Stage> {
  const cases = new Map<string, Case>()
  const pages = new Map<string, { html: string; headers: { [name: string]: string } }>()
  let upstreamPort = 0

  const shop = await listen('localhost', (incoming, outgoing) => {
    const path = incoming.url?.split('?')[0] ?? ''
    const file = VENDOR[path]
    if (file) return send(outgoing, 200, { 'Content-Type': 'text/javascript' }, readFileSync(join(root, file)))
    const page = pages.get(path)
    // Browsers ask for an icon too, and would complain about a 404.
    if (!page) return send(outgoing, path === '/favicon.ico' ? 204 : 404, {}, '')
    send(outgoing, 200, { 'Content-Type': 'text/html; charset=utf-8', ...page.headers }, page.html)
  })

  const front = await listen('127.0.0.1', async (incoming, outgoing) => {
    const [, id = '', path = ''] = /^\/(?:(case-\d+)\/)?(.*)$/.exec(incoming.url ?? '') ?? []
    const scene = cases.get(id)
    if (!scene) return send(outgoing, 404, {}, '')
    const body = await read(incoming)
    const isAsking = path.includes('/sessions') || path.includes('?m=1')
    const fault = (isAsking && incoming.method !== 'OPTIONS' && nextOf(scene.faults)) || 'pass'
    const seen = { method: incoming.method ?? '', url: `/${path}`, headers: incoming.headers, body, answer: '' }
    if (isAsking) scene.asked.push(seen)

    if (fault === 'hang') return
    if (fault === 'reset') return incoming.socket.destroy()
    if (typeof fault === 'object' && 'delayMs' in fault) await new Promise((go) => setTimeout(go, fault.delayMs))
    const { status, headers, bytes } = await forward(upstreamPort, incoming, `/${path}`, body)
    const allowed = { ...headers }
    if (typeof fault === 'object' && 'status' in fault) return send(outgoing, fault.status, allowed, 'a fault')
    if (typeof fault === 'object' && 'answer' in fault) return send(outgoing, 200, allowed, fault.answer)
    seen.answer = bytes.toString('utf8')
    send(outgoing, status, headers, bytes)
  })

  const origins = { shop: `http://localhost:${portOf(shop)}`, front: `http://127.0.0.1:${portOf(front)}` }
  const service = await startService(origins.front)
  upstreamPort = service.port

  const addCase = (id: string): Case => {
    const scene: Case = {
      device: `${origins.front}/${id && `${id}/`}v1/fingerprints/device`,
      asked: [],
      faults: [],
      serve(html, headers = {}) {
        const path = `/${id}-page-${pages.size}`
        pages.set(path, { html, headers })
        return origins.shop + path
      },
    }
    cases.set(id, scene)
    return scene
  }
  return {
    service: `http://127.0.0.1:${service.port}`,
    direct: addCase(''),
    newCase: () => addCase(`case-${cases.size}`),
    async stop() {
      await service.stop()
      for (const server of [shop, front]) {
        server.closeAllConnections()
        await new Promise((done) => server.close(done))
      }
    },
  }
}

function nextOf(faults: Fault[]): Fault | undefined {
  return faults.length > 1 ? faults.shift() : faults[0]
}

type Handler = (incoming: IncomingMessage, outgoing: ServerResponse) => unknown

function listen(host: string, handler: Handler): Promise<Server> {
  const server = createServer(handler)
  return new Promise((ready) => server.listen(0, host, () => ready(server)))
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port
}

function send(outgoing: ServerResponse, status: number, headers: object, body: string | Buffer): void {
  const { 'content-length': _, 'transfer-encoding': __, ...kept } = headers as IncomingHttpHeaders
  outgoing.writeHead(status, { ...kept, 'Content-Length': Buffer.byteLength(body) })
  outgoing.end(body)
}

async function read(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

type Answer = { status: number; headers: IncomingHttpHeaders; bytes: Buffer }

function forward(port: number, incoming: IncomingMessage, path: string, body: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const { host: _, ...headers } = incoming.headers
    const { method } = incoming
    const outgoing = request({ host: '127.0.0.1', port, path, method, headers }, async (response) => {
      const chunks: Buffer[] = []
      for await (const chunk of response) chunks.push(chunk)
      resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes: Buffer.concat(chunks) })
    })
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}

async function startService(publicUrl: string): Promise<{ port: number; stop(): Promise<void> }> {
  const folder = mkdtempSync(join(tmpdir(), 'fingerprint-'))
  const settings = { PORT: '0', HOST: '127.0.0.1', DATA_DIR: folder, DATABASE_URL: '', DEMO: '1', LOG_LEVEL: 'error' }
  const child = spawn(process.execPath, [join(root, 'dist/programs/demo-service.js')], {
    env: { ...process.env, ...settings, PUBLIC_URL: publicUrl },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  // It says where it listens as soon as it does.
  const [said] = await Promise.race([once(child.stdout, 'data'), ended])
  const [, port] = /"url":"http:.*:(\d+)"/.exec(String(said)) ?? []
  if (port === undefined) throw new Error('the service did not start; has it been built? (npm run build)')
  return {
    port: Number(port),
    async stop() {
      child.kill('SIGTERM')
      await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
