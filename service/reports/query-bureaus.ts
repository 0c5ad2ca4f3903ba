import { setMaxListeners } from 'node:events'
import type { Log } from '../log.ts'
import type { BureauConsumer } from '../providers/consumer.ts'
import { type BureauAnswer, type BureauProvider, ProviderUnavailable } from '../providers/providers.ts'
import type { TenantAccount } from '../tenants/store.ts'
import { mergeReport } from './merge.ts'
import type { ReportOptions } from './report-options.ts'
import { wasNeverAsked } from './search-limit.ts'
import type { AgencyAnswer } from './store.ts'

/** Outer limit for all bureaus together; the adapter has a shorter timeout for each. */
export const BUREAUS_DEADLINE_MS = 10_000

export type ReportQuestion = { tenant: TenantAccount; creditReportId: string; consumer: BureauConsumer }

/** The report as JSON, and what each agency of the request had to say. */
export type MadeReport = { reportJson: string; agencies: readonly AgencyAnswer[] }

/** Asks the bureaus. Called only for a consumer who is verified, or need not be. */
export async function queryReport(
  options: ReportOptions,
  { tenant, creditReportId, consumer }: ReportQuestion,
): Promise<MadeReport> {
  const { bureau } = options.providers
  const { answers, agencies } = await queryBureaus(
    { ...options, bureau },
    { consumer, creditReportId, tenantId: tenant.id, requireAll: tenant.requireAllBureaus },
    AbortSignal.timeout(BUREAUS_DEADLINE_MS),
  )
  const report = mergeReport(consumer, answers)
  return { reportJson: JSON.stringify(bureau.simulated ? { ...report, simulated: true } : report), agencies }
}

export function agencyOf({ bureau, noFile }: BureauAnswer): AgencyAnswer {
  return { id: bureau, status: noFile ? 'no-file' : 'answered' }
}

type BureauQuestion = {
  consumer: BureauConsumer
  creditReportId: string
  tenantId: string
  /** The tenant's choice: a report of every bureau asked for or none, or a report of those that answered. */
  requireAll: boolean
}

/**
 * Asks every bureau of the request at once, so that it takes as long as the slowest. Answers and agencies come in the order of the
 * request; an agency without an answer is named with the reason. Rejects with `ProviderUnavailable` when one is missing that the tenant cannot do without, or all are.
 */
export async function queryBureaus(
  {
    bureau: provider,
    log,
    onBureauMissing,
  }: { bureau: BureauProvider; log: Log } & Pick<ReportOptions, 'onBureauMissing'>,
  { consumer, creditReportId, tenantId, requireAll }: BureauQuestion,
  signal: AbortSignal,
): Promise<{ answers: BureauAnswer[]; agencies: AgencyAnswer[] }> {
  // Once the report cannot be had, waiting for the rest only costs the consumer time and the lender searches.
  const giveUp = new AbortController()
  // One listener per bureau is no leak, however many bureaus there are.
  setMaxListeners(0, giveUp.signal)
  const pass = () => giveUp.abort(signal.reason)
  signal.addEventListener('abort', pass, { once: true })
  if (signal.aborted) pass()

  let lastFailure: ProviderUnavailable | null = null
  const given = await Promise.all(
    consumer.bureaus.map(async (bureau): Promise<BureauAnswer | AgencyAnswer> => {
      try {
        return await provider.query(bureau, consumer, creditReportId, giveUp.signal)
      } catch (error) {
        if (requireAll) giveUp.abort(error)
        if (requireAll || !(error instanceof ProviderUnavailable)) throw error
        log.warn('bureau missing', { provider: bureau, code: error.reason, creditReportId, tenantId })
        onBureauMissing(bureau)
        lastFailure = error
        return { id: bureau, status: wasNeverAsked(error) ? 'not-asked' : 'unavailable' }
      }
    }),
  ).finally(() => signal.removeEventListener('abort', pass))
  const answers = given.flatMap((each) => ('bureau' in each ? [each] : []))
  if (lastFailure !== null && answers.length === 0) throw lastFailure
  return { answers, agencies: given.map((each) => ('bureau' in each ? agencyOf(each) : each)) }
}
