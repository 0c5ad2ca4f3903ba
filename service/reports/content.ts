// What is personal about a report, sealed as one text: the mobile number on the first line, then the report as JSON.
// The report is written once, when it is made. From then on it is a text that goes into the answer as it is.

import { type Sealed, seal, unseal } from '../../kit/seal.ts'
import { ApiError } from '../http/api-error.ts'
import type { Queries } from '../store/database.ts'
import { findSealed } from './store.ts'

export type ReportContent = {
  /** Where the texts go; null when there is no challenge, or in test mode. */
  mobileNumber: string | null
  /** The `CreditReport`, as JSON. */
  reportText: string
}

type Place = { tenantId: string; creditReportId: string }

export function sealContent(
  key: Uint8Array,
  { tenantId, creditReportId }: Place,
  { mobileNumber, reportText }: ReportContent,
): Sealed {
  return seal(key, { tenantId, rowId: creditReportId }, `${mobileNumber ?? ''}\n${reportText}`)
}

/** Throws `credit-report-not-found` once the content has been erased or its time is over. */
export async function openContent(
  queries: Queries,
  key: Uint8Array,
  { tenantId, creditReportId }: Place,
): Promise<ReportContent> {
  const sealed = await findSealed(queries, creditReportId)
  if (sealed === null) throw reportNotFound()
  const content = unseal(key, { tenantId, rowId: creditReportId }, sealed)
  const lineEnd = content.indexOf('\n')
  return { mobileNumber: content.slice(0, lineEnd) || null, reportText: content.slice(lineEnd + 1) }
}

/** Where the texts of this report go. Only a report with a challenge is asked, and that has a number. */
export async function openMobileNumber(queries: Queries, key: Uint8Array, place: Place): Promise<string> {
  const { mobileNumber } = await openContent(queries, key, place)
  if (mobileNumber === null) throw new Error('a challenged report has no mobile number')
  return mobileNumber
}

/** The same for the sweeper, to which an erased report is no error: there is nobody to text. */
export function createMobileNumberReader(queries: Queries, key: Uint8Array) {
  return (place: Place): Promise<string | null> =>
    openMobileNumber(queries, key, place).catch((error: unknown) => {
      if (error instanceof ApiError && error.code === 'credit-report-not-found') return null
      throw error
    })
}

export function reportNotFound(): ApiError {
  return new ApiError('credit-report-not-found', 'there is no credit report with this id')
}
