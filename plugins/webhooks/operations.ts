import * as z from 'zod/mini'
import {
  DELIVERY_STATUSES,
  MadeWebhook,
  NewWebhook,
  RotateWebhookSecret,
  Webhook,
  WebhookAttempt,
  WebhookDeliveries,
  WebhookDelivery,
  WebhookResends,
  Webhooks,
} from '../../contract/integration.ts'
import { PageSize } from '../../contract/report-list.ts'
import { WEBHOOK_EVENT_TYPES } from '../../contract/webhook-event.ts'
import { COUNT, component, TIME } from '../../openapi/component.ts'
import { query, type Rows } from '../../openapi/operation.ts'
import { afterWords, LIMIT_WORDS, OVERLAP_WORDS } from '../../openapi/page-words.ts'
import { CREDIT_REPORT_ID, DELIVERY_ID, ENDED_AT, WEBHOOK_ID } from '../../openapi/samples.ts'
import { operationOf } from '../../service/act/act.ts'
import { addWebhook, removeWebhook, resendAllFailed, resendDelivery, rotateWebhook } from './acts.ts'
import { describeWebhooks, webhookComponents } from './event-words.ts'

const WEBHOOK_URL = 'https://shop.example/webhook'
const seen = { who: 'tenant', scope: 'settings', permission: 'connections' } as const
const settings = { who: 'tenant', scope: 'settings', permission: 'integration' } as const

