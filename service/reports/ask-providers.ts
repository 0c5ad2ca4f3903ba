import type { GenerateRequest } from '../../contract/generate.ts'
import { validationError } from '../http/api-error.ts'
import type { TenantAccount } from '../tenants/store.ts'
import { type MadeReport, queryReport } from './query-bureaus.ts'
import type { ReportOptions } from './report-options.ts'

/** Longer than what the provider allows itself: it ends only a wait that a provider forgot to end. */
const RISK_TIMEOUT_MS = 6_000

/** What the outside world says about a consumer. */
export type Findings =
  | { decision: 'block' }
  | ({ decision: 'allow' } & MadeReport)
  | { decision: 'challenge'; mobileNumber: string; deviceVerified: boolean }

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
  const decision = await providers.risk.assess(question, AbortSignal.timeout(RISK_TIMEOUT_MS))
  if (decision === 'block') return { decision }
  if (decision === 'allow') {
    onSearch()
    return { decision, ...(await queryReport(options, { tenant, creditReportId, consumer: request })) }
  }

  const { mobileNumber } = request
  if (mobileNumber === undefined) {
    throw validationError([{ path: 'mobileNumber', expected: 'is required, because this check sends a code' }])
  }
  return { decision, mobileNumber, deviceVerified: device !== null }
}
