import type { IncomingMessage } from 'node:http'
import type { HeaderReader } from '../kit/headers.ts'
import { type Patience, startPatience } from './patience.ts'

/**
 * The body of a message, or as much of it as shows that it is larger than `bytesMax`; the rest is left where it is.
 * Rejects when the other side goes away before the end, or takes longer than `patience`.
 */
export function readMessage(message: IncomingMessage, bytesMax: number, patience?: Patience): Promise<Buffer> {
  return new Promise((resolve, refuse) => {
    const reject = (error: Error) => {
      waiting?.end()
      refuse(error)
    }
    const giveUp = (error: Error) => {
      // Paused, so that the adapter closes the connection after its answer.
      message.pause()
      refuse(error)
    }
    const waiting = patience && startPatience(giveUp, patience)
    const chunks: Buffer[] = []
    const bytesPromised = Number(message.headers['content-length'])
    let bytes = 0
    const finish = () => {
      waiting?.end()
      resolve(Buffer.concat(chunks.splice(0)))
    }
    message.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      bytes += chunk.length
      if (bytes > bytesMax) message.pause()
      // All that was promised is all there is; the stream itself says so a few turns later.
      if (bytes > bytesMax || bytes === bytesPromised) finish()
      else waiting?.moved()
    })
    message.once('end', finish)
    message.once('error', reject)
    // It closes after every message. An error made each time, with its stack, took longer than reading one.
    message.once('close', () => {
      if (!message.readableEnded) reject(new Error('the other side went away'))
    })
    // Middleware that had to wait may have stopped it, so that nothing would be lost.
    message.resume()
  })
}

/** Headers as Node has them. */
export type NodeHeaders = { readonly [name: string]: string | string[] | undefined }

/** Node has read them already; to make `Headers` of them takes longer than to answer from them. */
export function headersOf({ headers }: { headers: NodeHeaders }): HeaderReader {
  return {
    get(name) {
      const key = name.toLowerCase()
      // HTTP/2 has a field of its own for the host.
      const value = key === 'host' ? (headers[':authority'] ?? headers.host) : headers[key]
      return value?.toString() ?? null
    },
  }
}
