// A lender's API clients, webhooks and their deliveries, as programs read and change them.
import * as z from 'zod/mini'
import { isSeen, requiredString } from './bounded-string.ts'
import { CHOSEN_EVENT_TYPES } from './webhook-event.ts'

/** The name people give an API client: `Webshop`, `Branch 12`. */
export const CLIENT_NAME_LENGTH_MAX = 60
export const ClientName = requiredString(CLIENT_NAME_LENGTH_MAX).check(isSeen)

/** Hours for which older secrets still work beside a new one. */
export const OVERLAP_DEFAULT_HOURS = 24
const OVERLAP_MAX_HOURS = 168
const SECRET_DAYS_MAX = 3_650
export const WEBHOOK_URL_LENGTH_MAX = 500

const OverlapHours = z.int().check(z.minimum(0), z.maximum(OVERLAP_MAX_HOURS))
const SecretDays = z.int().check(z.minimum(1), z.maximum(SECRET_DAYS_MAX))

export const ClientSecret = z.object({
  id: z.string(),
  createdAt: z.string(),
  lastUsedAt: z.optional(z.string()),
  endsAt: z.optional(z.string()),
})

export const ApiClient = z.object({
  id: z.string(),
  name: z.string(),
  scopes: z.array(z.string()),
  testOnly: z.boolean(),
  madeBy: z.optional(z.string()),
  createdAt: z.string(),
  lastUsedAt: z.optional(z.string()),
  revokedAt: z.optional(z.string()),
  secrets: z.array(ClientSecret),
})
export type ApiClient = z.infer<typeof ApiClient>

export const ApiClients = z.object({ clients: z.array(ApiClient) })
export type ApiClients = z.infer<typeof ApiClients>

/** `Scopes`: what a client may be given. */
export function newApiClient<Scopes extends readonly [string, ...string[]]>(scopes: Scopes) {
  return z.object({
    name: ClientName,
    scopes: z.optional(z.array(z.enum(scopes)).check(z.minLength(1), z.maxLength(scopes.length))),
    testOnly: z.optional(z.boolean()),
    secretEndsInDays: z.optional(SecretDays),
  })
}

export const RenameApiClient = z.object({ name: ClientName })

export const ReplaceClientSecret = z.object({
  overlapHours: z.optional(OverlapHours),
  secretEndsInDays: z.optional(SecretDays),
})

/** The only answer that the secret is in. */
export const MadeClientSecret = z.object({ clientId: z.string(), secretId: z.string(), clientSecret: z.string() })
export type MadeClientSecret = z.infer<typeof MadeClientSecret>

const EventTypes = z.array(z.enum(CHOSEN_EVENT_TYPES)).check(z.minLength(1), z.maxLength(CHOSEN_EVENT_TYPES.length))

/** `types`: absent where all events go there. */
export const Webhook = z.object({ id: z.string(), url: z.string(), types: z.optional(EventTypes) })
export type Webhook = z.infer<typeof Webhook>
export const Webhooks = z.object({ webhooks: z.array(Webhook) })
export type Webhooks = z.infer<typeof Webhooks>

export const NewWebhook = z.object({
  url: z.string().check(z.minLength(1), z.maxLength(WEBHOOK_URL_LENGTH_MAX)),
  /** @default all */
  types: z.optional(EventTypes),
})

export const RotateWebhookSecret = z.object({ overlapHours: z.optional(OverlapHours) })

/** The only answer that the secret is in. */
export const MadeWebhook = z.object({ id: z.string(), url: z.string(), signingSecret: z.string() })
export type MadeWebhook = z.infer<typeof MadeWebhook>

export const DELIVERY_STATUSES = ['queued', 'delivered', 'parked'] as const

export const WebhookAttempt = z.object({ startedAt: z.string(), outcome: z.string(), tookMs: z.int() })

export const WebhookDelivery = z.object({
  id: z.string(),
  webhookId: z.string(),
  url: z.string(),
  type: z.string(),
  creditReportId: z.optional(z.string()),
  status: z.enum(DELIVERY_STATUSES),
  attempts: z.int(),
  lastOutcome: z.optional(z.string()),
  /** The first kilobyte. */
  lastAnswer: z.optional(z.string()),
  createdAt: z.string(),
  nextTryAt: z.optional(z.string()),
  body: z.string(),
  newestAttempts: z.array(WebhookAttempt),
})
export type WebhookDelivery = z.infer<typeof WebhookDelivery>

/** The answer to sending all failed events again. */
export const WebhookResends = z.object({
  /** The number that is queued. */
  events: z.int(),
})

export const WebhookDeliveries = z.object({
  deliveries: z.array(WebhookDelivery),
  nextAfter: z.optional(z.string()),
})
export type WebhookDeliveries = z.infer<typeof WebhookDeliveries>
