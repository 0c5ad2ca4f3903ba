// Stands between a challenge and the gateway: every text that costs money passes here first.
import { RateLimited, validationError } from '../../service/http/api-error.ts'
import type { Log } from '../../service/log.ts'
import type { NextText } from '../../service/plugin.ts'
import type { Queries } from '../../service/store/database.ts'
import { claimText } from './text-claims.ts'
import { isDestination, type TextLimit } from './text-limits.ts'
import { traitsOf } from './text-traits.ts'

/** Every refusal says the same wait, so that it gives none of the limits away. */
const RETRY_AFTER_SECONDS = 600

type TextGuardOptions = {
  /** Turns numbers and addresses into indexes. */
  key: Uint8Array
  limits: readonly TextLimit[]
  destinations: readonly string[]
  log: Log
}

export type TextGuard = (queries: Queries, text: NextText) => Promise<void>

/**
 * Counts a text, or throws `rate-limited`, or `validation-error` when no text ever goes to that number. Belongs into the transaction
 * that queues it.
 */
export function createTextGuard({ key, limits, destinations, log }: TextGuardOptions): TextGuard {
  return async (queries, text) => {
    const { tenantId, creditReportId, send, nowMs } = text
    const names = { tenantId, creditReportId }
    // Not a rate limit: waiting and trying the same number again does not help.
    if (!isDestination(text.mobileNumber, destinations)) {
      log.warn('text refused', names)
      throw validationError([{ path: 'mobileNumber', expected: 'must be a mobile number that our texts can reach' }])
    }
    const refusal = () => {
      log.warn('text refused', names)
      return new RateLimited('texts', 'no text can be sent for this check at the moment; try again later', {
        'Retry-After': String(RETRY_AFTER_SECONDS),
      })
    }
    const claim = { creditReportId, send, traits: traitsOf(key, text), nowMs }
    const { nearTenantLimit } = await claimText(queries, claim, limits, refusal)
    if (nearTenantLimit) log.warn('texts near the limit of the day', { tenantId })
  }
}