export const webhookRows = {
  operations: {
    listWebhooks: {
      route: 'GET /:tenantId/v1/webhooks',
      rule: seen,
      tag: 'Webhooks',
      summary: 'The lender’s webhooks',
      description: 'At most ten addresses.',
      answers: { 200: { says: 'The webhooks.', data: Webhooks } },
    },
    addWebhook: operationOf(addWebhook, {
      route: 'POST /:tenantId/v1/webhooks',
      idempotent: true,
      tag: 'Webhooks',
      description:
        'Only this answer contains the signing secret. Each call without `Idempotency-Key` adds another webhook.',
      body: { schema: 'NewWebhook', reads: NewWebhook },
      answers: { 201: { says: 'The webhook and its signing secret.', data: MadeWebhook } },
    }),
    rotateWebhookSecret: operationOf(rotateWebhook, {
      route: 'POST /:tenantId/v1/webhooks/:webhookId/secret',
      idempotent: true,
      tag: 'Webhooks',
      description:
        'Events are signed with every secret that works. The others end after `overlapHours`, or at their own earlier end. Only this answer contains the secret. At most five work at once.',
      body: { schema: 'RotateWebhookSecret', reads: RotateWebhookSecret, required: false },
      answers: { 201: { says: 'The webhook and its new signing secret.', data: MadeWebhook } },
      errors: ['not-found'],
    }),
    testWebhook: {
      route: 'POST /:tenantId/v1/webhooks/:webhookId/test',
      rule: { ...settings, audit: 'webhook.test' },
      tag: 'Webhooks',
      summary: 'Send a test event',
      description:
        'Sends `endpoint.test` once and waits for the answer of your server, at most ten seconds. Ten a minute; beyond that 429.',
      answers: {
        200: {
          says: 'The event and its deliveries.',
          data: WebhookDelivery,
          examples: () => ({
            delivered: {
              id: DELIVERY_ID,
              webhookId: WEBHOOK_ID,
              url: WEBHOOK_URL,
              type: 'endpoint.test',
              status: 'delivered',
              attempts: 1,
              lastOutcome: 'delivered',
              lastAnswer: '',
              createdAt: ENDED_AT,
              body: '{"type":"endpoint.test"}',
              newestAttempts: [{ startedAt: ENDED_AT, outcome: 'delivered', tookMs: 120 }],
            },
          }),
        },
      },
      errors: ['not-found'],
    },
    listWebhookDeliveries: {
      route: 'GET /:tenantId/v1/webhook-deliveries',
      rule: seen,
      tag: 'Webhooks',
      summary: 'Events and their deliveries, newest first',
      description: 'Delivered ones are listed for 7 days, others for 30.',
      query: query(
        z.object({
          status: z.optional(z.enum(DELIVERY_STATUSES)),
          type: z.optional(z.enum(WEBHOOK_EVENT_TYPES)),
          webhookId: z.optional(z.string()),
          after: z.optional(z.string()),
          limit: PageSize,
        }),
        {
          status: ['Only deliveries with this status.', 'parked'],
          type: ['Only events of this type.', 'credit-report.completed'],
          webhookId: ['Only deliveries to this webhook.', WEBHOOK_ID],
          limit: LIMIT_WORDS,
          after: afterWords(DELIVERY_ID),
        },
      ),
      answers: { 200: { says: 'A page of deliveries.', data: WebhookDeliveries } },
      errors: ['validation-error'],
    },
    getWebhookDelivery: {
      route: 'GET /:tenantId/v1/webhook-deliveries/:deliveryId',
      rule: seen,
      tag: 'Webhooks',
      summary: 'One event and its deliveries',
      description: 'One event to one address, with its body and its newest attempts.',
      answers: { 200: { says: 'The delivery.', data: WebhookDelivery } },
      errors: ['not-found'],
    },
    resendWebhookDelivery: operationOf(resendDelivery, {
      route: 'POST /:tenantId/v1/webhook-deliveries/:deliveryId/resend',
      tag: 'Webhooks',
      description: 'Under the same id and body, within a second or two.',
      answers: { 200: { says: 'The delivery, queued again.', data: WebhookDelivery } },
      errors: ['not-found'],
    }),
    resendFailedWebhookDeliveries: operationOf(resendAllFailed, {
      route: 'POST /:tenantId/v1/webhook-deliveries/resend-failed',
      tag: 'Webhooks',
      description:
        'Events that were given up, and events that wait for another try. A second call changes nothing more.',
      answers: { 200: { says: 'The number of events queued again.', data: WebhookResends } },
    }),
    getWebhook: {
      route: 'GET /:tenantId/v1/webhooks/:webhookId',
      rule: seen,
      tag: 'Webhooks',
      summary: 'One webhook',
      description: 'Without its signing secret.',
      answers: { 200: { says: 'The webhook.', data: Webhook } },
      errors: ['not-found'],
    },
    removeWebhook: operationOf(removeWebhook, {
      route: 'DELETE /:tenantId/v1/webhooks/:webhookId',
      tag: 'Webhooks',
      description: 'Its deliveries are deleted with it. It cannot be undone.',
      answers: { 204: { says: 'Removed.' } },
      errors: ['not-found'],
    }),
  },
  words: () => ({
    requests: [
      component('NewWebhook', NewWebhook, 'A webhook to add.', {
        url: ['The address that events are sent to: https, without a user name or password.', WEBHOOK_URL],
        types: ['The types of events that go there; all when absent.', ['credit-report.completed', 'wallet.low']],
      }),
      component('RotateWebhookSecret', RotateWebhookSecret, 'The replacement of a signing secret.', {
        overlapHours: [OVERLAP_WORDS, 1],
      }),
    ],
    answers: [
      component('Webhooks', Webhooks, 'The webhooks of a lender.', { webhooks: 'The webhooks, oldest first.' }),
      component(
        'Webhook',
        Webhook,
        'One address for events.',
        {
          id: ['The webhook’s id.', WEBHOOK_ID],
          url: ['The address that events are sent to.', WEBHOOK_URL],
          types: ['The types of events that go there; absent where all do.', ['credit-report.completed', 'wallet.low']],
        },
        { without: ['types'] },
      ),
      component(
        'MadeWebhook',
        MadeWebhook,
        'A webhook and a new signing secret. Store it now: it is not shown again.',
        {
          id: ['The webhook’s id.', WEBHOOK_ID],
          url: ['The address that events are sent to.', WEBHOOK_URL],
          signingSecret: ['The key that events are signed with.', 'whsec_your-signing-secret'],
        },
      ),
      component('WebhookDeliveries', WebhookDeliveries, 'A page of deliveries.', {
        deliveries: 'The deliveries, newest first.',
        nextAfter: ['Send it as `after` for the next page; absent on the last.', DELIVERY_ID],
      }),
      component('WebhookDelivery', WebhookDelivery, 'One event to one address.', {
        id: ['The `webhook-id` header of every attempt.', DELIVERY_ID],
        webhookId: ['The webhook’s id.', WEBHOOK_ID],
        url: ['The address it is sent to.', WEBHOOK_URL],
        type: ['The event.', 'credit-report.completed'],
        creditReportId: ['The report it is about; absent where it is about none.', CREDIT_REPORT_ID],
        status: ['`parked`: given up, after three days or a test at once.', 'queued'],
        attempts: ['Attempts since it was queued.', 2, COUNT],
        lastOutcome: [
          'The outcome of the last attempt: `delivered`, or for example `status 500` or `time-out`.',
          'status 500',
        ],
        lastAnswer: ['The first kilobyte of what your server answered the last time.', 'Internal Server Error'],
        createdAt: ['The time of the event.', ENDED_AT, TIME],
        nextTryAt: ['The time of the next attempt; absent unless queued.', ENDED_AT, TIME],
        body: ['The body that is sent, as text: the bytes that are signed.', '{"type":"credit-report.completed"}'],
        newestAttempts: 'The newest ten attempts, first to last.',
      }),
      component('WebhookResends', WebhookResends, 'The events that were sent again.', {
        events: ['The number of events queued again.', 0, COUNT],
      }),
      component('WebhookAttempt', WebhookAttempt, 'One attempt to deliver an event.', {
        startedAt: ['The time the attempt began.', ENDED_AT, TIME],
        outcome: ['The outcome of the attempt.', 'status 500'],
        tookMs: ['The time the receiver took, in milliseconds.', 120, COUNT],
      }),
      ...webhookComponents,
    ],
  }),
  webhooks: describeWebhooks,
} satisfies Rows
