// The calls of one check to the outside world: risk, match and bureaus. Each deadline is an outer limit; the adapters
// have shorter timeouts.
import { setMaxListeners } from 'node:events'
import type { AgencyAnswer, Match } from '../../contract/credit-report.ts'
import type { GenerateRequest } from '../../contract/generate.ts'
import { describeError } from '../describe-error.ts'
import { validationError } from '../http/api-error.ts'
import type { TenantAccount } from '../ledger/tenants.ts'
import type { BureauConsumer } from '../providers/consumer.ts'
import { type BureauAnswer, blameOf, ProviderUnavailable, wasNeverAsked } from '../providers/providers.ts'
import type { CheckOptions } from './check-options.ts'
import { mergeReport } from './merge.ts'

const RISK_DEADLINE_MS = 6_000
const MATCH_DEADLINE_MS = 4_000
/** For all bureaus together. */
export const BUREAUS_DEADLINE_MS = 10_000

/** `match` is null where the installation has no match provider; `isMatchPaid` when the provider answered. */
type Matched = { match: Match | null; isMatchPaid: boolean }

/** The report as JSON, what each agency of the request had to say, and how long each took. */
export type MadeReport = {
  reportJson: string
  agencies: readonly AgencyAnswer[]
  agencyMs: { readonly [agency: string]: number }
}

/** The providers' answers about a consumer. */
export type Findings = { deviceVerified: boolean; riskMs: number } & (
  | { decision: 'block' }
  | ({ decision: 'allow' } & MadeReport & Matched)
  | ({ decision: 'challenge'; mobileNumber: string } & Matched)
)

type Check = {
  tenant: TenantAccount
  creditReportId: string
  request: GenerateRequest
  /** Risk alone may not allow it. */
  needsCode: boolean
  /** Set before the bureaus are called. */
  isSearched: boolean
}

/**
 * The device, then the risk; the bureaus only where no code is needed: a search leaves a mark on the credit file of the
 * person whose details were given. Throws what makes the report impossible.
 */
export async function askProviders(options: CheckOptions, check: Check): Promise<Findings> {
  const { providers, claimDevice, clock } = options
  const { tenant, creditReportId, request } = check
  const askedAtMs = clock()
  const device = await claimDevice({ tenantId: tenant.id, sessionId: request.sessionId, consumer: request })
  const question = { creditReportId, tenantId: tenant.id, consumer: request, device }
  const decision = await providers.risk.assess(question, AbortSignal.timeout(RISK_DEADLINE_MS))
  const seen = { deviceVerified: device !== null, riskMs: clock() - askedAtMs }
  if (decision === 'block') return { decision, ...seen }
  if (decision === 'allow' && !check.needsCode) {
    const matched = await askMatch(options, check)
    check.isSearched = true
    const made = await queryBureaus(options, { tenant, creditReportId, consumer: request })
    return { decision, ...seen, ...matched, ...made }
  }

  if (decision === 'allow') options.log.info('code needed', { creditReportId, tenantId: tenant.id })
  const { mobileNumber } = request
  if (mobileNumber === undefined) {
    throw validationError([{ path: 'mobileNumber', expected: 'is required, because this check sends a code' }])
  }
  return { decision: 'challenge', mobileNumber, ...seen, ...(await askMatch(options, check)) }
}

/** Before the text. A provider that hangs or fails costs nothing and stops no check: the answer is `unknown`. */
async function askMatch({ providers, log }: CheckOptions, check: Check): Promise<Matched> {
  if (providers.match === null) return { match: null, isMatchPaid: false }
  const { tenant, creditReportId, request: consumer } = check
  const { mobileNumber } = consumer
  if (mobileNumber === undefined) return { match: 'unknown', isMatchPaid: false }
  const names = { creditReportId, tenantId: tenant.id }
  try {
    const question = { ...names, consumer, mobileNumber }
    const match = await providers.match.match(question, AbortSignal.timeout(MATCH_DEADLINE_MS))
    return { match, isMatchPaid: true }
  } catch (error) {
    log.warn('number not matched', { ...names, ...blameOf(error), ...describeError(error) })
    return { match: 'unknown', isMatchPaid: false }
  }
}

export type BureauSearch = {
  /** `requireAllBureaus`: a report of every bureau of the request or none; else a report of those that answered. */
  tenant: Pick<TenantAccount, 'id' | 'requireAllBureaus'>
  creditReportId: string
  consumer: BureauConsumer
}

/**
 * Queries every bureau of the request at once, so that it takes as long as the slowest. Called only for a consumer who
 * is verified, or need not be. Agencies come in the order of the request. Rejects with `ProviderUnavailable` when a
 * bureau that the tenant requires gives no answer, or none does.
 */
export async function queryBureaus(
  { providers, log, plugins }: Pick<CheckOptions, 'log' | 'plugins'> & BureauOptions,
  { tenant, creditReportId, consumer }: BureauSearch,
  signal = AbortSignal.timeout(BUREAUS_DEADLINE_MS),
): Promise<MadeReport> {
  // Once the report is impossible, waiting for the rest only costs the consumer time and the lender searches.
  const giveUp = new AbortController()
  // One listener per bureau is no leak, however many bureaus there are.
  setMaxListeners(0, giveUp.signal)
  const pass = () => giveUp.abort(signal.reason)
  signal.addEventListener('abort', pass, { once: true })
  if (signal.aborted) pass()

  const whose = { tenantId: tenant.id, test: false }
  const askedAtMs = performance.now()
  let lastFailure: ProviderUnavailable | null = null
  const agencyMs: { [agency: string]: number } = {}
  const results = await Promise.all(
    consumer.bureaus.map(async (bureau): Promise<BureauAnswer | AgencyAnswer> => {
      try {
        return await providers.bureau.query(bureau, consumer, creditReportId, giveUp.signal)
      } catch (error) {
        if (tenant.requireAllBureaus) giveUp.abort(error)
        if (tenant.requireAllBureaus || !(error instanceof ProviderUnavailable)) throw error
        log.warn('bureau missing', { provider: bureau, code: error.reason, creditReportId, tenantId: tenant.id })
        plugins.heard(whose, { type: 'agency-missing', agency: bureau })
        lastFailure = error
        return { id: bureau, status: wasNeverAsked(error) ? 'not-asked' : 'unavailable' }
      } finally {
        agencyMs[bureau] = Math.round(performance.now() - askedAtMs)
      }
    }),
  ).finally(() => {
    signal.removeEventListener('abort', pass)
    plugins.heard(whose, { type: 'agencies', waitedMs: performance.now() - askedAtMs })
  })
  const answers = results.flatMap((each) => ('bureau' in each ? [each] : []))
  if (lastFailure !== null && answers.length === 0) throw lastFailure
  const report = mergeReport(consumer, answers)
  return {
    reportJson: JSON.stringify(providers.bureau.simulated ? { ...report, simulated: true } : report),
    agencies: results.map((each) => ('bureau' in each ? agencyOf(each) : each)),
    agencyMs,
  }
}

type BureauOptions = { providers: Pick<CheckOptions['providers'], 'bureau'> }

export function agencyOf({ bureau, noFile }: BureauAnswer): AgencyAnswer {
  return { id: bureau, status: noFile ? 'no-file' : 'answered' }
}
