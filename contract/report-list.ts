// A lender's reports, newest first, with nothing about the people in them. An addition to the service interface.
import * as z from 'zod/mini'
import { boundedString, opaqueString } from './bounded-string.ts'
import { agencies } from './credit-report.ts'
import { CalendarDate } from './date-of-birth.ts'
import { envelope } from './envelope.ts'
import { PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX, REFERENCE_LENGTH_MAX } from './limits.ts'
import { readShortReference } from './short-reference.ts'

const pageSizeWords = `must be a whole number from 1 to ${PAGE_SIZE_MAX}`

/** Page size of a list; takes the digits of a query as well as a number. */
export const PageSize = z._default(
  z.pipe(
    z.transform((text) => (typeof text === 'string' && !/^\d{1,4}$/.test(text) ? text : Number(text))),
    z
      .number(pageSizeWords)
      .check(z.multipleOf(1, pageSizeWords), z.minimum(1, pageSizeWords), z.maximum(PAGE_SIZE_MAX, pageSizeWords)),
  ),
  PAGE_SIZE_DEFAULT,
)

//   pending ──▶ authentication-required ──▶ pending ──▶ complete
//      │                   ├──▶ failed
//      │                   └──▶ expired
//      ├──▶ complete
//      └──▶ blocked
/**
 * Unlike the answers to generate and a code: with `pending` and `expired`, without `retry`, because a challenge with
 * attempts left is open.
 */
export const REPORT_STATES = ['pending', 'authentication-required', 'complete', 'blocked', 'failed', 'expired'] as const

/** Why a check ended without a report, by the status it ended with. */
export const REASONS = {
  blocked: ['risk'],
  failed: [
    'attempts',
    'device',
    'mobile-number',
    'funds',
    'spend-cap',
    'text-limit',
    'provider',
    // The process that made it stopped.
    'interrupted',
  ],
  expired: ['timeout', 'agencies'],
} as const
export const ReportReason = z.enum([...REASONS.blocked, ...REASONS.failed, ...REASONS.expired])
export type ReportReason = z.infer<typeof ReportReason>

/**
 * The ending of a check: `complete`, or the reason it has no report. Lists, figures, filters and files all use these
 * words.
 */
export const ENDINGS = ['complete', ...REASONS.blocked, ...REASONS.failed, ...REASONS.expired] as const
export type Ending = (typeof ENDINGS)[number]

export const ENDED_STATUSES = ['complete', 'blocked', 'failed', 'expired'] as const satisfies (
  | 'complete'
  | keyof typeof REASONS
)[]
export type EndedStatus = (typeof ENDED_STATUSES)[number]

/** The status that goes with it. */
export function statusOfEnding(ending: Ending): EndedStatus {
  const has = (reasons: readonly Ending[]) => reasons.includes(ending)
  return ENDED_STATUSES.find((status) => status !== 'complete' && has(REASONS[status])) ?? 'complete'
}

const shortReferenceWords = 'must be the eight letters and digits that a consumer is shown, such as "K7QM 2F9H"'

/** The query of `GET /{tenantId}/v1/credit-reports`. */
export const ReportListQuery = z.object({
  /** Only the reports that were asked for under this reference. */
  externalReference: z.optional(boundedString(REFERENCE_LENGTH_MAX)),
  /**
   * Only the report with the short reference that a consumer reads out. Two of one lender can share one, which is very
   * unlikely.
   */
  reference: z.optional(
    z.pipe(
      z.string().check(z.maxLength(REFERENCE_LENGTH_MAX)),
      z.pipe(z.transform(readShortReference), z.string(shortReferenceWords)),
    ),
  ),
  status: z.optional(z.enum(REPORT_STATES)),
  reason: z.optional(ReportReason),
  test: z.optional(
    z.pipe(
      z.union([z.boolean(), z.enum(['true', 'false'])], 'must be true or false'),
      z.transform((text) => String(text) === 'true'),
    ),
  ),
  /** The first and the last day in the United Kingdom on which they were asked for, YYYY-MM-DD. */
  from: z.optional(CalendarDate),
  to: z.optional(CalendarDate),
  /** The `nextAfter` of the page before. */
  after: z.optional(opaqueString(REFERENCE_LENGTH_MAX)),
  limit: PageSize,
})
export type ReportListQuery = z.infer<typeof ReportListQuery>

export const ReportListItem = z.object({
  creditReportId: z.string(),
  /** The reference that a consumer sees and can read out. */
  reference: z.string(),
  status: z.enum(REPORT_STATES),
  /** Of a report that was blocked, failed or expired. */
  reason: z.optional(ReportReason),
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
