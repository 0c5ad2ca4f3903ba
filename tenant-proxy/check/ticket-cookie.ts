// This browser’s tickets in a cookie that it may carry but neither read nor change.
import * as z from 'zod/mini'
import { read } from '../../contract/problems.ts'
import { PROXY_PATH } from '../../contract/proxy-path.ts'
import type { HeaderReader } from '../../kit/headers.ts'
import { tryParseJson } from '../../kit/json-body.ts'
import { SEALED_LENGTH_MAX, type Seal } from './seal.ts'
import { keepTickets, keptUntilMs, PROOF_MS, TICKETS_MAX, Ticket, toProof, withSight } from './ticket.ts'

const COOKIE_NAME = 'credit-report'
const PROBE_SUFFIX = '-probe'
const SIGHT_SUFFIX = '-seen'
const PROBE_MAX_AGE_SECONDS = 86_400
/** Limits the decryptions that one request with many cookies of one name can cause. */
const COOKIES_TRIED_MAX = 32

export type CookiePlace = {
  /** The mount as the browser sees it, or its repetition below `/test/…`. */
  path: string
  /** The host of the installation, or the first of `origins`: what was sealed at a staging site opens nowhere else. */
  origin: string
  /** Checks here are test mode's. */
  test: boolean
  isSecure: boolean
  isPreview: boolean
}

/** Why a ticket that opens is refused: it was sealed for the other mode, or elsewhere. */
export type Foreign = { mode: 'live' | 'test' } | { origin: string }

export type TicketCookie = {
  /**
   * This browser's tickets at this place, the latest first; empty for a cookie that is absent, altered or from
   * elsewhere.
   */
  read(headers: HeaderReader, place: CookiePlace): Ticket[]
  /** The `Set-Cookie` value that makes the browser carry these tickets. */
  write(tickets: readonly Ticket[], place: CookiePlace): string
  /** True once this browser has shown that it keeps our cookies. */
  isKept(headers: HeaderReader, place: CookiePlace): boolean
  /** The `Set-Cookie` value that finds out. A cookie of its own, so that it never takes the place of a ticket. */
  probe(place: CookiePlace): string
  /**
   * The `Set-Cookie` value that keeps when a report was last shown. A cookie of its own as well: two tabs may answer at
   * once, and the later answer must not lose a check that the other began.
   */
  see(creditReportId: string, headers: HeaderReader, place: CookiePlace): string
}

/** The cookie's content: what it is and where it counts, then the tickets. */
const Content = z.object({
  kind: z.literal('check'),
  format: z.literal(3),
  tenantId: z.string(),
  test: z.boolean(),
  origin: z.string(),
  tickets: z.array(Ticket),
})
type Content = z.infer<typeof Content>

/** When each report was last shown, by its id. */
const Sights = z.object({
  kind: z.literal('sights'),
  format: z.literal(1),
  tenantId: z.string(),
  test: z.boolean(),
  seenAtMs: z.record(z.string(), z.number()),
})
type Sights = z.infer<typeof Sights>

type CookieOptions = {
  seal: Seal
  tenantId: string
  clock: () => number
  onForeign: (foreign: Foreign, place: CookiePlace) => void
}

