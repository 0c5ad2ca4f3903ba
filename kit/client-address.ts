// The client's address. Anyone can write `X-Forwarded-For`; only what trusted hops appended to it counts.
//
//   consumer ──▶ hop 2 ──▶ hop 1 ──▶ this process          trustedHops: 2
//   X-Forwarded-For:  "anything the consumer wrote, <consumer, by hop 2>, <hop 2, by hop 1>"
//                                                   └── 2nd from the right
import { isIP } from 'node:net'
import type { HeaderReader } from './headers.ts'
import { unmapped } from './network.ts'

export type ForwardedHeader = 'x-forwarded-for' | 'forwarded'

type AddressClues = {
  /** The other end of the connection, where the framework tells. */
  remoteAddress: string | undefined
  headers: HeaderReader
  trustedHops: number
  forwardedHeader: ForwardedHeader
}

/** The consumer's address, or null when neither the connection nor a trusted hop says. */
export function findClientAddress({
  remoteAddress,
  headers,
  trustedHops,
  forwardedHeader,
}: AddressClues): string | null {
  const chain = readChain(headers.get(forwardedHeader) ?? '', forwardedHeader)
  // From the furthest trusted entry towards us: a hop that hides its peer (`unknown`) leaves the next nearer address.
  const trusted = [...chain.slice(Math.max(0, chain.length - trustedHops)), remoteAddress ?? '']
  for (const entry of trusted) {
    const address = readAddress(entry)
    if (address !== null) return address
  }
  return null
}

const CHAIN_LENGTH_MAX = 4_096

function readChain(value: string, header: ForwardedHeader): string[] {
  // Only the right end was written by trusted hops, so a bloated left end may go.
  const end = value.slice(-CHAIN_LENGTH_MAX)
  return header === 'x-forwarded-for' ? end.split(',') : splitOutsideQuotes(end, ',').map(readFor)
}

/** The `for` of one entry of `Forwarded`. What a hop copied into another parameter, in quotes, is not it. */
function readFor(entry: string): string {
  const pairs = splitOutsideQuotes(entry, ';').map((pair) => pair.split('='))
  const [, value = ''] = pairs.find(([name = '']) => name.trim().toLowerCase() === 'for') ?? []
  return value.replaceAll('"', '')
}

/**
 * Read from the right, where the hops wrote: a quote that the consumer left open further to the left cannot hide their
 * entries.
 */
function splitOutsideQuotes(value: string, separator: ',' | ';'): string[] {
  const parts: string[] = []
  let isQuoted = false
  let end = value.length
  for (let at = value.length - 1; at >= 0; at -= 1) {
    if (value[at] === '"' && !isEscaped(value, at)) isQuoted = !isQuoted
    if (value[at] !== separator || isQuoted) continue
    parts.unshift(value.slice(at + 1, end))
    end = at
  }
  return [value.slice(0, end), ...parts]
}

function isEscaped(value: string, at: number): boolean {
  let backslashes = 0
  while (value[at - 1 - backslashes] === '\\') backslashes += 1
  return backslashes % 2 === 1
}

/** `203.0.113.7:4711`, `[2001:db8::1]:443`, `fe80::1%eth0`, `::ffff:192.0.2.1` → the plain address; null otherwise. */
export function readAddress(entry: string): string | null {
  const plain = entry.trim()
  const inBrackets = /^\[([^\]]+)\](?::\d+)?$/.exec(plain)?.[1]
  const bare = (inBrackets ?? plain.replace(/^(\d+(?:\.\d+){3}):\d+$/, '$1')).replace(/%.*/, '')
  return isIP(bare) === 0 ? null : unmapped(bare).toLowerCase()
}
