import type { HeaderReader } from '../kit/headers.ts'
import { referenceOf } from './added-fields.ts'
import type { Parts } from './browser-request.ts'
import { completedTicket } from './ticket.ts'

/** A check that was completed in this browser. Compare `externalReference` with your own session before you rely on it. */
export type CompletedCheck = {
  creditReportId: string
  externalReference?: string
  /** ISO 8601 in UTC. */
  completedAt: string
}

/** Headers as Node has them. */
export type NodeHeaders = { readonly [name: string]: string | string[] | undefined }

type Asked = { headers: Headers | NodeHeaders }

/** From the cookie alone: an id that a browser sends in a form proves nothing. */
export function findCompleted({ headers }: Asked, { cookie, settings }: Parts): CompletedCheck | null {
  const { publicPath: path, secureCookies } = settings
  const schemes = secureCookies === 'unless-loopback' ? [true, false] : [secureCookies]
  for (const isSecure of schemes) {
    const ticket = completedTicket(cookie.read(readerOf(headers), { path, isSecure, isPreview: false }))
    if (ticket === null) continue
    const { creditReportId, endedAtMs } = ticket
    return { creditReportId, ...referenceOf(ticket), completedAt: new Date(endedAtMs).toISOString() }
  }
  return null
}

function readerOf(headers: Asked['headers']): HeaderReader {
  if (headers instanceof Headers) return headers
  return { get: (name) => headers[name.toLowerCase()]?.toString() ?? null }
}
