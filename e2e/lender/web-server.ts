// The web server in front of a lender's: it has the pages, passes everything below the mount on, and loses what the
// test says.
//
//   browser ──▶ front ──▶ the lender's process ──▶ the service's process
//                 └── pages
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { cutOff } from '../cut-off.ts'
import { answerPage, type PageOptions } from '../widget-pages/host-page.ts'

export type Front = {
  origin: string
  /** The process that answers below the mount; another one after a deploy. */
  upstream: string
  /** Puts a page up and gives its address. */
  page(options?: PageOptions): string
  /** Puts a script up at a path. */
  script(path: string, code: string): void
  /** Everything that was asked for below the mount, lost or not. */
  seen: Seen[]
  /** Decides what happens to each request below the mount. */
  disturb: (asked: Seen) => Loss | undefined
  /** The same for steps and drafts, which go beside a check and are no part of it. */
  disturbBeside: (asked: Seen) => Loss | undefined
  /** False as if the browser sent none. */
  keepsCookies: boolean
  close(): Promise<void>
}

export type Seen = { method: string; path: string; body: string }
/**
 * Lost on the way there: nothing happens. Lost on the way back: it happened, and the browser does not know. Held: the
 * browser waits for as long as its page is there. A number: the browser has the headers and this share of the body.
 */
export type Loss = 'request' | 'answer' | 'held-request' | 'held-answer' | number | Instead
/** Something in front answers in the lender's place: a gateway, a captive portal, a cache, a sign-in. */
type Instead = { status: number; body?: string; location?: string }

export async function startFront(upstream: string): Promise<Front> {
  const pages: PageOptions[] = []
  const scripts = new Map<string, string>()
  const server = createServer((incoming, outgoing) => {
    answer(incoming, outgoing).catch(() => outgoing.destroy())
  })

  async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { method = 'GET', url: path = '/' } = incoming
    if (path.startsWith('/page/')) return answerPage(pages[Number.parseInt(path.slice('/page/'.length), 10)], outgoing)
    const code = scripts.get(path)
    if (code !== undefined) return void outgoing.writeHead(200, { 'Content-Type': 'text/javascript' }).end(code)
    if (!path.startsWith('/credit-reports')) return void outgoing.writeHead(404).end()
    const body = await read(incoming)
    const asked = { method, path, body: body.toString() }
    const isBeside = /\/(?:steps|draft)$/.test(path)
    if (!isBeside) front.seen.push(asked)
    const loss = isBeside ? front.disturbBeside(asked) : front.disturb(asked)
    if (typeof loss === 'object') return answerInstead(outgoing, loss)
    if (loss === 'request') return cutOff(outgoing)
    if (loss === 'held-request') return
    if (!front.keepsCookies) delete incoming.headers.cookie
    const upstreamAnswer = await pass(incoming, body, front.upstream)
    if (loss === 'answer') return cutOff(outgoing)
    if (loss === 'held-answer') return
    outgoing.writeHead(upstreamAnswer.statusCode ?? 502, upstreamAnswer.headers)
    if (typeof loss === 'number') {
      const whole = await read(upstreamAnswer)
      return void outgoing.write(whole.subarray(0, whole.length * loss), () => outgoing.destroy())
    }
    upstreamAnswer.pipe(outgoing)
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`
  const front: Front = {
    origin,
    upstream,
    page: (options = {}) => `${origin}/page/${pages.push(options) - 1}`,
    script: (path, code) => void scripts.set(path, code),
    seen: [],
    disturb: () => undefined,
    disturbBeside: () => undefined,
    keepsCookies: true,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
  return front
}

function answerInstead(outgoing: ServerResponse, { status, body = '', location }: Instead): void {
  outgoing.writeHead(status, { 'Content-Type': 'text/html', ...(location && { Location: location }) }).end(body)
}

function pass(incoming: IncomingMessage, body: Buffer, upstream: string): Promise<IncomingMessage> {
  const { method, url = '/', headers } = incoming
  return new Promise((resolve, reject) => {
    // A connection each: one kept from before could be of a process that has gone, and its loss a second request in the
    // widget's name.
    request(new URL(url, upstream), { method, headers, agent: false }, resolve).on('error', reject).end(body)
  })
}

async function read(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk)
  return Buffer.concat(chunks)
}
