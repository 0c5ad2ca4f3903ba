import { isIP } from 'node:net'
import type { Context } from 'hono'

const FORWARDED_LENGTH_MAX = 1_000

/**
 * The address a request came from, or null when there is no socket (a handler called directly). Each trusted proxy in front
 * appended whom it heard from to `X-Forwarded-For`, so the entry that many places from the end is the last one nobody could forge.
 */
export function clientAddress(context: Context, trustedHops: number): string | null {
  const socketAddress = socketAddressOf(context)
  if (trustedHops === 0 || socketAddress === null) return socketAddress
  const forwarded = (context.req.header('X-Forwarded-For') ?? '').slice(-FORWARDED_LENGTH_MAX).split(',')
  return readAddress(forwarded.at(-trustedHops) ?? '') ?? socketAddress
}

/** The plain address of `203.0.113.9:50123`, `[2001:db8::9]:443` or `fe80::9%eth0`; null for `unknown` and the like. */
function readAddress(entry: string): string | null {
  const text = entry.trim().replace(/^\[(.+)\](?::\d+)?$|^([\d.]+):\d+$/, '$1$2')
  const address = text.replace(/%.*/, '')
  return isIP(address) === 0 ? null : address
}

/** True for a program on the same machine that speaks to the service directly, not through a proxy. */
export function isLocal(context: Context): boolean {
  const address = socketAddressOf(context)
  if (address === null || context.req.header('X-Forwarded-For') !== undefined) return false
  return address === '::1' || /^(?:::ffff:)?127\./.test(address)
}

function socketAddressOf(context: Context): string | null {
  const address = context.env?.incoming?.socket?.remoteAddress
  return typeof address === 'string' ? address : null
}
