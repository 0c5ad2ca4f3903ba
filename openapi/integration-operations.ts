// A lender's API clients, webhooks and their deliveries.
import * as z from 'zod/mini'
import { DoctorReport } from '../contract/doctor.ts'
import {
  ApiClient,
  ApiClients,
  ClientSecret,
  DELIVERY_STATUSES,
  MadeClientSecret,
  MadeWebhook,
  NewWebhook,
  newApiClient,
  OVERLAP_DEFAULT_SECONDS,
  RenameApiClient,
  ReplaceClientSecret,
  Webhook,
  WebhookAttempt,
  WebhookDeliveries,
  WebhookDelivery,
  Webhooks,
} from '../contract/integration.ts'
import { PageSize } from '../contract/report-list.ts'
import { COUNT, type Component, component, TIME } from './component.ts'
import { SCOPE_MEANINGS, type Scope } from './oauth-components.ts'
import { type Operations, query } from './operation.ts'
import { CLIENT_ID, DELIVERY_ID, ENDED_AT, SECRET_ID, WEBHOOK_ID } from './samples.ts'
import { ID_TEXT, LIMIT } from './wallet-operations.ts'

const WEBHOOK_URL = 'https://shop.example/webhook'

/** What mints credentials is for people: a stolen token must not outlive its client. */
const person = { who: 'member', permission: 'integration', fresh: true } as const
const seen = { who: 'tenant', scope: 'settings', permission: 'connections' } as const
const settings = { who: 'tenant', scope: 'settings', permission: 'integration' } as const
const secrets = { ...settings, fresh: true } as const

const NewApiClient = newApiClient(Object.keys(SCOPE_MEANINGS) as [Scope, ...Scope[]])

