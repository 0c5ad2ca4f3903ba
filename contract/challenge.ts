import * as z from 'zod/mini'
import { opaqueString } from './bounded-string.ts'
import { agencies, CreditReport, match } from './credit-report.ts'
import { envelope, meteredEnvelope } from './envelope.ts'
import { testMode } from './generate.ts'
import { CODE_TEXT_LENGTH_MAX, REFERENCE_LENGTH_MAX } from './limits.ts'

export const OtpSubmit = z.object({
  challengeId: opaqueString(REFERENCE_LENGTH_MAX),
  // Any string is a guess; only an absent or empty code, or one that is no string, is refused before it counts as one.
  code: opaqueString(CODE_TEXT_LENGTH_MAX),
})
export type OtpSubmit = z.infer<typeof OtpSubmit>

export const Verified = z.object({
  status: z.literal('complete'),
  creditReportId: z.string(),
  ...testMode,
  ...agencies,
  ...match,
  creditReport: CreditReport,
})
export type Verified = z.infer<typeof Verified>

export const Retry = z.object({
  status: z.literal('retry'),
  creditReportId: z.string(),
  ...testMode,
  errorMessage: z.string(),
  attemptsRemaining: z.int(),
})
export type Retry = z.infer<typeof Retry>

export const Failed = z.object({
  status: z.literal('failed'),
  creditReportId: z.string(),
  ...testMode,
  errorMessage: z.string(),
})
export type Failed = z.infer<typeof Failed>

export const OtpResult = z.union([Verified, Retry, Failed])
export type OtpResult = z.infer<typeof OtpResult>

export const OtpResponse = meteredEnvelope(OtpResult)
export type OtpResponse = z.infer<typeof OtpResponse>

export const ResendSms = z.object({ challengeId: opaqueString(REFERENCE_LENGTH_MAX) })
export type ResendSms = z.infer<typeof ResendSms>

export const ResendResult = z.object({ remainingSmsCount: z.int(), smsSentCount: z.int() })
export type ResendResult = z.infer<typeof ResendResult>

export const ResendResponse = envelope(ResendResult)
export type ResendResponse = z.infer<typeof ResendResponse>
