import { createServer, type Server } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { findPort } from './find-port.ts'

const HOST = '127.0.0.1'
const open: Server[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => new Promise((resolve) => server.close(resolve))))
})

async function occupy(port: number): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen({ port, host: HOST }, resolve))
  open.push(server)
  const address = server.address()
  return typeof address === 'object' && address ? address.port : 0
}

test('a free port is used as asked', async () => {
  const port = await findPort(0, HOST)
  expect(await findPort(port, HOST)).toBe(port)
})

test('a port that is taken gives way to another one', async () => {
  const taken = await occupy(0)
  const found = await findPort(taken, HOST)
  expect(found).not.toBe(taken)
  expect(await occupy(found)).toBe(found)
})

test('two programs whose neighbouring ports are both taken get two different ones', async () => {
  const taken = await occupy(0)
  // The neighbour may be in use already; taken it is either way.
  await occupy(taken + 1).catch(() => undefined)
  const first = await findPort(taken, HOST)
  expect(await findPort(taken + 1, HOST, first)).not.toBe(first)
})
