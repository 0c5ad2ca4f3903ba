// What the service tells a lender's server by itself, as the Standard Webhooks specification says. Thin: ids, status and reference; who
// wants the report fetches it. An addition to the service interface.
import * as z from 'zod/mini'

export const WEBHOOK_ID_HEADER = 'webhook-id'
export const WEBHOOK_TIMESTAMP_HEADER = 'webhook-timestamp'
export const WEBHOOK_SIGNATURE_HEADER = 'webhook-signature'
/** What every signing secret begins with; base64 follows. */
export const WEBHOOK_SECRET_PREFIX = 'whsec_'

/** How a report can end, as an event and as the status in it. */
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

/** The wallet has fallen below the tenant's threshold. */
const WalletLow = z.object({
  type: z.literal('wallet.low'),
  timestamp: z.string(),
  data: z.object({ tenantId: z.string(), balanceCredits: z.int(), thresholdCredits: z.int() }),
})

/** 80 % (`warning`) or all (`reached`) of what the tenant lets itself spend in an hour or a day. */
function spendEvent<Type extends 'spend.warning' | 'spend.reached'>(type: Type) {
  return z.object({
    type: z.literal(type),
    timestamp: z.string(),
    data: z.object({
      tenantId: z.string(),
      purpose: z.enum(['report', 'sms']),
      period: z.enum(['hour', 'day']),
      spentCredits: z.int(),
      capCredits: z.int(),
    }),
  })
}

export const WebhookEvent = z.union([
  reportEvent('credit-report.completed'),
  reportEvent('credit-report.blocked'),
  reportEvent('credit-report.failed'),
  reportEvent('credit-report.expired'),
  WalletLow,
  spendEvent('spend.warning'),
  spendEvent('spend.reached'),
])
export type WebhookEvent = z.infer<typeof WebhookEvent>
export type WebhookEventType = WebhookEvent['type']
