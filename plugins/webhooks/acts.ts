// Changes of webhooks and of queued events.
import * as z from 'zod/mini'
import { NewWebhook, OVERLAP_DEFAULT_HOURS, RotateWebhookSecret } from '../../contract/integration.ts'
import { HOUR_MS } from '../../kit/clock.ts'
import { act } from '../../service/act/act.ts'
import { ApiError, validationError } from '../../service/http/api-error.ts'
import { resend, resendFailed, showDelivery } from './deliveries.ts'
import { addEndpoint, ENDPOINTS_MAX, removeEndpoint, rotateSecret } from './endpoints.ts'
import { problemOfTarget, webhookRulesOf } from './target.ts'

const webhookId = z.string()
const common = {
  doors: ['console', 'api', 'admin'],
  permission: 'integration',
  scope: 'settings',
  fresh: false,
} as const

export const addWebhook = act({
  ...common,
  name: 'webhook.add',
  says: 'Add a webhook; its signing secret is shown once',
  reads: NewWebhook,
  words: ['url'],
  fresh: true,
  audit: 'webhook.add',
  async run({ config, keys, clock }, { tenantId, acting }, { url, types }) {
    const problem = problemOfTarget(url, webhookRulesOf(config))
    if (problem !== null) throw validationError([{ path: 'url', expected: problem }])
    const added = await addEndpoint(acting, keys.webhooks, { tenantId, url, types, nowMs: clock() })
    if (added !== null) return { id: added.id, url, signingSecret: added.secret }
    throw validationError([{ path: 'url', expected: `cannot be added: there are ${ENDPOINTS_MAX} already` }])
  },
})

export const rotateWebhook = act({
  ...common,
  name: 'webhook.rotate',
  says: 'Give a webhook a new signing secret, shown once; the others work for another day, or for the hours given',
  reads: z.extend(RotateWebhookSecret, { webhookId }),
  names: ['webhookId'],
  fresh: true,
  audit: 'webhook.rotate',
  async run({ keys, clock }, { tenantId, acting }, { webhookId: id, overlapHours = OVERLAP_DEFAULT_HOURS }) {
    const nowMs = clock()
    const wanted = { tenantId, id, nowMs, othersEndAtMs: nowMs + overlapHours * HOUR_MS }
    const rotated = await rotateSecret(acting, keys.webhooks, wanted)
    if (rotated === null) throw noWebhook(id)
    return { id, url: rotated.url, signingSecret: rotated.secret }
  },
})

export const removeWebhook = act({
  ...common,
  name: 'webhook.remove',
  says: 'Remove a webhook, with the events on their way to it',
  reads: z.object({ webhookId }),
  names: ['webhookId'],
  isFinal: true,
  audit: 'webhook.remove',
  async run(_core, { tenantId, acting }, { webhookId: id }) {
    const url = await removeEndpoint(acting, { tenantId, id })
    if (url === null) throw noWebhook(id)
    return { id, url }
  },
})

export const resendDelivery = act({
  ...common,
  name: 'webhook.resend',
  says: 'Send an event again, under the same id',
  reads: z.object({ deliveryId: z.string() }),
  names: ['deliveryId'],
  audit: 'webhook.resend',
  async run({ clock }, { tenantId, acting }, { deliveryId: id }) {
    const queued = await resend(acting, { tenantId, id, nowMs: clock() })
    if (queued === null) throw new ApiError('not-found', `there is no event "${id}", or it is no longer listed`)
    return showDelivery(queued)
  },
})

export const resendAllFailed = act({
  ...common,
  name: 'webhook.resend-failed',
  says: 'Send every failed event again',
  reads: z.object({}),
  audit: 'webhook.resend-failed',
  run: async ({ clock }, { tenantId, acting }) => ({
    events: await resendFailed(acting, { tenantId, nowMs: clock() }),
  }),
})

export const webhookActs = [addWebhook, rotateWebhook, removeWebhook, resendDelivery, resendAllFailed]

export function noWebhook(id: string): ApiError {
  return new ApiError('not-found', `there is no webhook "${id}", or it was removed`)
}
