// The audit trail of a lender: who did what, when. These resources are additions to the service interface.
import * as z from 'zod/mini'
import { boundedString } from './bounded-string.ts'
import { CalendarDate } from './date-of-birth.ts'
import { Meta } from './envelope.ts'
import { NAME_LENGTH_MAX } from './limits.ts'
import { PageSize } from './report-list.ts'

/** The outcomes that events can be filtered by. */
const AUDIT_OUTCOMES = ['done', 'refused'] as const

/** The filters of the audit trail, all of which must match. */
const AuditFilter = {
  /** A person's name or part of it, their e-mail address, a client's id or a person's. */
  who: z.optional(boundedString(NAME_LENGTH_MAX)),
  /** The id or the name, or part of the name, of what it was done to. */
  object: z.optional(boundedString(NAME_LENGTH_MAX)),
  /** An action, such as `caps.set`. */
  action: z.optional(boundedString(NAME_LENGTH_MAX)),
  /** The first and the last UK day. */
  from: z.optional(CalendarDate),
  to: z.optional(CalendarDate),
  outcome: z.optional(z.enum(AUDIT_OUTCOMES)),
}
export const AuditFilters = z.object(AuditFilter)
export type AuditFilters = z.infer<typeof AuditFilters>

/** The query of `GET /{tenantId}/v1/audit`. */
export const AuditQuery = z.object({
  ...AuditFilter,
  /** The `nextAfter` of the page before. */
  after: z.optional(boundedString(NAME_LENGTH_MAX)),
  limit: PageSize,
})

export const AuditActor = z.object({
  kind: z.enum(['person', 'client', 'operator', 'unknown']),
  id: z.optional(z.string()),
  name: z.optional(z.string()),
  email: z.optional(z.string()),
})

export const AuditEntry = z.object({
  id: z.string(),
  createdAt: z.string(),
  actor: AuditActor,
  action: z.string(),
  object: z.optional(z.string()),
  /** The name of the object as it was then. */
  objectName: z.optional(z.string()),
  /** The change, as JSON. */
  from: z.optional(z.string()),
  to: z.optional(z.string()),
  address: z.optional(z.string()),
  outcome: z.string(),
  /** Its place in the lender's chain, and its hash; absent for the seconds until it is linked. */
  position: z.optional(z.int()),
  hash: z.optional(z.string()),
})
export type AuditEntry = z.infer<typeof AuditEntry>

/** The last whole check of the trail's chain of hashes. */
export const AuditVerified = z.object({
  /** Events up to this number are as they were written. */
  position: z.int(),
  checkedAt: z.string(),
  /** Its finding; absent when nothing is wrong. */
  problem: z.optional(z.string()),
})

export const AuditTrail = z.object({
  events: z.array(AuditEntry),
  /** Absent before the first check. */
  verified: z.optional(AuditVerified),
  /**
   * Pass as `?after=` for the next, older page; absent on the last. A page with filters may be short, or empty, and
   * have one.
   */
  nextAfter: z.optional(z.string()),
})
export type AuditTrail = z.infer<typeof AuditTrail>

/** The query of `GET /{tenantId}/v1/audit/heads`. */
export const AuditHeadQuery = z.object({
  /** The `nextAfter` of the page before: a UTC day. */
  after: z.optional(CalendarDate),
  limit: PageSize,
})

/** The signed head of one day. */
export const AuditHeadItem = z.object({
  signedAt: z.string(),
  position: z.int(),
  hash: z.string(),
  jws: z.string(),
})

export const AuditHeads = z.object({
  heads: z.array(AuditHeadItem),
  /** Pass as `?after=` for the next, older page; absent on the last. */
  nextAfter: z.optional(z.string()),
})

export const AuditHeadsResponse = z.object({ meta: Meta, data: AuditHeads })
export type AuditHeadsResponse = z.infer<typeof AuditHeadsResponse>
