// What is personal about a report, as one sealed text.
import type { CreditReport } from '../../contract/credit-report.ts'
import { ApiError } from '../http/api-error.ts'
import { type Sealed, seal, unseal } from '../secrets/seal.ts'
import type { Queries } from '../store/database.ts'
import { findSealed } from './store.ts'

export type ReportContent = {
  /** Where the texts go; absent when there was no challenge, or in test mode. */
  mobileNumber?: string
  creditReport: CreditReport
}

type Place = { tenantId: string; reportId: string }

export function sealContent(key: Uint8Array, { tenantId, reportId }: Place, content: ReportContent): Sealed {
  return seal(key, { tenantId, rowId: reportId }, JSON.stringify(content))
}

/** Throws `credit-report-not-found` once the content has been erased or its time is over. */
export async function openContent(
  queries: Queries,
  key: Uint8Array,
  { tenantId, reportId }: Place,
): Promise<ReportContent> {
  const sealed = await findSealed(queries, reportId)
  if (sealed === null) throw reportNotFound()
  // Sealed by us and bound to this row, so it is what `sealContent` wrote.
  return JSON.parse(unseal(key, { tenantId, rowId: reportId }, sealed))
}

export function reportNotFound(): ApiError {
  return new ApiError('credit-report-not-found', 'there is no credit report with this id')
}
