// The timeline of one check, step by step, with nothing about the person. An addition to the service interface.
import * as z from 'zod/mini'
import { REPORT_STATES, ReportReason } from './report-list.ts'

const EVENTS = [
  'link',
  'created',
  'device',
  'risk',
  'match',
  'text',
  'code',
  'agency',
  'complete',
  'blocked',
  'failed',
  'expired',
  'webhook',
  'given',
  'closed',
  'erased',
] as const

export const TimelineEvent = z.object({
  type: z.enum(EVENTS),
  /** Absent where the time is not kept. */
  at: z.optional(z.string()),
  /** The outcome of this step, in a word. */
  outcome: z.optional(z.string()),
  /** The agency, webhook address, person or API client. */
  who: z.optional(z.string()),
  /** When it is tried again. */
  nextAt: z.optional(z.string()),
  /** The step as a sentence. */
  says: z.string(),
})
export type TimelineEvent = z.infer<typeof TimelineEvent>

export const ReportTimeline = z.object({
  creditReportId: z.string(),
  /** The reference that a consumer sees and can read out. */
  reference: z.string(),
  externalReference: z.optional(z.string()),
  /** The `X-Request-Id` of the generate. */
  requestId: z.optional(z.string()),
  test: z.boolean(),
  status: z.enum(REPORT_STATES),
  reason: z.optional(ReportReason),
  /** Its state, as a sentence that can be read out to the consumer. */
  why: z.string(),
  createdAt: z.string(),
  endedAt: z.optional(z.string()),
  /** Oldest first. */
  events: z.array(TimelineEvent),
})
export type ReportTimeline = z.infer<typeof ReportTimeline>
