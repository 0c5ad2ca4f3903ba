// A browser's request and the answer to it, as handlers see them.
import type { ProxyAddresses, ProxyReport, ProxyResend } from '../../contract/tenant-proxy.ts'
import type { Trace } from '../client/client.ts'
import type { Incoming } from '../exchange.ts'
import type { ProxyContext } from '../options.ts'
import type { TestStory } from '../settings.ts'
import type { Refusal } from './refusal.ts'
import type { Ticket } from './ticket.ts'
import type { CookiePlace } from './ticket-cookie.ts'

/** One request of a browser, with what its path and address decided. */
export type BrowserRequest = {
  incoming: Incoming
  context: ProxyContext
  /** The consumer's address; null when nothing trustworthy says. */
  address: string | null
  /** The test-mode story it plays; null is real. */
  story: TestStory
  place: CookiePlace
  trace: Trace
}

/**
 * A handler's decision; without a body there is nothing to say. `tickets` is what the browser's cookie holds from now
 * on; absent leaves it as it is. `probe` finds out whether the browser keeps cookies. `seen` is the report that is
 * shown. `cookies` are the handler's own.
 */
export type Answer = ({ body: ProxyReport | ProxyResend | ProxyAddresses | null } | { refusal: Refusal }) & {
  tickets?: Ticket[]
  probe?: boolean
  seen?: string
  cookies?: readonly string[]
}

/** The state of a check. */
export type ReportAnswer = Answer & { body: ProxyReport }
