// `/.well-known/security.txt` (RFC 9116): where to report a vulnerability.
import { Hono } from 'hono'
import { type Clock, DAY_MS } from '../../kit/clock.ts'
import type { ServiceEnv } from './context.ts'

/** RFC 9116 wants less than a year; computed from now, so that it never expires while the service runs. */
const VALID_MS = 180 * DAY_MS

type SecurityTxtOptions = { contact: string | null; publicUrl: string; clock: Clock }

/** `contact`: null answers 404, rather than an address that is not read. */
export function securityTxtRoute({ contact, publicUrl, clock }: SecurityTxtOptions): Hono<ServiceEnv> {
  const routes = new Hono<ServiceEnv>()
  const path = '/.well-known/security.txt'
  routes.get(path, (context) => {
    if (contact === null) return context.notFound()
    const lines = [
      `Contact: ${contact}`,
      `Expires: ${new Date(clock() + VALID_MS).toISOString()}`,
      'Preferred-Languages: en',
      `Canonical: ${publicUrl}${path}`,
    ]
    return context.text(`${lines.join('\n')}\n`)
  })
  return routes
}
