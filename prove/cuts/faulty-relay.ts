// A line that breaks: passes bytes between a client and a server until it has to cut.
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** The place of the cut: after so many more bytes of the request, or of the answer. */
export type Cut = { direction: 'asked' | 'answered'; afterBytes: number; how: 'reset' | 'close' }

export type FaultyRelay = {
  port: number
  /** Cuts made so far. */
  cuts: number
  /** The next cuts, one after another; each waits until its bytes have passed. */
  plan(cuts: Cut[]): void
  stop(): Promise<void>
}

export async function startFaultyRelay(target: { host: string; port: number }): Promise<FaultyRelay> {
  const open = new Set<Socket>()
  let planned: Cut[] = []

  /** The number of these bytes that may pass; the rest is lost with the line. */
  function judge(direction: Cut['direction'], bytes: number): { pass: number; how: Cut['how'] | null } {
    const [next] = planned
    if (!next || next.direction !== direction) return { pass: bytes, how: null }
    if (bytes <= next.afterBytes) {
      next.afterBytes -= bytes
      return { pass: bytes, how: null }
    }
    planned = planned.slice(1)
    relay.cuts += 1
    return { pass: next.afterBytes, how: next.how }
  }

  const server = createServer((client) => {
    const upstream = connect(target.port, target.host)
    for (const socket of [client, upstream]) {
      open.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => open.delete(socket))
    }
    const pass = (from: Socket, to: Socket, direction: Cut['direction']) => {
      from.on('data', (chunk: Buffer) => {
        const { pass, how } = judge(direction, chunk.length)
        to.write(chunk.subarray(0, pass))
        if (how === null) return
        // The service must not be able to tell: what had arrived by then has arrived.
        upstream.end()
        if (how === 'reset') client.resetAndDestroy()
        else client.end()
      })
      from.on('end', () => to.end())
      from.on('close', () => to.destroy())
    }
    pass(client, upstream, 'asked')
    pass(upstream, client, 'answered')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')

  const relay: FaultyRelay = {
    port: (server.address() as AddressInfo).port,
    cuts: 0,
    plan(cuts) {
      planned = cuts
    },
    async stop() {
      for (const socket of open) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return relay
}
