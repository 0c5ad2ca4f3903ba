// Everything beside the core is a plugin: one object that says all a part adds. The core calls plugins by moment, in
// the order of their list and behind its own statements, and knows none of them by name.
//
//   generate ─▶ begin, hold ─▶ challenge, text, hold ─▶ (right code) search ─▶ end
//                    └────────────────────────────────────────────────────▶ abandon
import type { Hono, MiddlewareHandler } from 'hono'
import type { AgencyAnswer, Match } from '../contract/credit-report.ts'
import type { Ending } from '../contract/report-list.ts'
import type { TimelineEvent } from '../contract/report-timeline.ts'
import type { TextRefusal } from '../contract/stats.ts'
import type { WebhookFact } from '../contract/webhook-event.ts'
import type { Clock } from '../kit/clock.ts'
import type { KeyList } from '../kit/keys.ts'
import type { Rows } from '../openapi/operation.ts'
import type { AnyAct } from './act/act.ts'
import type { Command } from './command.ts'
import type { Config } from './config.ts'
import type { Done } from './http/acting.ts'
import type { Authenticate } from './http/caller.ts'
import type { ServiceEnv } from './http/context.ts'
import type { AuthorisationTable, RequirePage, Rule } from './http/protect.ts'
import type { Allowance } from './http/rate-limit.ts'
import type { Keys } from './keys.ts'
import type { Log } from './log.ts'
import type { BureauConsumer } from './providers/consumer.ts'
import type { Providers } from './providers/providers.ts'
import type { SimulatedPhone } from './providers/simulated/simulated.ts'
import type { Database, Queries } from './store/database.ts'
import { type Migration, refuseCollisions, requireDifferent } from './store/migration.ts'
import type { SweepTasks } from './sweeper.ts'
import type { Telemetry } from './telemetry.ts'
import type { People } from './tokens/authenticate.ts'
import type { Tokens } from './tokens/tokens.ts'

/** One check, as every plugin may know it. */
export type Check = Readonly<{
  creditReportId: string
  tenantId: string
  test: boolean
  externalReference: string | null
  /** Of the request that began it; null once the report was erased. */
  requestId: string | null
}>

/** A check whose person is at hand. */
export type KnownCheck = Check & { readonly consumer: BureauConsumer }

/** A check whose code was right, and the number that it was sent to. */
export type ProvedCheck = KnownCheck & { readonly mobileNumber: string; readonly match: Match | null }

export type End = Readonly<{
  status: 'complete' | 'blocked' | 'failed' | 'expired'
  ending: Ending
  /** Of a complete report. */
  agencies: readonly AgencyAnswer[] | null
}>

/** A hold that was just written. */
export type Spending = Readonly<{ tenantId: string; purpose: 'report' | 'text'; holdId: string; nowMs: number }>

/** A text that is about to be queued; `send` is its number within the check, from 1. */
export type NextText = Readonly<{
  creditReportId: string
  tenantId: string
  send: number
  mobileNumber: string
  /** The match of number and person; null where no match provider was called. */
  match: Match | null
  /** Of the request that began the check. */
  ipAddress: string
  sessionId: string
  consumer: BureauConsumer
  nowMs: number
}>

/** After the commit. */
export type Happened =
  | { type: 'requested'; headers: Headers }
  | { type: 'answered'; status: string; waitedMs: number; isReplay: boolean }
  | { type: 'refused'; code: string }
  | { type: 'submitted'; status: string }
  | { type: 'code-right'; waitedMs: number }
  /** Once for each check, whatever its end. */
  | { type: 'ended'; ending: Ending }
  /** It ends with an error for its caller, or with no answer at all. */
  | { type: 'abandoned'; ending: Ending }
  | { type: 'agencies'; waitedMs: number }
  | { type: 'agency-missing'; agency: string }
  | { type: 'text'; fate: 'accepted' | 'delivered' | 'undelivered'; reason?: TextRefusal }

/** The lender and the mode of what happened, and the check where there is one. */
export type Whose = Readonly<{ tenantId: string; test: boolean; creditReportId?: string }>

