import type { HeaderReader } from '../kit/headers.ts'
import { SEALED_LENGTH_MAX, type Seal } from './seal.ts'
import { keepTickets, lifeLeftMs, readTickets, type Ticket } from './ticket.ts'

const COOKIE_NAME = 'credit-report'
const SECURE_COOKIE_NAME = `__Secure-${COOKIE_NAME}`
/** A browser sends the cookies of outer mounts along; more of one name than this are somebody's attempt at work for us. */
const COOKIES_TRIED_MAX = 4

export type CookiePlace = {
  /** The mount as the browser sees it. */
  path: string
  isSecure: boolean
}

export type TicketCookie = {
  /** This browser's tickets at this place, the most recent first; empty for a cookie that is absent, altered or from elsewhere. */
  read(headers: HeaderReader, place: CookiePlace): Ticket[]
  /** The `Set-Cookie` value that makes the browser carry these tickets. */
  write(tickets: readonly Ticket[], place: CookiePlace): string
}

type CookieOptions = { seal: Seal; tenantId: string; clock: () => number }

export function createTicketCookie({ seal, tenantId, clock }: CookieOptions): TicketCookie {
  // Sealed for one tenant and one mount: moved to another, it does not open.
  const contextOf = (place: CookiePlace) => JSON.stringify([tenantId, place.path])

  return {
    read(headers, place) {
      for (const sealed of cookiesNamed(nameAt(place), headers.get('Cookie') ?? '')) {
        const opened = seal.open(sealed, contextOf(place))
        if (opened !== null) return keepTickets(readTickets(opened), clock())
      }
      return []
    },
    write(tickets, place) {
      const nowMs = clock()
      const kept = keepTickets(tickets, nowMs)
      const attributes = `Path=${place.path}; HttpOnly; SameSite=Strict${place.isSecure ? '; Secure' : ''}`
      for (; kept.length > 0; kept.pop()) {
        const sealed = seal.seal(JSON.stringify(kept), contextOf(place))
        if (sealed.length > SEALED_LENGTH_MAX) continue
        const maxAgeSeconds = Math.ceil(Math.max(...kept.map((ticket) => lifeLeftMs(ticket, nowMs))) / 1_000)
        return `${nameAt(place)}=${sealed}; ${attributes}; Max-Age=${maxAgeSeconds}`
      }
      return `${nameAt(place)}=; ${attributes}; Max-Age=0`
    },
  }
}

function nameAt({ isSecure }: CookiePlace): string {
  return isSecure ? SECURE_COOKIE_NAME : COOKIE_NAME
}

function cookiesNamed(name: string, header: string): string[] {
  return header
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .slice(0, COOKIES_TRIED_MAX)
    .map((pair) => pair.slice(name.length + 1))
}
