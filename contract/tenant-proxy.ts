// The messages between the widget and the lender's tenant proxy. The proxy adds what only the lender knows
// (tenant, bureaus, test mode, client address) and takes away what only the lender may see (the wallet).
import * as z from 'zod/mini'
import { FoundAddress } from './address.ts'
import { agencies, ReceivedReport } from './credit-report.ts'
import { ADDRESSES_MAX } from './limits.ts'

/** Everything the code screen needs, in time left rather than clock time: a phone's clock may be wrong. */
export const ChallengeState = z.object({
  challengeId: z.string(),
  expiresInSeconds: z.number(),
  attemptsRemaining: z.int(),
  textsRemaining: z.int(),
  /** The last digits of the number the text went to. */
  mobileNumberEnding: z.optional(z.string()),
})
export type ChallengeState = z.infer<typeof ChallengeState>

/** The part of a report that the lender shows its consumers. */
export const ReportSummary = z.object({
  openAccounts: z.int(),
  settledAccounts: z.int(),
  searches: z.int(),
})
export type ReportSummary = z.infer<typeof ReportSummary>

/** The applicant's details from the lender's start: shown, not asked for. */
export const KnownApplicant = z.object({
  title: z.optional(z.string()),
  firstName: z.optional(z.string()),
  middleName: z.optional(z.string()),
  lastName: z.optional(z.string()),
  dateOfBirth: z.optional(z.string()),
  mobileNumber: z.optional(z.string()),
  email: z.optional(z.string()),
  /** Newest first. */
  addresses: z.optional(z.array(FoundAddress)),
})
export type KnownApplicant = z.infer<typeof KnownApplicant>

/** The typed values by the name of their input, exactly as typed: half a postcode, too. */
const DraftInputs = z.record(z.string().check(z.regex(/^[A-Za-z]{1,40}$/)), z.string().check(z.maxLength(300)))

/**
 * `POST {endpoint}/draft`: what the consumer has typed so far, for a reload of the same tab. Never that they agreed to
 * anything.
 */
export const Draft = z.object({
  /**
   * Another each time it is written: a tab that was reloaded in mid-request knows by it that these are the details it
   * has sent.
   */
  id: z.string().check(z.maxLength(64)),
  /** The screen they were on. */
  step: z.enum(['details', 'address', 'answers']),
  /** On `address`: which one, counted from 0. */
  index: z.int().check(z.minimum(0), z.maximum(ADDRESSES_MAX)),
  person: DraftInputs,
  /** Newest first. */
  addresses: z.array(DraftInputs).check(z.maxLength(ADDRESSES_MAX)),
  /** They lived outside the UK before the oldest of the addresses. */
  abroadBefore: z.boolean(),
  /** Whom the lender's page knew: a draft about another person is not shown. */
  about: z.string().check(z.maxLength(1_000)),
})
export type Draft = z.infer<typeof Draft>

/** Lifetime of a draft after it was last written. */
export const DRAFT_LIFETIME_MS = 1_800_000

const ProxyMeta = z.object({
  /** True while the proxy runs in test mode: the widget marks everything it shows as synthetic. */
  test: z.boolean(),
  /** The address of the fingerprint script, for a page that did not load it itself. */
  fingerprintSrc: z.optional(z.string()),
  /** True where `GET {endpoint}/addresses` finds the addresses of a postcode. */
  findsAddresses: z.optional(z.boolean()),
  /** True where `POST {endpoint}/steps` counts screens of the form. */
  takesSteps: z.optional(z.boolean()),
  /** The agencies a check asks, for the notice before it. */
  bureaus: z.optional(z.array(z.string())),
  /** From `/current`: the `nonce` of the request, when it has 1 to 64 letters, digits, `-` and `_`. */
  nonce: z.optional(z.string()),
  /**
   * From `/current`, where there is nothing to come back to: whether the browser sent back the cookie of an earlier
   * answer.
   */
  cookieKept: z.optional(z.boolean()),
  /** From `/current`, when the request brought a start. */
  known: z.optional(KnownApplicant),
  /** From `/current`: what this tab has typed before; null when there is nothing. Absent where no drafts are kept. */
  draft: z.optional(z.nullable(Draft)),
})

/** Time for which a browser can return to a check that has ended, unless the lender allows less for a report. */
export const SHOWN_AFTER_END_MS = 900_000

/**
 * The answer to `POST {endpoint}`, `POST {endpoint}/{id}/otp-challenge`, `GET {endpoint}/current` and `DELETE
 * {endpoint}/current`. Read by `status`; the optional parts belong to the statuses named beside them.
 */
export const ProxyReport = z.object({
  meta: ProxyMeta,
  data: z.object({
    /**
     * One of the report statuses; from `/current` also `expired`, or `none` when this browser has nothing to come back
     * to.
     */
    status: z.string(),
    creditReportId: z.optional(z.string()),
    /** `authentication-required`: `otp`. A reader that meets another type says the check is unavailable. */
    challengeType: z.optional(z.string()),
    /** `authentication-required` and `retry`. */
    challenge: z.optional(ChallengeState),
    /** `retry`. */
    attemptsRemaining: z.optional(z.int()),
    /** `complete`, when the lender exposes the whole report. */
    creditReport: z.optional(ReceivedReport),
    /** `complete` with a report or a summary. */
    ...agencies,
    /** `complete`, when the lender exposes a summary. */
    summary: z.optional(ReportSummary),
    /**
     * `complete`: there is a report, and this answer does not carry it. With `opening` it can be opened, without it
     * never again.
     */
    closed: z.optional(z.boolean()),
    /** `complete`: how long, and how often at most, a date of birth opens the report. */
    opening: z.optional(z.object({ expiresInSeconds: z.number(), attemptsRemaining: z.int() })),
  }),
})
export type ProxyReport = z.infer<typeof ProxyReport>

/** The answer to `POST {endpoint}/{id}/resend-sms`. */
export const ProxyResend = z.object({
  meta: ProxyMeta,
  data: z.object({ remainingSmsCount: z.int(), smsSentCount: z.int(), challenge: ChallengeState }),
})
export type ProxyResend = z.infer<typeof ProxyResend>

/** The answer to `GET {endpoint}/addresses?postcode=…`. */
export const ProxyAddresses = z.object({
  meta: ProxyMeta,
  data: z.object({ addresses: z.array(FoundAddress) }),
})
export type ProxyAddresses = z.infer<typeof ProxyAddresses>

/**
 * With `testScenarios` on, the whole mount is repeated below `{endpoint}/test/{branch}/{scenario}/{label}`, so that a
 * preview can choose a flow with nothing but the element's `endpoint`. Each such path keeps its own cookie; `label`
 * tells two runs of the same flow apart.
 */
export const TEST_SCENARIO_PATH = 'test'
export const SCENARIOS = ['test001', 'test002', 'test003', 'test004', 'default'] as const
export type Scenario = (typeof SCENARIOS)[number]

/**
 * Set by the service on answers that leave a challenge open: whole seconds until it expires; 0 on a repeated answer
 * whose challenge is over.
 */
export const CHALLENGE_EXPIRES_IN_HEADER = 'X-Challenge-Expires-In'