export const integrationOperations = {
  reportDoctor: {
    route: 'POST /:tenantId/v1/doctor',
    rule: { who: 'tenant', scope: 'credit-reports', permission: 'integration' },
    tag: 'Credit reports',
    summary: 'Report what the doctor found',
    description:
      'For the mount on the lender’s server, when its doctor runs: codes of what is wrong with its set-up, shown on the portal’s page Set-up. The newest report of each mode is kept; codes that the service does not know are ignored.',
    body: { schema: 'DoctorReport', reads: DoctorReport },
    answers: { 204: { says: 'Kept.' } },
    errors: ['validation-error'],
  },
  listApiClients: {
    route: 'GET /:tenantId/v1/clients',
    rule: { who: 'member', permission: 'connections' },
    tag: 'Account',
    summary: 'The lender’s API clients',
    description: 'Oldest first, revoked ones included, with the secrets that work.',
    answers: { 200: { says: 'The clients.', schema: 'ApiClients' } },
  },
  createApiClient: {
    route: 'POST /:tenantId/v1/clients',
    rule: { ...person, audit: 'client.create' },
    tag: 'Account',
    summary: 'Make an API client',
    description: 'The secret is in this answer alone. Each call makes another client.',
    body: { schema: 'NewApiClient', reads: NewApiClient },
    answers: { 201: { says: 'The client’s id and secret.', schema: 'MadeClientSecret' } },
  },
  renameApiClient: {
    route: 'PUT /:tenantId/v1/clients/:clientId',
    rule: { who: 'member', permission: 'integration', audit: 'client.rename' },
    tag: 'Account',
    summary: 'Rename an API client',
    description: 'Its id stays.',
    body: { schema: 'RenameApiClient', reads: RenameApiClient },
    answers: { 204: { says: 'Renamed.' } },
    errors: ['not-found'],
  },
  revokeApiClient: {
    route: 'DELETE /:tenantId/v1/clients/:clientId',
    rule: { ...person, audit: 'client.revoke' },
    tag: 'Account',
    summary: 'Revoke an API client',
    description: 'Its tokens stop working within a minute. It cannot be undone.',
    answers: { 204: { says: 'Revoked.' } },
    errors: ['not-found'],
  },
  replaceClientSecret: {
    route: 'POST /:tenantId/v1/clients/:clientId/secrets',
    rule: { ...person, audit: 'client-secret.replace' },
    tag: 'Account',
    summary: 'Replace the secret of an API client',
    description:
      'A new secret, in this answer alone. The others end after `othersEndInSeconds`, or sooner where they would have. At most ten work at once.',
    body: { schema: 'ReplaceClientSecret', reads: ReplaceClientSecret },
    answers: { 201: { says: 'The new secret.', schema: 'MadeClientSecret' } },
    errors: ['not-found'],
  },
  endClientSecret: {
    route: 'DELETE /:tenantId/v1/clients/:clientId/secrets/:secretId',
    rule: { ...person, audit: 'client-secret.end' },
    tag: 'Account',
    summary: 'End a secret now',
    description: 'Tokens that it obtained work for up to 15 minutes.',
    answers: { 204: { says: 'Ended.' } },
    errors: ['not-found'],
  },
  listWebhooks: {
    route: 'GET /:tenantId/v1/webhooks',
    rule: seen,
    tag: 'Webhooks',
    summary: 'Where the lender’s events go',
    description: 'At most ten addresses.',
    answers: { 200: { says: 'The webhooks.', schema: 'Webhooks' } },
  },
  addWebhook: {
    route: 'POST /:tenantId/v1/webhooks',
    rule: { ...secrets, audit: 'webhook.add' },
    tag: 'Webhooks',
    summary: 'Add a webhook',
    description: 'The signing secret is in this answer alone. Each call adds another webhook.',
    body: { schema: 'NewWebhook', reads: NewWebhook },
    answers: { 201: { says: 'The webhook and its signing secret.', schema: 'MadeWebhook' } },
  },
  rotateWebhookSecret: {
    route: 'POST /:tenantId/v1/webhooks/:webhookId/secret',
    rule: { ...secrets, audit: 'webhook.rotate' },
    tag: 'Webhooks',
    summary: 'Make a new signing secret',
    description:
      'Events are then signed with the new secret and with the one before it; any older one stops working. The secret is in this answer alone.',
    answers: { 201: { says: 'The webhook and its new signing secret.', schema: 'MadeWebhook' } },
    errors: ['not-found'],
  },
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
        schema: 'WebhookDelivery',
        examples: () => ({
          delivered: {
            id: DELIVERY_ID,
            webhookId: WEBHOOK_ID,
            url: WEBHOOK_URL,
            type: 'endpoint.test',
            status: 'delivered',
            attempts: 1,
            lastOutcome: 'delivered',
            createdAt: ENDED_AT,
            body: '{"type":"endpoint.test"}',
            newestAttempts: [{ at: ENDED_AT, outcome: 'delivered', tookMs: 120 }],
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
      z.object({ status: z.optional(z.enum(DELIVERY_STATUSES)), before: z.optional(z.string()), limit: PageSize }),
      {
        status: ['Only these.', 'parked'],
        limit: LIMIT,
        before: ['The `nextBefore` of the page before.', DELIVERY_ID, ID_TEXT],
      },
    ),
    answers: { 200: { says: 'A page of deliveries.', schema: 'WebhookDeliveries' } },
    errors: ['validation-error'],
  },
  getWebhookDelivery: {
    route: 'GET /:tenantId/v1/webhook-deliveries/:deliveryId',
    rule: seen,
    tag: 'Webhooks',
    summary: 'What became of one event',
    description: 'One event to one address, with its body and its newest attempts.',
    answers: { 200: { says: 'The delivery.', schema: 'WebhookDelivery' } },
    errors: ['not-found'],
  },
  resendWebhookDelivery: {
    route: 'POST /:tenantId/v1/webhook-deliveries/:deliveryId/resend',
    rule: { ...settings, audit: 'webhook.resend' },
    tag: 'Webhooks',
    summary: 'Send an event again',
    description: 'Under the same id and body, within a second or two.',
    answers: { 200: { says: 'The delivery, queued again.', schema: 'WebhookDelivery' } },
    errors: ['not-found'],
  },
  removeWebhook: {
    route: 'DELETE /:tenantId/v1/webhooks/:webhookId',
    rule: { ...settings, audit: 'webhook.remove' },
    tag: 'Webhooks',
    summary: 'Remove a webhook',
    description: 'Its deliveries are deleted with it. It cannot be undone.',
    answers: { 204: { says: 'Removed.' } },
    errors: ['not-found'],
  },
} satisfies Operations

const SECRET_DAYS = 'After how many days the new secret ends; absent: never.'

export const integrationRequestComponents: Component[] = [
  component('DoctorReport', DoctorReport, 'What the doctor of a mount found.', {
    test: ['Whether the mount is in test mode.', false],
    findings: ['Codes of what is wrong; empty when all is well.', ['clock']],
  }),
  component('NewApiClient', NewApiClient, 'An API client to make.', {
    name: ['What people call it.', 'Webshop'],
    scopes: ['What it may do.', ['credit-reports', 'wallet']],
    secretEndsInDays: [SECRET_DAYS, 365],
  }),
  component('RenameApiClient', RenameApiClient, 'Another name for an API client.', {
    name: ['What people call it.', 'Webshop'],
  }),
  component('ReplaceClientSecret', ReplaceClientSecret, 'How a secret is replaced.', {
    othersEndInSeconds: [
      `How long the other secrets go on working; ${OVERLAP_DEFAULT_SECONDS} (24 hours) when absent, 0: they end now.`,
      3_600,
    ],
    secretEndsInDays: [SECRET_DAYS, 365],
  }),
  component('NewWebhook', NewWebhook, 'A webhook to add.', {
    url: ['Where events go: https, and no user name or password in it.', WEBHOOK_URL],
  }),
]

const CLIENT_WORDS = ['The client’s id.', CLIENT_ID] as const
const USED = 'When it last obtained a token, to the hour; absent where none is recorded.'

export const integrationAnswerComponents: Component[] = [
  component('ApiClients', ApiClients, 'A lender’s API clients.', { clients: 'The clients, oldest first.' }),
  component(
    'ApiClient',
    ApiClient,
    'An API client.',
    {
      id: CLIENT_WORDS,
      name: ['What people call it; its id where it was given no name.', 'Webshop'],
      scopes: ['What it may do.', ['credit-reports', 'wallet']],
      createdAt: ['When it was made.', ENDED_AT, TIME],
      lastUsedAt: [USED, ENDED_AT, TIME],
      revokedAt: ['When it was revoked; absent while it works.', ENDED_AT, TIME],
      secrets: 'The secrets that work, oldest first.',
    },
    { without: ['revokedAt'] },
  ),
  component('ClientSecret', ClientSecret, 'A secret of an API client, without the secret itself.', {
    id: ['Tells it from the client’s others.', SECRET_ID],
    createdAt: ['When it was made.', ENDED_AT, TIME],
    lastUsedAt: [USED, ENDED_AT, TIME],
    endsAt: ['When it ends; absent: never.', ENDED_AT, TIME],
  }),
  component('MadeClientSecret', MadeClientSecret, 'A new secret. Store it now: it is not kept.', {
    clientId: CLIENT_WORDS,
    secretId: ['What the list calls it.', SECRET_ID],
    clientSecret: ['The secret.', 'your-client-secret'],
  }),
  component('Webhooks', Webhooks, 'Where a lender’s events go.', { webhooks: 'The webhooks, oldest first.' }),
  component('Webhook', Webhook, 'One address for events.', {
    id: ['The webhook’s id.', WEBHOOK_ID],
    url: ['Where events go.', WEBHOOK_URL],
  }),
  component('MadeWebhook', MadeWebhook, 'A webhook and a new signing secret. Store it now: it is not shown again.', {
    id: ['The webhook’s id.', WEBHOOK_ID],
    url: ['Where events go.', WEBHOOK_URL],
    signingSecret: ['What events are signed with.', 'whsec_your-signing-secret'],
  }),
  component('WebhookDeliveries', WebhookDeliveries, 'A page of deliveries.', {
    deliveries: 'The deliveries, newest first.',
    nextBefore: ['Send it as `before` for the next page; absent on the last.', DELIVERY_ID],
  }),
  component('WebhookDelivery', WebhookDelivery, 'One event to one address.', {
    id: ['The `webhook-id` header of every attempt.', DELIVERY_ID],
    webhookId: ['The webhook’s id.', WEBHOOK_ID],
    url: ['Where it goes.', WEBHOOK_URL],
    type: ['The event.', 'credit-report.completed'],
    status: ['`parked`: given up, after three days or a test at once.', 'queued'],
    attempts: ['Attempts since it was queued.', 2, COUNT],
    lastOutcome: ['How the last attempt ended: `delivered`, or for example `status 500` or `time-out`.', 'status 500'],
    createdAt: ['When it happened.', ENDED_AT, TIME],
    nextTryAt: ['When it is tried next; absent unless queued.', ENDED_AT, TIME],
    body: ['What is sent, as text: the bytes that are signed.', '{"type":"credit-report.completed"}'],
    newestAttempts: 'The newest ten attempts, first to last.',
  }),
  component('WebhookAttempt', WebhookAttempt, 'One attempt to deliver an event.', {
    at: ['When it began.', ENDED_AT, TIME],
    outcome: ['How it ended.', 'status 500'],
    tookMs: ['How long the receiver took, in milliseconds.', 120, COUNT],
  }),
]
