// A wire that can be cut: sits between a client and a server and does to their connections what networks do.
import { connect, createServer, type Socket } from 'node:net'

export interface TcpProxy {
  readonly port: number
  /** Carries everything, as a wire should. */
  pass(): void
  /** Takes connections and bytes and lets nothing through, like a peer that has stopped. */
  swallow(): void
  /** Breaks every connection there is; new ones pass. */
  resetAll(): void
  /** Breaks each connection once the server has sent so many bytes on it. Null stops doing so. */
  cutAnswersAfter(bytes: number | null): void
  close(): Promise<void>
}

export async function startTcpProxy(target: { host: string; port: number }): Promise<TcpProxy> {
  const pairs = new Set<[client: Socket, server: Socket]>()
  let swallowing = false
  let cutAfterBytes: number | null = null

  const listener = createServer((client) => {
    const server = connect(target)
    const pair: [Socket, Socket] = [client, server]
    pairs.add(pair)
    let answered = 0
    client.on('data', (bytes) => {
      if (!swallowing) server.write(bytes)
    })
    server.on('data', (bytes) => {
      if (swallowing) return
      const left = cutAfterBytes === null ? bytes.length : Math.max(0, cutAfterBytes - answered)
      answered += bytes.length
      client.write(bytes.subarray(0, left))
      if (left < bytes.length) endBoth(pair)
    })
    for (const socket of pair) {
      socket.on('error', () => {})
      socket.on('close', () => endBoth(pair))
    }
  })

  function endBoth(pair: [Socket, Socket]): void {
    pairs.delete(pair)
    const [client, server] = pair
    client.destroySoon()
    server.destroy()
  }

  function reset(): void {
    for (const pair of pairs) {
      for (const socket of pair) socket.resetAndDestroy()
      pairs.delete(pair)
    }
  }

  await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
  const address = listener.address()
  if (address === null || typeof address === 'string') throw new Error('the wire has no port')

  return {
    port: address.port,
    pass() {
      // Swallowed bytes are lost: a client that still waits for them must begin again.
      if (swallowing) reset()
      swallowing = false
    },
    swallow() {
      swallowing = true
    },
    resetAll: reset,
    cutAnswersAfter(bytes) {
      cutAfterBytes = bytes
    },
    close: () =>
      new Promise((resolve) => {
        listener.close(() => resolve())
        reset()
      }),
  }
}
