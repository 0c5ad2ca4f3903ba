// Values that the document's examples share.
import type { Agency, CreditReport } from '../contract/credit-report.ts'
import { sampleReport, sampleVerified } from '../contract/samples.ts'

// Ids as the service makes them: UUIDs of version 7.
export const CREDIT_REPORT_ID = sampleVerified.creditReportId
export const CHALLENGE_ID = '019a8756-1c9a-7d50-8b02-f3a94c61e7d4'
export const CREATED_AT = '2026-11-15T09:30:00.000Z'
export const ENDED_AT = '2026-11-15T09:31:12.000Z'
export const EXPIRES_AT = '2026-11-15T09:35:00.000Z'
export const LINK_ID = '019a8756-1f00-8c21-9a44-6b0d2e83f5c1'
export const REFERENCE = 'application-1042'
export const CLIENT_ID = 'demo-lender-0a1b2c3d4e'
export const SECRET_ID = '9f86d081'
export const WEBHOOK_ID = 'we-0a1b2c3d4e5f'
export const DELIVERY_ID = `019a8756-1e42-7b10-9d6c-0c5f8e21b3a7_${WEBHOOK_ID}`

/** A report and its agencies, as these bureaus would have made them. */
export type Sample = { creditReport: CreditReport; agencies: Agency[] }

export function sampleFrom(bureaus: readonly string[]): Sample {
  const records = sampleReport.consumerData.records.map((record) => ({
    ...record,
    bureaus: record.bureaus
      .slice(0, bureaus.length)
      .map((known, index) => ({ ...known, id: bureaus[index] ?? known.id })),
  }))
  return {
    creditReport: { ...sampleReport, consumerData: { records } },
    agencies: bureaus.map((id) => ({ id, status: 'answered' })),
  }
}
