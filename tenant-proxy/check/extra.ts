// The seam between a check and everything a mount can do besides it. A check calls the moments of each extra and knows
// none by name; which extras there are is said in `tenant-proxy.ts`.
import type { ConsumerDetails } from '../../contract/consumer-details.ts'
import type { ProxyReport } from '../../contract/tenant-proxy.ts'
import type { HeaderReader } from '../../kit/headers.ts'
import type { Outgoing } from '../exchange.ts'
import type { Refusal } from './refusal.ts'
import type { Answer, BrowserRequest } from './request.ts'
import type { EndedTicket, Ticket } from './ticket.ts'
import type { CookiePlace, Foreign } from './ticket-cookie.ts'

type Meta = Partial<ProxyReport['meta']>
type Opening = NonNullable<ProxyReport['data']['opening']>

export type Extra = {
  /** Requests below the mount that it answers. */
  routes?: readonly ExtraRoute[]
  /** Adds to the `meta` of every answer. */
  meta?(request: Pick<BrowserRequest, 'place'>): Meta
  /** Adds to the `meta` of `GET {mount}/current`. Throws the `Refusal` where the page could not begin a check. */
  current?(request: BrowserRequest, stands: { tickets: readonly Ticket[]; status: string }): Meta
  /**
   * Throws the `Refusal` where no check can be begun: before a form is filled in, and before a check is sent. A step of
   * the form is lost in silence, so its answer also says what may pass.
   */
  admit?(request: BrowserRequest, operation: 'current' | 'generate' | 'steps'): void | Promise<void>
  /** The applicant's details from the lender's server; null when it gave none. */
  applicant?(request: BrowserRequest): Applicant | null
  /** The terms on which a closed report can be opened again; null when it cannot. */
  opening?(ticket: EndedTicket): Opening | null
  /** `Set-Cookie` values that an answer leads to. */
  cookies?(request: BrowserRequest, answer: Answer): string[]
  /** Something was seen that may show a mistake in the set-up. */
  notice?(seen: Seen): void
  /** The service's answer to a check. */
  heard?(began: { wallet: { cost: number; balance: number }; test: boolean } | { refused: unknown }): void
  /** Resolves when nothing of it is left to do. */
  drain?(): Promise<void>
}

export type ExtraRoute = {
  /** Below the mount. */
  path: string
  methods: readonly string[]
  answer(request: BrowserRequest): Promise<Answer | Outgoing>
}

export type Consumer = Omit<ConsumerDetails, 'consent' | 'livedAbroad'>

export type Applicant = {
  externalReference?: string | undefined
  /** The details, with the lender's word in place of the browser's. */
  fix(typed: Consumer): Consumer
  /** The idempotency key of the check, and its ticket's data. Throws the `Refusal` when no more checks may be begun. */
  use(tickets: readonly Ticket[], browserKey: string): { press: { idempotencyKey: string; owner: string }; use: Use }
  /** The service knows that key from another browser, or from other details. */
  refuseReused(): Refusal
}

/** The number of the check within its start: see `Ticket`. */
export type Use = NonNullable<Ticket['start']>

export type Seen =
  /** A page says that something in front of the mount refused a write of it with this status. */
  | { what: 'refused'; status: number }
  /** A page asks how its check stands, or was refused. */
  | { what: 'page'; request: BrowserRequest; address: string | null }
  /** A page was given the cookie that shows whether cookies come back, or one came back. */
  | { what: 'cookie'; cookie: 'given' | 'returned'; address: string | null }
  /** Nothing trustworthy says from which address a consumer comes. */
  | { what: 'no-address' }
  | { what: 'check'; address: string; headers: HeaderReader }
  /** An address has begun more checks than one household would. */
  | { what: 'limit'; address: string }
  /** The ticket or the report of a check came to a mount that it does not belong to. */
  | { what: 'foreign'; foreign: Foreign; place: Pick<CookiePlace, 'test' | 'origin'> }
  /** A request is not below the mount. */
  | { what: 'outside'; pathname: string }

export function notice({ extras }: { extras: readonly Extra[] }, seen: Seen): void {
  for (const extra of extras) extra.notice?.(seen)
}

/** The answer to a moment that at most one extra has. */
export function firstOf<Value>(
  extras: readonly Extra[],
  ask: (extra: Extra) => Value | null | undefined,
): Value | null {
  return extras.map(ask).find((value) => value !== null && value !== undefined) ?? null
}
