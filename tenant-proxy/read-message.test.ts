// Over a real connection: what matters is when Node says what.
import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { BodyStalled } from './patience.ts'
import { headersOf, readMessage } from './read-message.ts'

const BYTES_MAX = 10
const opened: (() => unknown)[] = []
afterEach(() => {
  for (const close of opened.splice(0)) close()
})

/** A message whose head has arrived, and the line on which the rest of it can be written. */
async function begin(head: string): Promise<{ message: IncomingMessage; line: Socket }> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const line = connect((server.address() as AddressInfo).port, '127.0.0.1')
  opened.push(
    () => line.destroy(),
    () => server.close(),
  )
  line.write(`POST / HTTP/1.1\r\nHost: shop\r\n${head}\r\n\r\n`)
  const [message] = await once(server, 'request')
  return { message, line }
}

test('a body of a promised length is whole when its last byte is there', async () => {
  const { message, line } = await begin('Content-Length: 6')
  const reading = readMessage(message, BYTES_MAX)
  line.write('one')
  await once(message, 'data')
  line.write('two')
  expect((await reading).toString()).toBe('onetwo')
})

test('a body of no promised length is whole at its end', async () => {
  const { message, line } = await begin('Transfer-Encoding: chunked')
  const reading = readMessage(message, BYTES_MAX)
  line.write('3\r\none\r\n')
  await once(message, 'data')
  line.write('3\r\ntwo\r\n0\r\n\r\n')
  expect((await reading).toString()).toBe('onetwo')
})

test('an empty body is whole at once', async () => {
  const { message } = await begin('Content-Length: 0')
  expect((await readMessage(message, BYTES_MAX)).toString()).toBe('')
})

test('of a body that is too large, no more is read than shows it', async () => {
  const { message, line } = await begin('Content-Length: 1000000')
  const reading = readMessage(message, BYTES_MAX)
  line.write('x'.repeat(BYTES_MAX))
  await once(message, 'data')
  line.write('x')
  expect((await reading).length).toBe(BYTES_MAX + 1)
  expect(message.isPaused()).toBe(true)
})

test('a body as large as is allowed is read to its end', async () => {
  const { message, line } = await begin('Transfer-Encoding: chunked')
  const reading = readMessage(message, BYTES_MAX)
  line.write(`a\r\n${'x'.repeat(BYTES_MAX)}\r\n`)
  await once(message, 'data')
  expect(message.isPaused()).toBe(false)
  line.write('0\r\n\r\n')
  expect((await reading).length).toBe(BYTES_MAX)
})

test('a body that middleware has stopped goes on', async () => {
  const { message, line } = await begin('Content-Length: 3')
  message.pause()
  const reading = readMessage(message, BYTES_MAX)
  line.write('one')
  expect((await reading).toString()).toBe('one')
})

test.each([
  ['without a word', undefined, 'the other side went away'],
  ['with an error', new Error('not HTTP'), 'not HTTP'],
])('a message that is ended here %s is no body', async (_how, error, said) => {
  const { message } = await begin('Content-Length: 6')
  const reading = readMessage(message, BYTES_MAX)
  message.destroy(error)
  await expect(reading).rejects.toThrow(said)
})

test('headers are found whatever their case, repeated ones as one', () => {
  const headers = headersOf({ headers: { cookie: 'a=1', 'x-forwarded-for': ['203.0.113.7', '10.0.0.1'] } })
  const names = ['Cookie', 'X-Forwarded-For', 'Origin']
  expect(names.map((name) => headers.get(name))).toEqual(['a=1', '203.0.113.7,10.0.0.1', null])
})

test('a body that breaks off is no body', async () => {
  const { message, line } = await begin('Content-Length: 6')
  const reading = readMessage(message, BYTES_MAX)
  line.write('one')
  await once(message, 'data')
  line.destroy()
  await expect(reading).rejects.toThrow()
})

test('a body that stalls is given up, and its connection is left to be closed', async () => {
  const { message, line } = await begin('Content-Length: 6')
  const reading = readMessage(message, BYTES_MAX, { idleMs: 20, wholeMs: 60_000 })
  line.write('one')
  await expect(reading).rejects.toBeInstanceOf(BodyStalled)
  expect(message.isPaused()).toBe(true)
})

test('a body that drips is given up too', async () => {
  const { message, line } = await begin('Content-Length: 6')
  const reading = readMessage(message, BYTES_MAX, { idleMs: 60_000, wholeMs: 20 })
  line.write('one')
  await expect(reading).rejects.toBeInstanceOf(BodyStalled)
})
