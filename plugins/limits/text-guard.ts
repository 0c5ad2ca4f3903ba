// Stands between a challenge and the gateway: every text that costs money passes here first.
import { RateLimited, validationError } from '../../service/http/api-error.ts'
import type { Log } from '../../service/log.ts'
import type { Queries } from '../../service/store/database.ts'
import { claimText, type TextClaim } from './text-claims.ts'
import { isDestination, type TextLimit } from './text-limits.ts'
import { type TextFacts, type TextTraits, traitsOf } from './text-traits.ts'

/** What every refusal tells a caller to wait: the same for each limit, so that it gives none of them away. */
const RETRY_AFTER_SECONDS = 600

type FirstText = { creditReportId: string; facts: TextFacts; nowMs: number }
type NextText = {
  creditReportId: string
  tenantId: string
  send: number
  /** Those of the report's first text; null when there is none on record. */
  traits: TextTraits | null
  nowMs: number
}

export interface TextGuard {
  /**
   * Counts a report's first text, or throws `rate-limited`, or `validation-error` when none ever goes to that number. Belongs
   * into the transaction that queues it.
   */
  claimFirst(queries: Queries, text: FirstText): Promise<void>
  /** The same for a further text of the report, which goes to the same number from the same place. */
  claimNext(queries: Queries, text: NextText): Promise<void>
}

type TextGuardOptions = {
  /** Turns numbers and addresses into indexes. */
  key: Uint8Array
  limits: readonly TextLimit[]
  destinations: readonly string[]
  log: Log
}

export function createTextGuard({ key, limits, destinations, log }: TextGuardOptions): TextGuard {
  function refusal(names: { tenantId: string; creditReportId: string }): RateLimited {
    log.warn('text refused', names)
    return new RateLimited('texts', 'no text can be sent for this check at the moment; try again later', {
      'Retry-After': String(RETRY_AFTER_SECONDS),
    })
  }

  async function claim(queries: Queries, text: TextClaim, tenantId: string): Promise<void> {
    const { creditReportId } = text
    const { nearTenantLimit } = await claimText(queries, text, limits, () => refusal({ tenantId, creditReportId }))
    if (nearTenantLimit) log.warn('texts near the limit of the day', { tenantId })
  }

  /** Not a rate limit: waiting and trying the same number again does not help. */
  function requireDestination({ creditReportId, facts: { tenantId, mobileNumber } }: FirstText): void {
    if (isDestination(mobileNumber, destinations)) return
    log.warn('text refused', { tenantId, creditReportId })
    throw validationError([{ path: 'mobileNumber', expected: 'must be a mobile number that our texts can reach' }])
  }

  return {
    async claimFirst(queries, text) {
      requireDestination(text)
      const { creditReportId, facts, nowMs } = text
      await claim(queries, { creditReportId, send: 1, traits: traitsOf(key, facts), nowMs }, facts.tenantId)
    },

    async claimNext(queries, { tenantId, traits, ...text }) {
      // Without a first text on record there is nothing to measure this one by.
      if (traits === null) throw refusal({ tenantId, creditReportId: text.creditReportId })
      await claim(queries, { ...text, traits }, tenantId)
    },
  }
}

/** For simulated texts, which cost nothing. */
export const unguardedTexts: TextGuard = {
  async claimFirst() {},
  async claimNext() {},
}