/**
 * Each runs in the transaction of its moment. It issues its statements without waiting between them, and refuses with
 * `must`.
 */
export type Moments = {
  /**
   * A check is written; its person is at hand. Resolves to `needsCode` where risk alone may not allow it. Runs once
   * more when a retry takes over a check whose process died, and must write nothing twice.
   */
  begin(queries: Queries, check: KnownCheck): Promise<unknown>
  /** Credits were reserved. */
  hold(queries: Queries, spending: Spending): Promise<unknown>
  /** A code is needed before any file is searched. */
  challenge(queries: Queries, check: Check): Promise<unknown>
  text(queries: Queries, text: NextText): Promise<unknown>
  /** The code was right: the bureaus are queried next. */
  search(queries: Queries, check: ProvedCheck): Promise<unknown>
  end(queries: Queries, check: Check, end: End): Promise<unknown>
  /** The caller gets an error instead of an end. `isSearched`: a bureau may have been queried. */
  abandon(queries: Queries, check: Check, isSearched: boolean): Promise<unknown>
  erase(queries: Queries, creditReportId: string): Promise<unknown>
  /** A lender was made. */
  enrol(queries: Queries, tenantId: string): Promise<unknown>
  /** Something a lender may want to hear of; plugins tell it through the core's `announce`. */
  announce(queries: Queries, fact: WebhookFact, nowMs: number): Promise<unknown>
  /** Something was done, read or refused; `done` says by whom, to what and what it changed. */
  act(queries: Queries, done: Done): Promise<unknown>
}

/** A plugin's `begin` resolves to this for a check that needs a code, whatever risk says. */
export const needsCode = Symbol('needs code')

/** A check whose timeline is read. */
export type ToldCheck = Readonly<{ tenantId: string; creditReportId: string; completedAtMs: number | null }>

/**
 * A step of a check's timeline before its time is written. Without one it belongs right behind the step before it, and
 * at the end if it is how things now are.
 */
export type TimelineStep = Readonly<Omit<TimelineEvent, 'at' | 'nextAt'>> &
  Readonly<{ atMs?: number | null; nextAtMs?: number | null }>

/** Tables whose rows keep a wrapped data key: counted by `keys list`, walked by `keys rewrap`. */
export type SealedTable = {
  /** The content, in an operator's words. */
  name: string
  table: string
  /** The primary key, which is also the row half of the place that the data key is bound to. */
  id: string
  wrappedKey: string
  /** The tenant half, as SQL. */
  tenant: string
  keys(secretKeys: KeyList): KeyList
}

/** The parts of the core that a plugin is given. */
export type Core = {
  config: Config
  database: Database
  clock: Clock
  log: Log
  keys: Keys
  tokens: Tokens
  providers: Providers
  telemetry: Telemetry
  phone: SimulatedPhone
  /** The handler itself, for a plugin that asks as a client does; answers once every plugin is there. */
  fetch(request: Request): Promise<Response> | Response
  /** The answer of `/openapi.json`; known once every plugin is there. */
  openApi(): string
  /** Tells every plugin that listens, in the transaction of the fact. */
  announce: Moments['announce']
  erase: Moments['erase']
  heard(whose: Whose, what: Happened): void
  /** The timeline steps that plugins know of. */
  timeline(check: ToldCheck): Promise<TimelineStep[]>
}

/** Routes beside the core's, under the same edge, limits and authorisation. */
export type Mounted = {
  routes: Hono<ServiceEnv>
  /** Those of `routes` that programs call: who may, and their words in the OpenAPI document. @default none */
  rows?: readonly Rows[]
  /** The rules of the other routes. @default there are none */
  authorisation?: AuthorisationTable
  people?: People
  /** Lets people through to pages and sends everyone else to sign in. */
  requirePage?: (authenticate: Authenticate) => RequirePage
  /** Asks people on pages to prove who they are again. */
  requireProof?: MiddlewareHandler<ServiceEnv>
  /** Rows of its own to sweep. @default none */
  sweeps?: SweepTasks
}

