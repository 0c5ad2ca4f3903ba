import type { Match } from '../../contract/credit-report.ts'
import type { GenerateRequest } from '../../contract/generate.ts'
import { describeError } from '../describe-error.ts'
import { validationError } from '../http/api-error.ts'
import { blameOf } from '../providers/providers.ts'
import type { TenantAccount } from '../tenants/store.ts'
import { type MadeReport, queryReport } from './query-bureaus.ts'
import type { ReportOptions } from './report-options.ts'

/** Outer limits; the adapters have shorter timeouts. */
const RISK_DEADLINE_MS = 6_000
const MATCH_DEADLINE_MS = 4_000

/** `match` is null where no one was asked; `isMatchPaid` when the provider answered. */
type Matched = { match: Match | null; isMatchPaid: boolean }

/** What the outside world says about a consumer. */
export type Findings =
  | { decision: 'block' }
  | ({ decision: 'allow' } & MadeReport & Matched)
  | ({ decision: 'challenge'; mobileNumber: string; deviceVerified: boolean } & Matched)

export type Question = {
  tenant: TenantAccount
  creditReportId: string
  request: GenerateRequest
  /** Called before the bureaus are asked. */
  onSearch: () => void
}

/**
 * Asks for the device, then for the risk; the bureaus only where no code is needed: a search leaves a mark on
 * the credit file of the person who was typed in. Throws what makes the report impossible.
 */
export async function askProviders(
  options: ReportOptions,
  { tenant, creditReportId, request, onSearch }: Question,
): Promise<Findings> {
  const { providers, claimDevice } = options
  const device = await claimDevice({ tenantId: tenant.id, sessionId: request.sessionId, consumer: request })
  const question = { creditReportId, tenantId: tenant.id, consumer: request, device }
  const decision = await providers.risk.assess(question, AbortSignal.timeout(RISK_DEADLINE_MS))
  if (decision === 'block') return { decision }
  if (decision === 'allow') {
    const matched = await askMatch(options, { tenant, creditReportId, request })
    onSearch()
    return { decision, ...matched, ...(await queryReport(options, { tenant, creditReportId, consumer: request })) }
  }

  const { mobileNumber } = request
  if (mobileNumber === undefined) {
    throw validationError([{ path: 'mobileNumber', expected: 'is required, because this check sends a code' }])
  }
  const matched = await askMatch(options, { tenant, creditReportId, request })
  return { decision, mobileNumber, deviceVerified: device !== null, ...matched }
}

/** Before the text. A provider that hangs or fails costs nothing and keeps no one from a check: then it is unknown. */
async function askMatch(
  { providers, log }: ReportOptions,
  { tenant, creditReportId, request }: Omit<Question, 'onSearch'>,
): Promise<Matched> {
  if (providers.match === null) return { match: null, isMatchPaid: false }
  const { mobileNumber } = request
  if (mobileNumber === undefined) return { match: 'unknown', isMatchPaid: false }
  const question = { creditReportId, tenantId: tenant.id, consumer: request, mobileNumber }
  try {
    const match = await providers.match.match(question, AbortSignal.timeout(MATCH_DEADLINE_MS))
    return { match, isMatchPaid: true }
  } catch (error) {
    log.warn('number not matched', { creditReportId, tenantId: tenant.id, ...blameOf(error), ...describeError(error) })
    return { match: 'unknown', isMatchPaid: false }
  }
}
