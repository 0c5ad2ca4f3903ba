import { createServer } from 'node:net'

const NEIGHBOURS_TRIED = 20

/**
 * The port itself when it is free, else the next free one, else whichever the system gives. 0 asks the system at once.
 * `promised` is free as well, but about to be used.
 */
export async function findPort(wanted: number, host: string, promised?: number): Promise<number> {
  if (wanted !== 0) {
    for (let port = wanted; port <= Math.min(wanted + NEIGHBOURS_TRIED, 65_535); port++) {
      if (port !== promised && (await tryPort(port, host)) !== null) return port
    }
  }
  const given = await tryPort(0, host)
  if (given === null) throw new Error(`no port can be opened on ${host}`)
  return given
}

function tryPort(port: number, host: string): Promise<number | null> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', () => resolve(null))
    server.listen({ port, host, exclusive: true }, () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : null))
    })
  })
}
