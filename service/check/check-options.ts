import type { Match } from '../../contract/credit-report.ts'
import type { WalletMeta } from '../../contract/envelope.ts'
import type { GenerateRequest } from '../../contract/generate.ts'
import { playedRefusal, type Trigger } from '../../contract/test-triggers.ts'
import type { Clock } from '../../kit/clock.ts'
import { ApiError, PlayedError } from '../http/api-error.ts'
import type { Keys } from '../keys.ts'
import { type Prices, readTenant, type TenantAccount } from '../ledger/tenants.ts'
import type { Log } from '../log.ts'
import type { JoinedPlugins } from '../plugin.ts'
import type { DeviceFacts, Providers } from '../providers/providers.ts'
import type { Database, Queries } from '../store/database.ts'
import type { Moment } from './challenge.ts'
import type { StoredReport } from './store.ts'

/**
 * The fingerprint script's facts about this consumer; null when the session is unknown, expired or another consumer's.
 */
export type ClaimDevice = (question: {
  tenantId: string
  sessionId: string
  consumer: GenerateRequest
}) => Promise<DeviceFacts | null>

/** Writes down, in the transaction that completes a live report, who is given the person's file. */
export type OnFile = (queries: Queries, creditReportId: string) => Promise<void>

/** A route's answer about a report. */
export type ReportAnswer<Data extends object = object> = {
  /** Without the report itself, which is JSON by now. */
  data: Data
  reportJson: string | null
  /** Null where the answer does not show it. */
  wallet: WalletMeta | null
  /** Of the challenge it speaks of, 0 once that is over; null when there is none. */
  expiresInSeconds: number | null
}

/** Everything that a check depends on. */
export type CheckOptions = {
  database: Database
  clock: Clock
  keys: Keys
  providers: Providers
  plugins: JoinedPlugins
  claimDevice: ClaimDevice
  log: Log
  settings: CheckSettings
}

/** The part of the configuration that reports read. */
export type CheckSettings = Prices & {
  bureaus: readonly string[]
  challengeLifetimeMs: number
  matchPriceCredits: number
}

/** The match of number and person, as a field of an answer; no field where no match provider was called. */
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

/** The options of everything that begins a check. */
export function requireActive(tenant: TenantAccount): TenantAccount {
  if (!tenant.isSuspended) return tenant
  throw new ApiError(
    'forbidden',
    `tenant "${tenant.id}" is suspended: open checks can be finished, new ones are refused`,
  )
}

/** In test mode: throws what the trigger asks this request to be answered. */
export function refuseWhatIsPlayed(trigger: Trigger | null, request: Parameters<typeof playedRefusal>[1]): void {
  const played = playedRefusal(trigger, request)
  if (played !== null) throw new PlayedError(played.code, played.message, played.headers)
}

/** The time by which a challenge is judged: the demo may move it for test mode. */
export function momentOf(
  { clock, settings }: Pick<CheckOptions, 'clock' | 'settings'>,
  tenant: TenantAccount,
  { test }: { test: boolean },
): Moment {
  return { nowMs: clock() + (test ? tenant.testClockAheadMs : 0), lifetimeMs: settings.challengeLifetimeMs }
}
