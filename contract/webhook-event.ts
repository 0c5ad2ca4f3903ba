// The events that the service sends to a lender's server, as the Standard Webhooks specification describes. Thin: ids,
// status and reference; who wants the report fetches it. An addition to the service interface.
import * as z from 'zod/mini'
import { agencies } from './credit-report.ts'

export const WEBHOOK_ID_HEADER = 'webhook-id'
export const WEBHOOK_TIMESTAMP_HEADER = 'webhook-timestamp'
export const WEBHOOK_SIGNATURE_HEADER = 'webhook-signature'
/** The prefix of every signing secret; base64 follows. */
export const WEBHOOK_SECRET_PREFIX = 'whsec_'

/** The endings of a report, as an event and as the status in it. */
const ENDS = {
  'credit-report.completed': 'complete',
  'credit-report.blocked': 'blocked',
  'credit-report.failed': 'failed',
  'credit-report.expired': 'expired',
} as const

function reportEvent<Type extends keyof typeof ENDS>(type: Type) {
  return z.object({
    type: z.literal(type),
    timestamp: z.string(),
    data: z.object({
      tenantId: z.string(),
      creditReportId: z.string(),
      status: z.literal(ENDS[type]),
      externalReference: z.optional(z.string()),
      test: z.boolean(),
    }),
  })
}

const completed = reportEvent('credit-report.completed')
export const CreditReportCompleted = z.extend(completed, { data: z.extend(completed.shape.data, agencies) })
export const CreditReportBlocked = reportEvent('credit-report.blocked')
export const CreditReportFailed = reportEvent('credit-report.failed')
export const CreditReportExpired = reportEvent('credit-report.expired')

/** The wallet has fallen below the tenant's threshold. */
export const WalletLow = z.object({
  type: z.literal('wallet.low'),
  timestamp: z.string(),
  data: z.object({ tenantId: z.string(), balanceCredits: z.int(), thresholdCredits: z.int() }),
})

export const Spend = z.object({
  tenantId: z.string(),
  purpose: z.enum(['report', 'text']),
  period: z.enum(['hour', 'day']),
  spentCredits: z.int(),
  capCredits: z.int(),
})

/** 80 % (`warning`) or all (`reached`) of what the tenant lets itself spend in an hour or a day. */
function spendEvent<Type extends 'spend.warning' | 'spend.reached'>(type: Type) {
  return z.object({
    type: z.literal(type),
    timestamp: z.string(),
    data: Spend,
  })
}

export const SpendWarning = spendEvent('spend.warning')
export const SpendReached = spendEvent('spend.reached')

/**
 * Once a day: the newest link of the lender's audit trail. A trail that was changed afterwards no longer leads to it.
 */
export const AuditHead = z.object({
  type: z.literal('audit.head'),
  timestamp: z.string(),
  data: z.object({
    tenantId: z.string(),
    /** The number of events in the chain. */
    position: z.int(),
    /** SHA-256 in hexadecimal. */
    hash: z.string(),
    /** The same, signed by a key of `/.well-known/jwks.json`. */
    jws: z.string(),
  }),
})

/** A person pressed "Send a test event": nothing happened. */
export const EndpointTest = z.object({
  type: z.literal('endpoint.test'),
  timestamp: z.string(),
  data: z.object({ tenantId: z.string(), endpointId: z.string() }),
})

export const WebhookEvent = z.union([
  CreditReportCompleted,
  CreditReportBlocked,
  CreditReportFailed,
  CreditReportExpired,
  WalletLow,
  SpendWarning,
  SpendReached,
  AuditHead,
  EndpointTest,
])
export type WebhookEvent = z.infer<typeof WebhookEvent>
export type WebhookEventType = WebhookEvent['type']

/** The types that an address can be limited to; a test event goes to the address that was tested. */
export const CHOSEN_EVENT_TYPES = [
  'credit-report.completed',
  'credit-report.blocked',
  'credit-report.failed',
  'credit-report.expired',
  'wallet.low',
  'spend.warning',
  'spend.reached',
  'audit.head',
] as const satisfies readonly WebhookEventType[]
export const WEBHOOK_EVENT_TYPES = [...CHOSEN_EVENT_TYPES, 'endpoint.test'] as const

/** An event without its time, which is added when it is queued. */
export type WebhookFact = WebhookEvent extends infer Event
  ? Event extends { timestamp: string }
    ? Omit<Event, 'timestamp'>
    : never
  : never
