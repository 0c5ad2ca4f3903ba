// A lender's reports, newest first, with nothing about the people in them. An addition to the service interface.
import * as z from 'zod/mini'
import { boundedString, opaqueString } from './bounded-string.ts'
import { agencies } from './credit-report.ts'
import { envelope } from './envelope.ts'
import { PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX, REFERENCE_LENGTH_MAX } from './limits.ts'
import { REPORT_STATES } from './report-state.ts'

const pageSizeWords = `must be a whole number from 1 to ${PAGE_SIZE_MAX}`

/** How many entries of a list one answer holds; takes the digits of a query as well as a number. */
export const PageSize = z._default(
  z.pipe(
    z.transform((given) => (typeof given === 'string' && !/^\d{1,4}$/.test(given) ? given : Number(given))),
    z
      .number(pageSizeWords)
      .check(z.multipleOf(1, pageSizeWords), z.minimum(1, pageSizeWords), z.maximum(PAGE_SIZE_MAX, pageSizeWords)),
  ),
  PAGE_SIZE_DEFAULT,
)

/** The query of `GET /{tenantId}/v1/credit-reports`. */
export const ReportListQuery = z.object({
  /** Only the reports that were asked for under this reference. */
  externalReference: z.optional(boundedString(REFERENCE_LENGTH_MAX)),
  /** The `nextAfter` of the page before. */
  after: z.optional(opaqueString(REFERENCE_LENGTH_MAX)),
  limit: PageSize,
})
export type ReportListQuery = z.infer<typeof ReportListQuery>

export const ReportListItem = z.object({
  creditReportId: z.string(),
  status: z.enum(REPORT_STATES),
  /** Absent until it is known, and when the report was blocked. */
  challengeType: z.optional(z.enum(['none', 'otp'])),
  externalReference: z.optional(z.string()),
  test: z.boolean(),
  ...agencies,
  createdAt: z.string(),
  /** Absent while the report is in progress. */
  endedAt: z.optional(z.string()),
})
export type ReportListItem = z.infer<typeof ReportListItem>

export const ReportList = z.object({
  creditReports: z.array(ReportListItem),
  /** Pass as `?after=` for the next, older page; absent on the last. */
  nextAfter: z.optional(z.string()),
})
export type ReportList = z.infer<typeof ReportList>

export const ReportListResponse = envelope(ReportList)
export type ReportListResponse = z.infer<typeof ReportListResponse>
