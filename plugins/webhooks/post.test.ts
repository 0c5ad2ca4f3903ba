// One webhook against receivers that behave and that do not, over real sockets.
import type { IncomingMessage } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Misbehaviour, startWebhookReceiver, type WebhookReceiver } from '../../testing/webhook-receiver.ts'
import { type PostOptions, postWebhook } from './post.ts'

let receiver: WebhookReceiver
beforeAll(async () => {
  receiver = await startWebhookReceiver()
})
afterAll(() => receiver.close())

// Only who never answers may meet a time-out: a slow machine is no receiver's fault.
const local: PostOptions = { rules: { httpsOnly: false, allowLoopback: true }, timeoutMs: 120_000 }
const post = (options: PostOptions = local, url = receiver.url) =>
  postWebhook(options, { url, headers: {}, body: Buffer.from('{}') }).then(({ outcome }) => outcome)

type Row = [what: string, misbehave: Misbehaviour, outcome: string]
const rows: Row[] = [
  ['says yes', (_request, response) => response.writeHead(200).end('ok'), 'delivered'],
  ['says yes without a word', (_request, response) => response.writeHead(204).end(), 'delivered'],
  ['says yes with the last such status', (_request, response) => response.writeHead(299).end(), 'delivered'],
  [
    'says yes with as much as is read',
    (_request, response) => response.writeHead(200).end('x'.repeat(65_536)),
    'delivered',
  ],
  ['fails', (_request, response) => response.writeHead(500).end(), 'status 500'],
  ['is gone', (_request, response) => response.writeHead(410).end(), 'status 410'],
  ['sends elsewhere', (_request, response) => response.writeHead(307, { Location: receiver.url }).end(), 'redirect'],
  ['offers a choice', (_request, response) => response.writeHead(300).end(), 'redirect'],
  ['sends elsewhere with the last such status', (_request, response) => response.writeHead(399).end(), 'redirect'],
  ['refuses', (_request, response) => response.writeHead(400).end(), 'status 400'],
  ['talks without end', (_request, response) => response.writeHead(200).end('x'.repeat(65_537)), 'answer too large'],
  ['never answers', () => {}, 'time-out'],
  ['never ends its answer', (_request, response) => response.writeHead(200).write('x'), 'time-out'],
  ['hangs up', (request) => request.socket.destroy(), 'ECONNRESET'],
  [
    'hangs up in the middle of its answer',
    (request, response) => response.writeHead(200, { 'Content-Length': 10 }).write('x', () => request.socket.destroy()),
    'ECONNRESET',
  ],
]

test.each(rows)('a receiver that %s', async (_what, misbehave, outcome) => {
  receiver.state.misbehave = misbehave
  const { calls } = receiver.state
  expect(await post(outcome === 'time-out' ? { ...local, timeoutMs: 500 } : local)).toBe(outcome)
  expect(receiver.state.calls).toBe(calls + 1)
})

test('a receiver is sent the body and the headers given, as JSON', async () => {
  const seen: IncomingMessage[] = []
  receiver.state.misbehave = (request, response) => {
    seen.push(request)
    response.writeHead(204).end()
  }
  const body = Buffer.from('{"a":"ü"}')
  const headers = { 'Webhook-Id': 'event-1', 'Content-Type': 'text/plain' }
  expect(await postWebhook(local, { url: receiver.url, headers, body })).toEqual({ outcome: 'delivered', answer: '' })
  expect(seen.map(({ method }) => method)).toEqual(['POST'])
  expect(seen[0]?.headers).toMatchObject({
    'webhook-id': 'event-1',
    'content-type': 'application/json',
    'content-length': String(body.length),
    connection: 'close',
  })
})

test('the first kilobyte of an answer is kept, also of one that says no', async () => {
  const answered = (text: string | Buffer) => {
    receiver.state.misbehave = (_request, response) => response.writeHead(500).end(text)
    return postWebhook(local, { url: receiver.url, headers: {}, body: Buffer.from('{}') })
  }
  expect(await answered('no such "order" \u0000here')).toEqual({
    outcome: 'status 500',
    answer: 'no such "order" here',
  })
  expect((await answered('x'.repeat(1_025))).answer).toBe('x'.repeat(1_024))
  expect((await answered(Buffer.from([0xff, 0x41]))).answer).toBe('\ufffdA')
})

test('a name of this machine is called where that is allowed', async () => {
  receiver.state.misbehave = (_request, response) => response.writeHead(204).end()
  expect(await post(local, `http://localhost:${receiver.port}/`)).toBe('delivered')
})

describe('nothing is connected to', () => {
  test.each([
    ['an address of this machine', { httpsOnly: false, allowLoopback: false }, '127.0.0.1', 'forbidden address'],
    ['a name of this machine', { httpsOnly: false, allowLoopback: false }, 'localhost', 'forbidden address'],
    ['plain http in production, whatever the name', { httpsOnly: true, allowLoopback: true }, 'localhost', 'not https'],
    ['plain http in production', { httpsOnly: true, allowLoopback: true }, '127.0.0.1', 'not https'],
  ])('%s', async (_what, rules, host, outcome) => {
    receiver.state.misbehave = null
    const { calls } = receiver.state
    expect(await post({ rules }, `http://${host}:${receiver.port}/`)).toBe(outcome)
    expect(receiver.state.calls).toBe(calls)
  })
})

test('no one is there', async () => {
  const gone = await startWebhookReceiver()
  await gone.close()
  expect(await post(local, gone.url)).toBe('ECONNREFUSED')
})
