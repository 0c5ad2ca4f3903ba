import type { Match } from '../../contract/credit-report.ts'
import type { WalletMeta } from '../../contract/envelope.ts'
import type { GenerateRequest } from '../../contract/generate.ts'
import type { Clock } from '../../kit/clock.ts'
import type { ConsumerShare } from '../../plugins/limits/consumer-share.ts'
import type { SearchLimit } from '../../plugins/limits/searches.ts'
import type { TextGuard } from '../../plugins/limits/text-guard.ts'
import type { StatCounters } from '../../plugins/stats/stats.ts'
import type { Versions } from '../../plugins/stats/versions.ts'
import { ApiError } from '../http/api-error.ts'
import type { Keys } from '../keys.ts'
import { type Prices, readTenant, type TenantAccount } from '../ledger/tenants.ts'
import type { Log } from '../log.ts'
import type { DeviceFacts, Providers } from '../providers/providers.ts'
import type { Database, Queries } from '../store/database.ts'
import type { OnText } from '../texts/outbox.ts'
import type { Moment } from './challenge.ts'
import type { StoredReport } from './store.ts'

/** What the fingerprint script saw of this consumer; null when the session is unknown, expired or another consumer's. */
export type ClaimDevice = (question: {
  tenantId: string
  sessionId: string
  consumer: GenerateRequest
}) => Promise<DeviceFacts | null>

/** Writes down, in the transaction that completes a live report, who is given the person's file. */
export type OnFile = (queries: Queries, creditReportId: string) => Promise<void>

/** What a route answers about a report. */
export type ReportAnswer<Data extends object = object> = {
  /** Without the report itself, which is JSON by now. */
  data: Data
  reportJson: string | null
  /** Null where the answer does not show it. */
  wallet: WalletMeta | null
  /** Of the challenge it speaks of, 0 once that is over; null when there is none. */
  expiresInSeconds: number | null
}

/** Everything the report routes depend on. */
export type ReportOptions = {
  database: Database
  clock: Clock
  keys: Keys
  providers: Providers
  /** Says whether a text may be sent at all. */
  textGuard: TextGuard
  /** Keeps one person's file from being searched too often. */
  searchLimit: SearchLimit
  /** Keeps one network from using up a lender's requests. */
  consumerShare: ConsumerShare
  /** Called for every bureau that is missing from a report. */
  onBureauMissing: (bureau: string) => void
  /** Called when the gateway took a text, and when a text is settled, except by a receipt. */
  onText: OnText
  /** Counts what happens to checks. */
  stats: StatCounters
  /** Sees the headers of every check, for the versions they name. */
  onVersions: Versions['see']
  /** Called with every status that generate and OTP submit answer. */
  onAnswered: (status: string) => void
  claimDevice: ClaimDevice
  log: Log
  settings: ReportSettings
}

/** The part of the configuration that reports read. */
export type ReportSettings = Prices & {
  bureaus: readonly string[]
  challengeLifetimeMs: number
  matchPriceCredits: number
}

/** Whether the number is known for the person, as a field of an answer; no field where no match provider was called. */
export function matchOf({ match }: Pick<StoredReport, 'match'>): { match?: Match } {
  return match === null ? {} : { match }
}

/** The tenant of the request; a token for a tenant that does not exist grants nothing. */
export async function requireAccount(queries: Queries, tenantId: string, defaults: Prices): Promise<TenantAccount> {
  return requireTenant(await readTenant(queries, tenantId, defaults))
}

export function requireTenant(tenant: TenantAccount | null): TenantAccount {
  if (tenant === null) throw new ApiError('forbidden', 'you have no access to this tenant')
  return tenant
}

/** For what begins a check. */
export function requireActive(tenant: TenantAccount): TenantAccount {
  if (!tenant.isSuspended) return tenant
  throw new ApiError(
    'forbidden',
    `tenant "${tenant.id}" is suspended: open checks can be finished, new ones are refused`,
  )
}

/** The time by which a challenge is judged: the demo may move it for test mode. */
export function momentOf(
  { clock, settings }: Pick<ReportOptions, 'clock' | 'settings'>,
  tenant: TenantAccount,
  { test }: { test: boolean },
): Moment {
  return { nowMs: clock() + (test ? tenant.testClockAheadMs : 0), lifetimeMs: settings.challengeLifetimeMs }
}
