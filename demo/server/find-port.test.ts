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
  open.push(server)
  await new Promise<void>((resolve) => server.listen({ port, host: HOST }, resolve))
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
