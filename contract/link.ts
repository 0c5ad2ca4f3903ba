// A check behind a link. An addition to the service interface.
import * as z from 'zod/mini'
import { UkAddress } from './address.ts'
import { boundedString, optional } from './bounded-string.ts'
import { envelope } from './envelope.ts'
import { consumerFields } from './generate.ts'
import { PAGE_URL_LENGTH_MAX } from './lender-page.ts'
import { ADDRESSES_MAX, REFERENCE_LENGTH_MAX } from './limits.ts'
import { PageSize, REPORT_STATES } from './report-list.ts'

const LINK_MINUTES_MIN = 5
export const LINK_MINUTES_MAX = 10_080
export const LINK_MINUTES_DEFAULT = 1_440
/** Dates of birth that may be tried on other devices, for each link. */
export const LINK_TRIES_MAX = 3

const { sessionId: _device, addresses: _addresses, ...personFields } = consumerFields

export const LinkPerson = z.partial(z.strictObject(personFields))

/** The lender's details of the applicant, who sees them and cannot change them. */
export const LinkStart = z.strictObject({
  person: z.optional(LinkPerson),
  addresses: z.optional(z.array(UkAddress).check(z.minLength(1), z.maxLength(ADDRESSES_MAX))),
})
export type LinkStart = z.infer<typeof LinkStart>

const minutesWords = `must be a whole number from ${LINK_MINUTES_MIN} to ${LINK_MINUTES_MAX}`

export const NewLink = z.object({
  externalReference: optional(boundedString(REFERENCE_LENGTH_MAX)),
  start: optional(LinkStart),
  /** The address the consumer may return to afterwards; it must start with one on the lender's list. */
  returnUrl: optional(z.string().check(z.maxLength(PAGE_URL_LENGTH_MAX))),
  expiresInMinutes: optional(
    z.int(minutesWords).check(z.minimum(LINK_MINUTES_MIN, minutesWords), z.maximum(LINK_MINUTES_MAX, minutesWords)),
  ),
  test: optional(z.boolean()),
})
export type NewLink = z.infer<typeof NewLink>

export const MadeLink = z.object({
  linkId: z.string(),
  /** Anyone who has it can do the check. It is in no other answer. */
  url: z.string(),
  expiresAt: z.string(),
})
export type MadeLink = z.infer<typeof MadeLink>

//   new ──▶ opened ──▶ started ──▶ complete
//    └─────────┴──────────┴──▶ expired, revoked
const LINK_STATES = ['new', 'opened', 'started', 'complete', 'expired', 'revoked'] as const
export type LinkState = (typeof LINK_STATES)[number]

/** The newest check of a link. */
export const LinkCheck = z.object({ creditReportId: z.string(), status: z.enum(REPORT_STATES) })

export const HostedLink = z.object({
  linkId: z.string(),
  status: z.enum(LINK_STATES),
  test: z.boolean(),
  externalReference: z.optional(z.string()),
  returnUrl: z.optional(z.string()),
  createdAt: z.string(),
  expiresAt: z.string(),
  openedAt: z.optional(z.string()),
  /** Absent until a check has begun. */
  check: z.optional(LinkCheck),
})
export type HostedLink = z.infer<typeof HostedLink>
export const LinkResponse = envelope(HostedLink)
export type LinkResponse = z.infer<typeof LinkResponse>

export const LinkListQuery = z.object({
  externalReference: z.optional(boundedString(REFERENCE_LENGTH_MAX)),
  after: z.optional(z.string()),
  limit: PageSize,
})

export const LinkList = z.object({ links: z.array(HostedLink), nextAfter: z.optional(z.string()) })
export type LinkList = z.infer<typeof LinkList>
