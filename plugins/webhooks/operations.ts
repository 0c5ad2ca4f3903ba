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
      summary: 'Where the lender’s events go',
      description: 'At most ten addresses.',
      answers: { 200: { says: 'The webhooks.', data: Webhooks } },
    },
    getWebhook: {
      route: 'GET /:tenantId/v1/webhooks/:webhookId',
      rule: seen,
      tag: 'Webhooks',
      summary: 'One webhook',
      description: 'Without its signing secret.',
      answers: { 200: { says: 'The webhook.', data: Webhook } },
      errors: ['not-found'],
    },
    addWebhook: operationOf(addWebhook, {
      route: 'POST /:tenantId/v1/webhooks',
      idempotent: true,
      tag: 'Webhooks',
      description:
        'The signing secret is in this answer alone. Each call without `Idempotency-Key` adds another webhook.',
      body: { schema: 'NewWebhook', reads: NewWebhook },
      answers: { 201: { says: 'The webhook and its signing secret.', data: MadeWebhook } },
    }),
    rotateWebhookSecret: operationOf(rotateWebhook, {
      route: 'POST /:tenantId/v1/webhooks/:webhookId/secret',
      idempotent: true,
      tag: 'Webhooks',
      description:
        'Events are signed with every secret that works. The others end after `overlapHours`, or sooner where they would have. The secret is in this answer alone. At most five work at once.',
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
          says: 'What became of it.',
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
      summary: 'What became of events, newest first',
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
          status: ['Only these.', 'parked'],
          type: ['Only events of this type.', 'credit-report.completed'],
          webhookId: ['Only those to this webhook.', WEBHOOK_ID],
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
      summary: 'What became of one event',
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
      description: 'Those that were given up, and those that wait for another try. Twice in a row does nothing more.',
      answers: { 200: { says: 'How many are queued again.', data: WebhookResends } },
    }),
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
        url: ['Where events go: https, and no user name or password in it.', WEBHOOK_URL],
        types: ['The types of events that go there; all when absent.', ['credit-report.completed', 'wallet.low']],
      }),
      component('RotateWebhookSecret', RotateWebhookSecret, 'How a signing secret is replaced.', {
        overlapHours: [OVERLAP_WORDS, 1],
      }),
    ],
    answers: [
      component('Webhooks', Webhooks, 'Where a lender’s events go.', { webhooks: 'The webhooks, oldest first.' }),
      component(
        'Webhook',
        Webhook,
        'One address for events.',
        {
          id: ['The webhook’s id.', WEBHOOK_ID],
          url: ['Where events go.', WEBHOOK_URL],
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
          url: ['Where events go.', WEBHOOK_URL],
          signingSecret: ['What events are signed with.', 'whsec_your-signing-secret'],
        },
      ),
      component('WebhookDeliveries', WebhookDeliveries, 'A page of deliveries.', {
        deliveries: 'The deliveries, newest first.',
        nextAfter: ['Send it as `after` for the next page; absent on the last.', DELIVERY_ID],
      }),
      component('WebhookDelivery', WebhookDelivery, 'One event to one address.', {
        id: ['The `webhook-id` header of every attempt.', DELIVERY_ID],
        webhookId: ['The webhook’s id.', WEBHOOK_ID],
        url: ['Where it goes.', WEBHOOK_URL],
        type: ['The event.', 'credit-report.completed'],
        creditReportId: ['The report it is about; absent where it is about none.', CREDIT_REPORT_ID],
        status: ['`parked`: given up, after three days or a test at once.', 'queued'],
        attempts: ['Attempts since it was queued.', 2, COUNT],
        lastOutcome: [
          'How the last attempt ended: `delivered`, or for example `status 500` or `time-out`.',
          'status 500',
        ],
        lastAnswer: ['The first kilobyte of what your server answered the last time.', 'Internal Server Error'],
        createdAt: ['When it happened.', ENDED_AT, TIME],
        nextTryAt: ['When it is tried next; absent unless queued.', ENDED_AT, TIME],
        body: ['What is sent, as text: the bytes that are signed.', '{"type":"credit-report.completed"}'],
        newestAttempts: 'The newest ten attempts, first to last.',
      }),
      component('WebhookResends', WebhookResends, 'What was sent again.', {
        events: ['How many events are queued again.', 0, COUNT],
      }),
      component('WebhookAttempt', WebhookAttempt, 'One attempt to deliver an event.', {
        startedAt: ['When it began.', ENDED_AT, TIME],
        outcome: ['How it ended.', 'status 500'],
        tookMs: ['How long the receiver took, in milliseconds.', 120, COUNT],
      }),
      ...webhookComponents,
    ],
  }),
  webhooks: describeWebhooks,
} satisfies Rows
