// After the right code, live: the bureaus are queried, and only then are credits charged.
import type { Match } from '../../contract/credit-report.ts'
import { CHALLENGE_EXPIRES_IN_HEADER } from '../../contract/tenant-proxy.ts'
import { describeError } from '../describe-error.ts'
import { ApiError } from '../http/api-error.ts'
import { captureReport, readBalance } from '../ledger/ledger.ts'
import type { Check } from '../plugin.ts'
import { blameOf } from '../providers/providers.ts'
import { allThen, DatabaseUnavailable } from '../store/database.ts'
import { type BureauSearch, type MadeReport, queryBureaus } from './ask-providers.ts'
import type { CheckOptions, OnFile } from './check-options.ts'
import { reportNotFound, sealReport } from './content.ts'
import { endWithReport } from './end-report.ts'
import { countAgencies } from './finish-report.ts'
import { addUnanswered, type History } from './history.ts'
import { keepLease } from './keep-lease.ts'
import { completeVerified, endWork, findSealed, LostRace, replaceSealed } from './store.ts'

const RETRY_AFTER_SECONDS = 5

/** A verified challenge: the bureaus are ours to ask until the lease ends. */
export type VerifiedWork = BureauSearch & {
  check: Check
  leaseUntilMs: number
  expiresInSeconds: number | null
  match?: Match
  history: History
  onFile: OnFile
}

export async function finishVerified(
  options: CheckOptions,
  work: VerifiedWork,
): Promise<Omit<MadeReport, 'agencyMs'> & { balanceCredits: number }> {
  const { database, clock, keys, log } = options
  const { tenant, creditReportId, check } = work
  try {
    const { agencyMs, ...made } = await keepLease(options, work, () => queryBureaus(options, work))
    const { reportJson, agencies } = made
    const history = { ...work.history, agencyMs }
    const sealed = sealReport(keys.reports, { tenantId: tenant.id, creditReportId, test: false }, reportJson)
    const delivery = { creditReportId, agencies: countAgencies(agencies) }
    const balanceCredits = await database.batch(tenant.id, (queries) => {
      const steps = [
        completeVerified(queries, { ...work, agencies, history, nowMs: clock() }),
        replaceSealed(queries, { creditReportId, ...sealed }),
        work.onFile(queries, creditReportId),
        captureReport(queries, delivery, clock()),
        endWithReport(options, queries, check, agencies),
      ]
      return allThen(steps, readBalance(queries, tenant.id))
    })
    options.plugins.heard(check, { type: 'ended', ending: 'complete' })
    return { ...made, balanceCredits }
  } catch (error) {
    const history = addUnanswered(work.history, clock())
    await endWork(database, { ...work, history }).catch((failure: unknown) =>
      log.warn('verified challenge left to its lease', { creditReportId, ...describeError(failure) }),
    )
    if (error instanceof LostRace) {
      const isErased = (await findSealed(database, creditReportId)) === null
      throw isErased ? reportNotFound() : bureausAway(work.expiresInSeconds)
    }
    if (error instanceof ApiError || error instanceof DatabaseUnavailable) throw error
    const names = { tenantId: tenant.id, creditReportId, ...blameOf(error) }
    log.warn('verified challenge without its report', { ...names, ...describeError(error) })
    throw bureausAway(work.expiresInSeconds)
  }
}

/** The code was right, and stays so. */
export function bureausAway(expiresInSeconds: number | null): ApiError {
  return new ApiError('unavailable', 'the code was right, but a bureau did not answer; send the same code again', {
    'Retry-After': String(RETRY_AFTER_SECONDS),
    ...(expiresInSeconds === null ? {} : { [CHALLENGE_EXPIRES_IN_HEADER]: String(expiresInSeconds) }),
  })
}
