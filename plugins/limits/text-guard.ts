// Stands between a challenge and the gateway: every text that costs money passes here first.
import { RateLimited, validationError } from '../../service/http/api-error.ts'
import type { Log } from '../../service/log.ts'
import type { NextText } from '../../service/plugin.ts'
import type { Queries } from '../../service/store/database.ts'
import { claimText, findRoom, type TextClaim } from './text-claims.ts'
import { isDestination, type TextLimit } from './text-limits.ts'
import { traitsOf } from './text-traits.ts'

type TextGuardOptions = {
  /** Turns numbers and addresses into indexes. */
  key: Uint8Array
  limits: readonly TextLimit[]
  destinations: readonly string[]
  log: Log
}

export type TextGuard = (queries: Queries, text: NextText) => Promise<void>

/** The words are the same for every limit, so that they do not tell which one to evade. */
class TextRefused extends RateLimited {
  readonly claim: TextClaim
  readonly limits: readonly TextLimit[]

  constructor(claim: TextClaim, limits: readonly TextLimit[], waitSeconds?: number) {
    const headers = waitSeconds === undefined ? {} : { 'Retry-After': String(waitSeconds) }
    super('texts', 'no text can be sent for this check at the moment; try again later', headers)
    this.claim = claim
    this.limits = limits
  }
}

/**
 * Counts a text, or throws `rate-limited`, or `validation-error` when no text ever goes to that number. Belongs in
 * the transaction that queues it.
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
    const claim = { creditReportId, send, traits: traitsOf(key, text), nowMs }
    const refusal = () => {
      log.warn('text refused', names)
      return new TextRefused(claim, limits)
    }
    const { nearTenantLimit } = await claimText(queries, claim, limits, refusal)
    if (nearTenantLimit) log.warn('texts near the limit of the day', { tenantId })
  }
}

/** Adds to a refused text when every limit has room for it again; any other error as it is. */
export async function explainText(queries: Queries, error: unknown): Promise<unknown> {
  if (!(error instanceof TextRefused)) return error
  const { claim, limits } = error
  const roomAtMs = await findRoom(queries, claim, limits)
  return new TextRefused(claim, limits, Math.max(1, Math.ceil((roomAtMs - claim.nowMs) / 1_000)))
}
