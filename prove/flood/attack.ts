// A child process: strangers on 32 connections, as fast as they are let, until the process is killed.
import { connect } from 'node:net'
import { createTestBrowser } from '../../testing/service-browser.ts'

/** The number of connections for each kind of request. */
const CONNECTIONS = { slow: 12, headers: 6, passwords: 8, strangers: 6 }
/** Half of a body, and then nothing more. */
const HALF_SENT_MS = 500

export async function run({ url }: { url: string }): Promise<void> {
  const { hostname, port } = new URL(url)
  const counts = { slow: 0, headers: 0, passwords: 0, strangers: 0 }

  /** One connection: sends the text, and waits for an answer or for so long. */
  const send = (text: string, waitMs: number) =>
    new Promise<void>((resolve) => {
      const socket = connect(Number(port), hostname)
      socket.setTimeout(waitMs, () => socket.destroy())
      socket.on('error', () => {}).on('close', () => resolve())
      socket.on('data', () => socket.destroy())
      socket.write(text)
    })

  const spaces = ' '.repeat(15_500)
  const attacks: { [name in keyof typeof CONNECTIONS]: () => Promise<unknown> } = {
    slow: () =>
      send(
        `POST /v1/oauth/token HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 900\r\n\r\ng`,
        HALF_SENT_MS,
      ),
    headers: () =>
      send(`GET /v1/fingerprints/device HTTP/1.1\r\nHost: x\r\nAccept-Encoding: br${spaces}x\r\n\r\n`, 5_000),
    async passwords() {
      // Every guess from another home, so that no limit per address ends it.
      const headers = { 'X-Forwarded-For': randomAddress() }
      const browser = createTestBrowser((request) => reach(request, headers), 'http://service.test')
      await browser.signIn(`nobody-${counts.passwords}@demo-lender.example`, 'a wrong password')
    },
    async strangers() {
      const headers = { Authorization: 'Bearer a.b.c', 'X-Forwarded-For': randomAddress() }
      const answer = await fetch(`${url}/demo-lender/v1/wallet`, { headers })
      await answer.arrayBuffer()
      const receipt = { method: 'POST', headers, body: '{"id":"x","status":"delivered"}' }
      await (await fetch(`${url}/v1/sms/receipts/http`, receipt)).arrayBuffer()
    },
  }

  async function reach(request: Request, headers: { [name: string]: string }): Promise<Response> {
    const { pathname, search } = new URL(request.url)
    const body = request.method === 'GET' ? {} : { body: await request.text() }
    return fetch(url + pathname + search, {
      method: request.method,
      headers: { ...Object.fromEntries(request.headers), ...headers },
      redirect: 'manual',
      ...body,
    })
  }

  async function repeat(name: keyof typeof CONNECTIONS): Promise<never> {
    for (;;) {
      await attacks[name]().catch(() => {})
      counts[name] += 1
    }
  }

  setInterval(() => process.stdout.write(`${JSON.stringify(counts)}\n`), 250)
  const names = ['slow', 'headers', 'passwords', 'strangers'] as const
  await Promise.all(names.flatMap((name) => Array.from({ length: CONNECTIONS[name] }, () => repeat(name))))
}

function randomAddress(): string {
  const part = () => Math.floor(Math.random() * 65_536).toString(16)
  return `2001:${part()}:${part()}:${part()}::1`
}
