import type { FoundAddress } from '../contract/address.ts'
import type { Agency, ReceivedReport } from '../contract/credit-report.ts'
import type { Branch } from '../contract/generate.ts'
import type { ForwardedHeader } from '../kit/client-address.ts'
import type { ProxyEvent } from './events.ts'

export type TenantProxyOptions = {
  /**
   * Base address of the service, for example `https://service.example`. Plain HTTP is for loopback and development. A
   * function is asked at the first request, so that a build without secrets can import the module.
   */
  service: string | (() => string)
  /** The tenant every report is made for. */
  tenantId: string
  /**
   * The API credentials of that tenant, or a function that is asked for them at the first request. They never leave
   * this process but to the service.
   */
  credentials: Credentials | (() => Credentials)
  /** The path of the mount, as this process sees it. @default '/credit-reports' */
  path?: string
  /** The mount as browsers see it, when a reverse proxy in front rewrites paths. @default path */
  publicPath?: string
  /** The service as browsers reach it, for the fingerprint script. @default service */
  publicServiceUrl?: string
  /** The bureaus to ask, in order of preference. @default all three */
  bureaus?: readonly string[]
  /**
   * Test mode for the whole mount: synthetic data, no texts, no charges. `true` asks for the code 123456, as
   * `'challenge'` does; `'allow'` and `'block'` end at once. @default false
   */
  test?: boolean | Branch
  /**
   * Repeats the mount below `/test/{branch}/{scenario}/{label}`, always in test mode, for a developers' preview.
   * Refused in production. @default false
   */
  testScenarios?: boolean
  /**
   * The lender's own reference for this check, for example an order number from the session; a number counts as its
   * text.
   */
  externalReference?: (
    request: Request,
    context: ProxyContext,
  ) => string | number | undefined | Promise<string | number | undefined>
  /** Refuses every check that does not come of `proxy.begin()`. @default false */
  requireStart?: boolean
  /**
   * Gets every completed report, server to server. Make it safe to run twice for one `creditReportId`: see
   * docs/lender/tenant-proxy.md.
   */
  onReport?: (report: ReceivedReport, context: ReportContext) => unknown
  /** Gets every check that ended without a report. Make it safe to run twice, as `onReport`. */
  onOutcome?: (outcome: Outcome) => unknown
  /**
   * The secrets (`whsec_…`) of the webhook that the service sends to `{mount}/webhook`; two while one is being
   * replaced. Then a report reaches `onReport` whatever happened to this process. @default none: the path does not
   * exist
   */
  webhookSecrets?: readonly string[]
  /** Gets what happens, for monitoring. Without it, what needs a person becomes a process warning. */
  onEvent?: (event: ProxyEvent) => unknown
  /**
   * Gets, for each check, which notice the consumer was shown and when they agreed, whether they ticked your own words,
   * and whether they lived outside the UK.
   */
  consentRecord?: (record: ConsentRecord) => unknown
  /**
   * Finds the addresses of a postcode, with a key that stays on this server: see docs/lender/addresses.md. In test mode
   * invented addresses are found instead. @default none: consumers type their address in
   */
  findAddresses?: FindAddresses
  /**
   * The part of a report that the browser gets. `matched`: the whole report where the mobile number is known for the
   * person, its figures otherwise.
   * @default 'matched' where the service has a match provider, else 'full'
   */
  exposeReport?: 'full' | 'matched' | 'summary' | 'none'
  /**
   * For how many minutes after it was last shown the date of birth opens the report again, in another tab or after it
   * was locked; 0 for never, 60 at most. @default 15
   */
  reopenMinutes?: number
  /** The number of reverse proxies in front, each appending to the forwarded header. @default 0 */
  trustedHops?: number
  /** The header those hops append to. Only this one is read. @default 'x-forwarded-for' */
  forwardedHeader?: ForwardedHeader
  /**
   * The mount's own origins as browsers see them, for example `https://www.lender.example`, where a reverse proxy
   * changes `Host`. Pages elsewhere cannot use the mount. @default none
   */
  origins?: readonly string[]
  /** Limits on the requests of one address. */
  limits?: Partial<Limits>
  /**
   * Seals the cookie: at least 32 characters. In a list the first seals and all open. @default derived from the client
   * secret, so the same after a restart and on every instance
   */
  cookieSecret?: string | readonly string[]
  /** Marks cookies `Secure`. @default true, except on loopback outside production */
  secureCookies?: boolean
  /** Compresses the widget's files here. @default true, except through `toNext`: Next compresses by itself */
  compress?: boolean
  /** Time limit of the service in milliseconds, all tries together. @default 20_000 */
  timeoutMs?: number
  /** A folder with the built widget, instead of the files that are part of this package's code. */
  widgetFiles?: string
  /**
   * A folder with chunks of earlier versions, for pages that were open during a deploy: see
   * docs/lender/rolling-deploys.md. Those that come with this package are served in any case.
   */
  previousFiles?: string
  /**
   * At the first request asks the service what would keep checks from beginning, and says on stderr what is wrong with
   * anything the mount depends on. @default true; in production only the former, and where NODE_ENV is test neither
   */
  doctor?: boolean
  /** @default Date.now */
  clock?: () => number
  /** Carries requests to the service, for example through a corporate proxy. @default Node's own client */
  fetch?: typeof fetch
}

export type Credentials = { clientId: string; clientSecret: string }

export type Limits = {
  /** Checks begun per address and window; a repeat with the same idempotency key is not another one. @default 5 */
  generatesMax: number
  /** Writes of any kind per address and window. @default 60 */
  writesMax: number
  /** Postcodes looked up per address and window. @default 30 */
  lookupsMax: number
  /**
   * Postcodes looked up per hour by all addresses together, in this process; what was found in the last day is not
   * looked up again. @default 500
   */
  lookupsPerHourMax: number
  /** @default 600 */
  windowSeconds: number
}

/** The postcode comes as `SW1A 1AA`; the signal fires when the answer would come too late. */
export type FindAddresses = (
  postcode: string,
  signal: AbortSignal,
) => readonly FoundAddress[] | Promise<readonly FoundAddress[]>

/** The facts that only the framework around the proxy knows. */
export type ProxyContext = {
  /** The other end of the connection. */
  remoteAddress?: string | undefined
  /**
   * The framework's own request with what your middleware put on it: Node's and Express's `req`, Fastify's `request`,
   * Hono's context. Set by the adapters.
   */
  hostRequest?: unknown
}

type CheckContext = { creditReportId: string; externalReference?: string; test: boolean }

export type ReportContext = CheckContext & {
  /** The answer of each agency: a report may lack one that did not answer. */
  agencies?: readonly Agency[]
  /** The match of mobile number and person: `matched`, `not-matched` or `unknown`. Absent without a match provider. */
  match?: string
}

export type Outcome = CheckContext & { status: 'blocked' | 'failed' | 'expired' }

export type ConsentRecord = {
  creditReportId: string
  externalReference?: string
  /** The lender's own wording in the slot `consent`. */
  wordingVersion?: string
  locale?: string
  /** True where the lender's wording was ticked, false where there was none to tick. */
  ticked?: boolean
  /** Version of the widget's notice above "Agree". */
  noticeVersion?: string
  /** SHA-256, in hex, of everything shown above "Agree", the lender's slots included. */
  shownHash?: string
  /** They lived outside the UK before the oldest address they gave: the history is shorter than was asked for. */
  livedAbroad?: true
  /** When the consumer's request arrived, ISO 8601 in UTC. */
  agreedAt: string
  test: boolean
}
