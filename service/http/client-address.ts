import type { Context } from 'hono'
import { findClientAddress } from '../../kit/client-address.ts'
import { isLoopbackAddress } from '../../kit/network.ts'

/** The address a request came from, or null when there is no socket (a handler called directly). */
export function clientAddress(context: Context, trustedHops: number): string | null {
  const remoteAddress = socketAddressOf(context)
  if (remoteAddress === undefined) return null
  const { headers } = context.req.raw
  return findClientAddress({ remoteAddress, headers, trustedHops, forwardedHeader: 'x-forwarded-for' })
}

/** True for a program on the same machine that speaks to the service directly, not through a proxy. */
export function isLocal(context: Context): boolean {
  const address = socketAddressOf(context)
  return address !== undefined && context.req.header('X-Forwarded-For') === undefined && isLoopbackAddress(address)
}

function socketAddressOf(context: Context): string | undefined {
  const address = context.env?.incoming?.socket?.remoteAddress
  return typeof address === 'string' ? address : undefined
}
