import * as z from 'zod/mini'
import { AddressEntry } from './address.ts'
import { boundedString, isSeen, opaqueString, optional, requiredString } from './bounded-string.ts'
import { agencies, BUREAUS, CreditReport, match } from './credit-report.ts'
import { CalendarDate, dateOfBirth } from './date-of-birth.ts'
import { meteredEnvelope } from './envelope.ts'
import {
  ADDRESSES_MAX,
  EMAIL_LENGTH_MAX,
  NAME_LENGTH_MAX,
  REFERENCE_LENGTH_MAX,
  SESSION_ID_LENGTH_MAX,
} from './limits.ts'

export const Gender = z.enum(['M', 'F'])
export type Gender = z.infer<typeof Gender>

/** The outcome that a test-mode request asks for. */
export const Branch = z.enum(['challenge', 'allow', 'block'])
export type Branch = z.infer<typeof Branch>

export const ChallengeOptions = z.object({ status: Branch })

const e164 = /^\+[1-9]\d{6,14}$/
/** International format with a leading plus sign. */
export const MobileNumber = z.string().check(z.regex(e164, 'must be an international number such as +447700900123'))
export type MobileNumber = z.infer<typeof MobileNumber>

// One @, something on both sides, no spaces: whether it exists is for a mail server to say.
export const EMAIL_SHAPE = /^[^\s@]+@[^\s@]+$/
export const Email = boundedString(EMAIL_LENGTH_MAX).check(z.regex(EMAIL_SHAPE, 'must be an e-mail address'))

/** The details that only the consumer can give; every request that starts a report carries them. */
export const consumerFields = {
  sessionId: opaqueString(SESSION_ID_LENGTH_MAX),
  firstName: requiredString(NAME_LENGTH_MAX).check(isSeen),
  lastName: requiredString(NAME_LENGTH_MAX).check(isSeen),
  dateOfBirth: CalendarDate,
  addresses: z.array(AddressEntry).check(z.minLength(1, 'needs at least one address'), z.maxLength(ADDRESSES_MAX)),
  title: optional(boundedString(NAME_LENGTH_MAX).check(isSeen)),
  middleName: optional(boundedString(NAME_LENGTH_MAX).check(isSeen)),
  gender: optional(Gender),
  mobileNumber: optional(MobileNumber),
  email: optional(Email),
}

const BUREAUS_NAMED_MAX = 20

type GenerateRules = {
  /** The bureaus this service can query. @default BUREAUS */
  bureaus?: readonly string[]
  /** The clock that ages are checked against. @default Date.now */
  nowMs?: () => number
}

/**
 * The generate request as a service with these rules accepts it. Unknown fields are dropped, repeated bureaus collapse.
 */
export function generateRequest({ bureaus = BUREAUS, nowMs = Date.now }: GenerateRules = {}) {
  return z.object({
    ...consumerFields,
    dateOfBirth: dateOfBirth(nowMs),
    bureaus: z.array(z.enum(bureaus as [string, ...string[]])).check(
      z.minLength(1, 'needs at least one bureau'),
      z.maxLength(BUREAUS_NAMED_MAX),
      z.overwrite((named) => [...new Set(named)]),
    ),
    ipAddress: z.union([z.ipv4(), z.ipv6()], {
      error: ({ input }) => (input === undefined ? 'is required' : 'must be an IPv4 or IPv6 address'),
    }),
    searchType: z.literal('pcp'),
    externalReference: optional(boundedString(REFERENCE_LENGTH_MAX)),
    test: optional(z.boolean()),
    challengeOptions: optional(ChallengeOptions),
  })
}

export const GenerateRequest = generateRequest()
export type GenerateRequest = z.infer<typeof GenerateRequest>

export const ChallengeReference = z.object({ challengeId: z.string() })

/** True for a report made in test mode; part of every answer about one. */
export const testMode = { test: z.optional(z.boolean()) }

export const Complete = z.object({
  status: z.literal('complete'),
  challengeType: z.literal('none'),
  creditReportId: z.string(),
  ...testMode,
  ...agencies,
  ...match,
  creditReport: CreditReport,
})
export type Complete = z.infer<typeof Complete>

export const AuthenticationRequired = z.object({
  status: z.literal('authentication-required'),
  challengeType: z.literal('otp'),
  creditReportId: z.string(),
  ...testMode,
  challenge: ChallengeReference,
})
export type AuthenticationRequired = z.infer<typeof AuthenticationRequired>

export const Blocked = z.object({ status: z.literal('blocked'), creditReportId: z.string(), ...testMode })
export type Blocked = z.infer<typeof Blocked>

export const GenerateResult = z.union([Complete, AuthenticationRequired, Blocked])
export type GenerateResult = z.infer<typeof GenerateResult>

export const GenerateResponse = meteredEnvelope(GenerateResult)
export type GenerateResponse = z.infer<typeof GenerateResponse>
