// The state of a report, for a caller that lost the answer. An addition to the service interface.
import * as z from 'zod/mini'
import { agencies, CreditReport, match } from './credit-report.ts'

/** The fields of every report, with nothing about the person. */
const common = {
  creditReportId: z.string(),
  /** The short reference that a consumer is shown and reads out. */
  reference: z.string(),
  /** The caller's own reference, as it was given. */
  externalReference: z.optional(z.string()),
  test: z.boolean(),
  createdAt: z.string(),
}
/** When it completed, was blocked, failed or expired. */
const ended = { endedAt: z.string() }
/** One of `REASONS`, or a word that a later version of the service knows. */
const reason = z.string()
const afterChallenge = { challengeType: z.literal('otp') }

export const OpenChallenge = z.object({
  challengeId: z.string(),
  attemptsRemaining: z.int(),
  textsRemaining: z.int(),
  expiresAt: z.string(),
})
export type OpenChallenge = z.infer<typeof OpenChallenge>

export const PendingReport = z.object({ status: z.literal('pending'), ...common })

export const ChallengedReport = z.object({
  status: z.literal('authentication-required'),
  ...common,
  ...afterChallenge,
  challenge: OpenChallenge,
})

export const CompletedReport = z.object({
  status: z.literal('complete'),
  ...common,
  ...ended,
  challengeType: z.enum(['none', 'otp']),
  ...agencies,
  ...match,
  /** Absent once the time that reports are kept is over. */
  creditReport: z.optional(CreditReport),
})

export const BlockedReport = z.object({
  status: z.literal('blocked'),
  reason,
  ...common,
  ...ended,
})

export const FailedReport = z.object({
  status: z.literal('failed'),
  reason,
  ...common,
  ...ended,
  challengeType: z.optional(z.literal('otp')),
})

export const ExpiredReport = z.object({
  status: z.literal('expired'),
  reason,
  ...common,
  ...ended,
  ...afterChallenge,
})

export const ReportState = z.union([
  PendingReport,
  ChallengedReport,
  CompletedReport,
  BlockedReport,
  FailedReport,
  ExpiredReport,
])
export type ReportState = z.infer<typeof ReportState>