export function createTicketCookie({ seal, tenantId, clock, onForeign }: CookieOptions): TicketCookie {
  // Sealed for one tenant and one mount: moved to another, it does not open.
  const contextOf = (place: CookiePlace) => JSON.stringify([tenantId, place.path])
  const sightContextOf = (place: CookiePlace) => JSON.stringify(['sights', tenantId, place.path])
  const valuesOf = (headers: HeaderReader, name: string) => cookiesNamed(name, headers.get('Cookie') ?? '')

  function readContent(text: string, place: CookiePlace): Ticket[] {
    const content = read(Content, tryParseJson(Buffer.from(text)))
    if (!content.ok || content.value.tenantId !== tenantId) return []
    const { test, origin, tickets } = content.value
    if (test === place.test && origin === place.origin) return tickets
    if (tickets.length > 0) onForeign(test === place.test ? { origin } : { mode: test ? 'test' : 'live' }, place)
    return []
  }

  /** The content of the first cookie of this name that was sealed here; null when there is none. */
  function openFirst(headers: HeaderReader, name: string, context: string): string | null {
    for (const sealed of valuesOf(headers, name)) {
      const opened = seal.open(sealed, context)
      if (opened !== null) return opened
    }
    return null
  }

  function readSights(headers: HeaderReader, place: CookiePlace): Sights['seenAtMs'] {
    const opened = openFirst(headers, nameAt(place) + SIGHT_SUFFIX, sightContextOf(place))
    const sights = opened === null ? null : read(Sights, tryParseJson(Buffer.from(opened)))
    return sights?.ok && sights.value.test === place.test ? sights.value.seenAtMs : {}
  }

  return {
    read(headers, place) {
      const opened = openFirst(headers, nameAt(place), contextOf(place))
      if (opened === null) return []
      const sights = readSights(headers, place)
      const tickets = readContent(opened, place).map((ticket) => withSight(ticket, sights[ticket.creditReportId]))
      return keepTickets(tickets, clock())
    },
    write(tickets, place) {
      const nowMs = clock()
      const { test, origin } = place
      for (const kept of smallerAndSmaller(keepTickets(tickets, nowMs))) {
        const content: Content = { kind: 'check', format: 3, tenantId, test, origin, tickets: kept }
        const sealed = seal.seal(JSON.stringify(content), contextOf(place))
        if (sealed.length > SEALED_LENGTH_MAX) continue
        const lastMs = Math.max(...kept.map(keptUntilMs))
        return `${nameAt(place)}=${sealed}; ${attributesAt(place, Math.ceil((lastMs - nowMs) / 1_000))}`
      }
      return `${nameAt(place)}=; ${attributesAt(place, 0)}`
    },
    isKept: (headers, place) =>
      [nameAt(place) + PROBE_SUFFIX, nameAt(place)].some((name) => valuesOf(headers, name).length > 0),
    see(creditReportId, headers, place) {
      const nowMs = clock()
      const { [creditReportId]: _older, ...others } = readSights(headers, place)
      const kept = Object.entries(others).filter(([, seenAtMs]) => seenAtMs > nowMs - PROOF_MS)
      const seenAtMs = Object.fromEntries([[creditReportId, nowMs], ...kept].slice(0, TICKETS_MAX))
      const sights: Sights = { kind: 'sights', format: 1, tenantId, test: place.test, seenAtMs }
      const sealed = seal.seal(JSON.stringify(sights), sightContextOf(place))
      return `${nameAt(place)}${SIGHT_SUFFIX}=${sealed}; ${attributesAt(place, PROOF_MS / 1_000)}`
    },
    probe: (place) => `${nameAt(place)}${PROBE_SUFFIX}=1; ${attributesAt(place, PROBE_MAX_AGE_SECONDS)}`,
  }
}

/** All of them; then the oldest as proofs, one more each time; then without the oldest. The newest stays whole. */
function* smallerAndSmaller([newest, ...older]: readonly Ticket[]): Generator<Ticket[]> {
  if (newest === undefined) return
  for (let whole = older.length; whole > 0; whole -= 1) {
    yield [newest, ...older.slice(0, whole), ...older.slice(whole).map(toProof)]
  }
  for (let proofs = older.length; proofs >= 0; proofs -= 1) yield [newest, ...older.slice(0, proofs).map(toProof)]
}

function attributesAt({ path, isSecure, isPreview }: CookiePlace, maxAgeSeconds: number): string {
  const secure = isSecure ? '; Secure' : ''
  return `Path=${isPreview ? path : '/'}; HttpOnly; SameSite=Strict${secure}; Max-Age=${maxAgeSeconds}`
}

/**
 * `__Host-` is what no other host, not even a sibling below the same domain, can set: a browser cannot be given another
 * person's check. It demands the path `/`, which also lets the lender's own routes see it (`proxy.completed`); so each
 * mount has its own name. The repetitions of a preview are many and only for developers: they keep theirs to their
 * path.
 */
function nameAt({ path, isSecure, isPreview }: CookiePlace): string {
  if (isPreview) return isSecure ? `__Secure-${COOKIE_NAME}` : COOKIE_NAME
  const name = path === PROXY_PATH ? COOKIE_NAME : COOKIE_NAME + path.replaceAll('/', '.')
  return isSecure ? `__Host-${name}` : name
}

export function cookiesNamed(name: string, header: string): string[] {
  return header
    .split(';')
    .map((pair) => pair.trim())
    .filter((pair) => pair.startsWith(`${name}=`))
    .slice(0, COOKIES_TRIED_MAX)
    .map((pair) => pair.slice(name.length + 1))
}
