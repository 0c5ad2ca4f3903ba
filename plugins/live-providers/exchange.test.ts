// One call to a provider over a real socket, and what each answer is taken for.
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { ExchangeFailed, exchange, expectBody, type Outgoing } from './exchange.ts'

const never = new AbortController().signal

let server: Server
let url: string
let reply: { status: number; body: string } = { status: 200, body: '{}' }
let seen: { method?: string | undefined; headers?: IncomingHttpHeaders; body?: string } = {}
beforeAll(async () => {
  server = createServer(async (request, response) => {
    seen = { method: request.method, headers: request.headers, body: (await buffer(request)).toString() }
    response.writeHead(reply.status, { Location: 'http://127.0.0.1:1/' }).end(reply.body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/calls`
})
afterAll(async () => {
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

function ask(status: number, body: string, outgoing: Partial<Outgoing> = {}) {
  reply = { status, body }
  return exchange({ url, headers: {}, body: '{}', ...outgoing }, never)
}

describe('what is sent', () => {
  test('JSON, with the headers given', async () => {
    await ask(200, '{}', { body: '{"a":1}', headers: { Authorization: 'Bearer token' } })
    expect(seen).toMatchObject({
      method: 'POST',
      body: '{"a":1}',
      headers: { accept: 'application/json', 'content-type': 'application/json', authorization: 'Bearer token' },
    })
  })

  test('a form', async () => {
    await ask(200, '{}', { body: new URLSearchParams({ a: '1' }) })
    expect(seen).toMatchObject({
      body: 'a=1',
      headers: { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' },
    })
  })
})

describe('an answer', () => {
  test.each([200, 201, 299, 400, 401, 409, 424, 426, 428, 430, 499])('of %i is passed on', async (status) => {
    expect(await ask(status, '{"a":1}')).toEqual({ status, body: { a: 1 } })
  })

  test.each([
    [302, 'error-status'],
    [408, 'error-status'],
    [425, 'error-status'],
    [429, 'error-status'],
    [500, 'error-status'],
    [501, 'error-status'],
    [502, 'disconnected'],
    [503, 'error-status'],
    [504, 'disconnected'],
    [505, 'error-status'],
  ])('of %i is none: %s', async (status, reason) => {
    await expect(ask(status, '{"a":1}')).rejects.toMatchObject({ name: 'ExchangeFailed', message: reason, reason })
  })

  test('that is no JSON is garbage, unless it refuses', async () => {
    await expect(ask(200, 'fine')).rejects.toMatchObject({ reason: 'garbage', cause: expect.any(Error) })
    await expect(ask(204, '')).rejects.toMatchObject({ reason: 'garbage' })
    expect(await ask(400, 'no')).toEqual({ status: 400, body: undefined })
  })

  test('of two million bytes is read, and one byte more is too large', async () => {
    const longest = JSON.stringify('x'.repeat(1_999_998))
    expect((await ask(200, longest)).body).toHaveLength(1_999_998)
    await expect(ask(200, `${longest} `)).rejects.toMatchObject({ reason: 'too-large' })
  })

  test('that no one gave: the time ran out, or there was no one', async () => {
    const late = exchange({ url, headers: {}, body: '{}' }, AbortSignal.abort())
    await expect(late).rejects.toMatchObject({ reason: 'time-out', cause: expect.any(Error) })
    const closed = createServer().listen(0, '127.0.0.1')
    await once(closed, 'listening')
    const { port } = closed.address() as AddressInfo
    await new Promise((resolve) => closed.close(resolve))
    const nowhere = exchange({ url: `http://127.0.0.1:${port}/`, headers: {}, body: '{}' }, never)
    await expect(nowhere).rejects.toMatchObject({ reason: 'unreachable', cause: expect.any(Error) })
  })
})

describe('the body that was agreed', () => {
  const Body = z.object({ a: z.int() })

  test.each([
    ['fits', 200, { a: 1, more: 2 }, { a: 1 }],
    ['fits, with the last status that is no refusal', 399, { a: 1 }, { a: 1 }],
    ['has another shape', 200, { a: '1' }, 'garbage'],
    ['is not there', 200, undefined, 'garbage'],
    ['fits, in a refusal', 400, { a: 1 }, 'rejected'],
    ['is not there, in a refusal', 404, undefined, 'rejected'],
  ])('%s', (_what, status, body, expected) => {
    const read = () => expectBody(Body, { status, body })
    if (typeof expected === 'object') expect(read()).toEqual(expected)
    else expect(read).toThrow(new ExchangeFailed(expected as 'garbage' | 'rejected'))
  })
})