/**
 * @example
 * const quietNights: Plugin = {
 *   name: 'quiet-nights',
 *   on: {
 *     async begin(_queries, { tenantId }) {
 *       if (tenantId === 'acme' && isNight()) throw new ApiError('forbidden', 'Checks begin at six.')
 *     },
 *   },
 * }
 */
export type Plugin = {
  /** Unique. */
  name: string
  /** Its tables, behind the core's. */
  tables?: readonly Migration[]
  sealed?: readonly SealedTable[]
  on?: Partial<Moments>
  /** Before a live generate counts towards the lender's limit; throws to refuse it. */
  admit?(request: { tenantId: string; ipAddress: string }): Promise<unknown>
  /** The allowance of a request that counts apart from the lender's limit; null for any other. */
  count?(request: { tenantId: string; path: string }): Promise<Allowance | null>
  /** After the commit, never awaited: counters, metrics, versions. */
  heard?(whose: Whose, what: Happened): void
  /** The error that a caller reads whose transaction `on` refused; any other error as it is. */
  explain?(queries: Queries, error: unknown): Promise<unknown>
  /** Its part of a check's timeline. */
  timeline?(queries: Queries, check: ToldCheck): Promise<TimelineStep[]>
  /** Around every request, outermost. */
  edge?(core: Core): MiddlewareHandler<ServiceEnv>
  /** Around the requests of one route, outside its guard; null where there is nothing to add. */
  request?(core: Core, rule: Rule): MiddlewareHandler<ServiceEnv> | null
  serve?(core: Core): Promise<Mounted>
  sweeps?(core: Core): SweepTasks
  /** Work of its own in the background; resolves to what ends it. */
  start?(): () => Promise<void>
  /**
   * The changes it offers: the handler serves those of the API, and the operator's program makes commands of those for
   * `admin`.
   */
  acts?: readonly AnyAct[]
  /** For the operator, beside those of `acts`. */
  commands?: readonly Command[]
}

export type JoinedPlugins = Omit<Moments, 'begin'> &
  Required<Pick<Plugin, 'admit' | 'count' | 'heard' | 'explain'>> & {
    begin(queries: Queries, check: KnownCheck): Promise<{ needsCode: boolean }>
  }

/** The plugins as one; throws in one line when two share a name, a migration or a table. */
export function joinPlugins(plugins: readonly Plugin[], coreTables: readonly Migration[] = []): JoinedPlugins {
  requireDifferent(
    'plugin',
    plugins.map(({ name }) => name),
  )
  refuseCollisions([...coreTables, ...plugins.flatMap(({ tables = [] }) => tables)])
  const each = <Name extends keyof Moments>(name: Name) => {
    const handlers = plugins.flatMap(({ on }) => on?.[name] ?? []) as ((...input: unknown[]) => Promise<unknown>)[]
    return (...input: Parameters<Moments[Name]>) => Promise.all(handlers.map((handle) => handle(...input)))
  }
  // Gathered once: every request passes here, and few plugins have one.
  const admits = plugins.flatMap(({ admit }) => admit ?? [])
  const counts = plugins.flatMap(({ count }) => count ?? [])
  const listeners = plugins.flatMap(({ heard }) => heard ?? [])
  const explains = plugins.flatMap(({ explain }) => explain ?? [])
  const begin = each('begin')
  return {
    begin: async (queries, check) => ({ needsCode: (await begin(queries, check)).includes(needsCode) }),
    hold: each('hold'),
    challenge: each('challenge'),
    text: each('text'),
    search: each('search'),
    end: each('end'),
    abandon: each('abandon'),
    erase: each('erase'),
    enrol: each('enrol'),
    announce: each('announce'),
    act: each('act'),
    admit: (request) => Promise.all(admits.map((admit) => admit(request))),
    async count(request) {
      for (const count of counts) {
        const allowance = await count(request)
        if (allowance) return allowance
      }
      return null
    },
    heard(whose, what) {
      for (const hear of listeners) hear(whose, what)
    },
    async explain(queries, error) {
      let explained = error
      for (const explain of explains) explained = (await explain(queries, explained)) ?? explained
      return explained
    },
  }
}
