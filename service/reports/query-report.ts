import type { BureauConsumer } from '../providers/providers.ts'
import { queryBureaus } from '../providers/query-bureaus.ts'
import type { TenantAccount } from '../tenants/store.ts'
import { mergeReport } from './merge.ts'
import type { ReportOptions } from './report-options.ts'

/** Longer than what each bureau allows itself: it ends only a wait that a bureau forgot to end. */
export const BUREAU_TIMEOUT_MS = 10_000

export type ReportQuestion = { tenant: TenantAccount; creditReportId: string; consumer: BureauConsumer }

/** Asks the bureaus; resolves to the report as JSON. Only ever about somebody who is verified, or needs not be. */
export async function queryReport(
  { providers, log, onBureauMissing: onMissing }: ReportOptions,
  { tenant, creditReportId, consumer }: ReportQuestion,
): Promise<string> {
  const { id: tenantId, requireAllBureaus: requireAll } = tenant
  const answers = await queryBureaus(
    { bureau: providers.bureau, log },
    { consumer, creditReportId, tenantId, requireAll, onMissing },
    AbortSignal.timeout(BUREAU_TIMEOUT_MS),
  )
  const report = mergeReport(consumer, answers)
  return JSON.stringify(providers.bureau.simulated ? { ...report, simulated: true } : report)
}
