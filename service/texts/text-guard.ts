// Stands between a challenge and the gateway: every text that costs money passes here first.
import { RateLimited, validationError } from '../http/api-error.ts'
import type { Log } from '../log.ts'
import type { Queries } from '../store/database.ts'
import { claimText, findTraits, foreseeText } from './claims.ts'
import { isDestination, type TextLimit } from './limits.ts'
import { type TextFacts, traitsOf } from './text-traits.ts'

/** What every refusal tells a caller to wait: the same for each limit, so that it gives none of them away. */
const RETRY_AFTER_SECONDS = 600

type FirstText = { creditReportId: string; facts: TextFacts; nowMs: number }
type NextText = { creditReportId: string; tenantId: string; send: number; nowMs: number }

export interface TextGuard {
  /**
   * Throws `rate-limited` when a first text would be refused now, `validation-error` when none ever goes to that number.
   * Counts nothing: ask before doing anything expensive.
   */
  foresee(queries: Queries, text: FirstText): Promise<void>
  /** Counts a report's first text, or throws `rate-limited`. Belongs into the transaction that queues it. */
  claimFirst(queries: Queries, text: FirstText): Promise<void>
  /** The same for a further text of the report, which goes to the same number from the same place. */
  claimNext(queries: Queries, text: NextText): Promise<void>
}

export type TextGuardOptions = {
  /** Turns numbers and addresses into indexes. */
  key: Uint8Array
  limits: readonly TextLimit[]
  destinations: readonly string[]
  log: Log
}

export function createTextGuard({ key, limits, destinations, log }: TextGuardOptions): TextGuard {
  function refuse(names: { tenantId: string; creditReportId: string }): never {
    log.warn('text refused', names)
    throw new RateLimited('texts', 'no text can be sent for this check at the moment; try again later', {
      'Retry-After': String(RETRY_AFTER_SECONDS),
    })
  }

  /** Not a limit that passes: whoever waits and tries the same number again will never get a text. */
  function requireDestination({ creditReportId, facts: { tenantId, mobileNumber } }: FirstText): void {
    if (isDestination(mobileNumber, destinations)) return
    log.warn('text refused', { tenantId, creditReportId })
    throw validationError([{ path: 'mobileNumber', expected: 'must be a mobile number that our texts can reach' }])
  }

  return {
    async foresee(queries, text) {
      requireDestination(text)
      const { creditReportId, facts, nowMs } = text
      const { allowed } = await foreseeText(queries, { creditReportId, traits: traitsOf(key, facts), nowMs }, limits)
      if (!allowed) refuse({ tenantId: facts.tenantId, creditReportId })
    },

    async claimFirst(queries, text) {
      requireDestination(text)
      const { creditReportId, facts, nowMs } = text
      const verdict = await claimText(queries, { creditReportId, send: 1, traits: traitsOf(key, facts), nowMs }, limits)
      if (!verdict.allowed) refuse({ tenantId: facts.tenantId, creditReportId })
      if (verdict.nearTenantLimit) log.warn('texts near the limit of the day', { tenantId: facts.tenantId })
    },

    async claimNext(queries, { creditReportId, tenantId, send, nowMs }) {
      const traits = await findTraits(queries, creditReportId)
      // Without a first text on record there is nothing to measure this one by.
      const verdict = traits && (await claimText(queries, { creditReportId, send, traits, nowMs }, limits))
      if (!verdict?.allowed) refuse({ tenantId, creditReportId })
      else if (verdict.nearTenantLimit) log.warn('texts near the limit of the day', { tenantId })
    },
  }
}

/** For simulated texts, which cost nothing and reach nobody. */
export const unguardedTexts: TextGuard = {
  async foresee() {},
  async claimFirst() {},
  async claimNext() {},
}
