// The interfaces of the providers: risk, match, bureaus and SMS. Each has a simulated and an HTTP implementation.
import type { AccountRecord, Match, SearchProvider } from '../../contract/credit-report.ts'
import type { GenerateRequest } from '../../contract/generate.ts'
import type { TextRefusal } from '../../contract/stats.ts'
import { Unavailable } from '../http/api-error.ts'
import type { BureauConsumer } from './consumer.ts'

/** The risk provider's decision about a consumer on a device. */
export type RiskDecision = 'allow' | 'challenge' | 'block'

export type RiskQuestion = {
  creditReportId: string
  tenantId: string
  consumer: GenerateRequest
  /** The fingerprint script's facts; null when the session is unknown or expired. */
  device: DeviceFacts | null
}

export type DeviceFacts = { profiled: boolean; seenSecondsAgo: number; signals: { [name: string]: string } }

/** Rejects with `ProviderUnavailable` when no decision can be had; the caller then fails closed. */
export interface RiskProvider {
  assess(question: RiskQuestion, signal: AbortSignal): Promise<RiskDecision>
}

export type MatchQuestion = {
  creditReportId: string
  tenantId: string
  consumer: GenerateRequest
  mobileNumber: string
}

/**
 * Says whether a number is known for a person. Rejects with `ProviderUnavailable` when it gives no answer; the caller
 * takes that for `unknown`.
 */
export interface MatchProvider {
  match(question: MatchQuestion, signal: AbortSignal): Promise<Match>
}

/** The file of one bureau. Records name the accounts as that bureau knows them; merging is the service's work. */
export type BureauAnswer = {
  bureau: string
  /** The bureau has said that it holds no file on this person. Not the same as a file without accounts. */
  noFile?: true
  records: BureauRecord[]
  searches: SearchProvider[]
  /** Months the consumer has lived at each address of the request, in its order, where the bureau says so. */
  monthsAtAddresses?: number[]
}
export type BureauRecord = Omit<AccountRecord, 'bureaus'> & { ref: string }

/** Rejects with `ProviderUnavailable` when the bureau cannot answer in time or answers nonsense. */
export interface BureauProvider {
  /** True when what it answers is invented; the report then says so. */
  readonly simulated?: true
  query(bureau: string, consumer: BureauConsumer, creditReportId: string, signal: AbortSignal): Promise<BureauAnswer>
}

export type TextMessage = {
  /** Ours, and the idempotency key towards the gateway. */
  messageId: string
  tenantId: string
  creditReportId: string
  /** The lender's own sender; null for the installation's. */
  from: string | null
  to: string
  body: string
  validSeconds: number
}

/**
 * `accepted`: it left, or may have and a retry could send it twice; a receipt will tell. `delivered`: it has arrived.
 * `refused`: it will never arrive.
 */
export type SendOutcome = 'accepted' | 'delivered' | 'refused' | Refusal

/** Why a text will never arrive; `code` is the gateway's own word. */
export type Refusal = { refused: TextRefusal; code: string | null }

/**
 * Rejects with `ProviderUnavailable` when the text did not leave; sending it again, under the same id, is then safe.
 */
export interface SmsProvider {
  /** True when no text leaves. */
  readonly simulated?: true
  send(message: TextMessage, signal: AbortSignal): Promise<SendOutcome>
}

/** Why a provider gave no usable answer. */
export type Unavailability =
  /** Too many calls failed lately; this one was not made. */
  | 'circuit-open'
  /** No connection could be made. */
  | 'unreachable'
  /** It answered that it failed, or that it is too busy. */
  | 'error-status'
  /** It understood and said no: credentials, settings or the request are wrong. */
  | 'rejected'
  /** The time allowed ran out. */
  | 'time-out'
  /** The connection broke before the answer was complete. */
  | 'disconnected'
  /** The answer is larger than any honest one. */
  | 'too-large'
  /** The answer is not what was agreed. */
  | 'garbage'
  /** The answer is about another person. */
  | 'wrong-person'

export class ProviderUnavailable extends Unavailable {
  readonly provider: string
  readonly reason: Unavailability
  get fields() {
    return { provider: this.provider, outcome: this.reason }
  }
  constructor(provider: string, reason: Unavailability, options?: ErrorOptions) {
    super(`${provider}: ${reason}`, options)
    this.name = 'ProviderUnavailable'
    this.provider = provider
    this.reason = reason
  }
}

/** The provider that failed and why, for a line of the log; empty for any other error. */
export function blameOf(error: unknown): { provider?: string; code?: Unavailability } {
  return error instanceof ProviderUnavailable ? { provider: error.provider, code: error.reason } : {}
}

/** `match` is null where the installation has none. */
export type Providers = { risk: RiskProvider; match: MatchProvider | null; bureau: BureauProvider; sms: SmsProvider }

/** A bureau whose circuit is open was not queried: the person's file has no mark. */
export function wasNeverAsked(error: unknown): boolean {
  return error instanceof ProviderUnavailable && error.reason === 'circuit-open'
}

/** `outcome`: `ok`, or why there was no answer. Retries are included. */
type OnCalled = (call: { provider: string; outcome: string; seconds: number }) => void

/** The same providers, with every call measured as the service saw it. */
export function observeProviders({ risk, match, bureau, sms }: Providers, onCalled: OnCalled): Providers {
  async function measured<T>(provider: string, call: () => Promise<T>): Promise<T> {
    const startedMs = performance.now()
    const end = (outcome: string) => onCalled({ provider, outcome, seconds: (performance.now() - startedMs) / 1000 })
    try {
      const answer = await call()
      end('ok')
      return answer
    } catch (error) {
      end(error instanceof ProviderUnavailable ? error.reason : 'abandoned')
      throw error
    }
  }
  return {
    risk: { assess: (...input) => measured('risk', () => risk.assess(...input)) },
    match: match && { match: (...input) => measured('match', () => match.match(...input)) },
    bureau: { ...bureau, query: (name, ...input) => measured(name, () => bureau.query(name, ...input)) },
    sms: { send: (...input) => measured('sms', () => sms.send(...input)) },
  }
}
