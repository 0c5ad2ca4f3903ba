import {
  ApiClient,
  ApiClients,
  ClientSecret,
  MadeClientSecret,
  RenameApiClient,
  ReplaceClientSecret,
} from '../../contract/integration.ts'
import { component, TIME } from '../../openapi/component.ts'
import type { Rows } from '../../openapi/operation.ts'
import { OVERLAP_WORDS } from '../../openapi/page-words.ts'
import { CLIENT_ID, ENDED_AT, SECRET_ID } from '../../openapi/samples.ts'
import { operationOf } from '../../service/act/act.ts'
import { createClient, endSecret, NewApiClient, renameClient, replaceSecret, revokeClient } from './acts.ts'

const SECRET_DAYS = 'The number of days after which the new secret ends; absent: never.'
const CLIENT_WORDS = ['The client’s id.', CLIENT_ID] as const
const USED = 'The time of its last token, to the hour; absent where none is recorded.'

export const clientRows = {
  operations: {
    listApiClients: {
      route: 'GET /:tenantId/v1/clients',
      rule: { who: 'member', permission: 'connections' },
      tag: 'API clients',
      summary: 'The lender’s API clients',
      description: 'Oldest first, revoked ones included, with their working secrets.',
      answers: { 200: { says: 'The clients.', data: ApiClients } },
    },
    getApiClient: {
      route: 'GET /:tenantId/v1/clients/:clientId',
      rule: { who: 'member', permission: 'connections' },
      tag: 'API clients',
      summary: 'One API client',
      description: 'Revoked clients included.',
      answers: { 200: { says: 'The client.', data: ApiClient } },
      errors: ['not-found'],
    },
    createApiClient: operationOf(createClient, {
      route: 'POST /:tenantId/v1/clients',
      idempotent: true,
      tag: 'API clients',
      description:
        'The secret is in this answer alone. Each call without `Idempotency-Key` makes another client. No one makes a client that can do more than they can: a live one that reads reports needs an owner, a test-only one needs `integration` alone.',
      body: { schema: 'NewApiClient', reads: NewApiClient },
      answers: { 201: { says: 'The client’s id and secret.', data: MadeClientSecret } },
    }),
    renameApiClient: operationOf(renameClient, {
      route: 'PATCH /:tenantId/v1/clients/:clientId',
      tag: 'API clients',
      description: 'Its id does not change.',
      body: { schema: 'RenameApiClient', reads: RenameApiClient },
      answers: { 204: { says: 'Renamed.' } },
      errors: ['not-found'],
    }),
    revokeApiClient: operationOf(revokeClient, {
      route: 'DELETE /:tenantId/v1/clients/:clientId',
      tag: 'API clients',
      description: 'Its tokens stop working within a minute. It cannot be undone.',
      answers: { 204: { says: 'Revoked.' } },
      errors: ['not-found'],
    }),
    replaceClientSecret: operationOf(replaceSecret, {
      route: 'POST /:tenantId/v1/clients/:clientId/secrets',
      idempotent: true,
      tag: 'API clients',
      description:
        'Only this answer contains the new secret. The others end after `overlapHours`, or at their own earlier end. At most ten work at once.',
      body: { schema: 'ReplaceClientSecret', reads: ReplaceClientSecret },
      answers: { 201: { says: 'The new secret.', data: MadeClientSecret } },
      errors: ['not-found'],
    }),
    endClientSecret: operationOf(endSecret, {
      route: 'DELETE /:tenantId/v1/clients/:clientId/secrets/:secretId',
      tag: 'API clients',
      description: 'Tokens that it obtained work for up to 15 minutes.',
      answers: { 204: { says: 'Ended.' } },
      errors: ['not-found'],
    }),
  },
  words: () => ({
    requests: [
      component('NewApiClient', NewApiClient, 'An API client to make.', {
        name: ['The client’s name.', 'Webshop'],
        scopes: ['The client’s scopes; `credit-reports` and `wallet` when absent.', ['credit-reports', 'wallet']],
        testOnly: ['Whether it works in test mode alone: it sends `test: true`, and sees test checks.', false],
        secretEndsInDays: [SECRET_DAYS, 365],
      }),
      component('RenameApiClient', RenameApiClient, 'Another name for an API client.', {
        name: ['The client’s name.', 'Webshop'],
      }),
      component('ReplaceClientSecret', ReplaceClientSecret, 'The replacement of a secret.', {
        overlapHours: [OVERLAP_WORDS, 1],
        secretEndsInDays: [SECRET_DAYS, 365],
      }),
    ],
    answers: [
      component('ApiClients', ApiClients, 'A lender’s API clients.', { clients: 'The clients, oldest first.' }),
      component(
        'ApiClient',
        ApiClient,
        'An API client.',
        {
          id: CLIENT_WORDS,
          name: ['The client’s name; its id where it has none.', 'Webshop'],
          scopes: ['The client’s scopes.', ['credit-reports', 'wallet']],
          testOnly: ['Whether it works in test mode alone.', false],
          madeBy: [
            'The e-mail address of the person who made it; absent where the operator did.',
            'sam@lender.example',
          ],
          createdAt: ['The time of creation.', ENDED_AT, TIME],
          lastUsedAt: [USED, ENDED_AT, TIME],
          revokedAt: ['The time it was revoked; absent while it works.', ENDED_AT, TIME],
          secrets: 'The secrets that work, oldest first.',
        },
        { without: ['revokedAt'] },
      ),
      component('ClientSecret', ClientSecret, 'A secret of an API client, without the secret itself.', {
        id: ['The secret’s id.', SECRET_ID],
        createdAt: ['The time of creation.', ENDED_AT, TIME],
        lastUsedAt: [USED, ENDED_AT, TIME],
        endsAt: ['The time it ends; absent: never.', ENDED_AT, TIME],
      }),
      component('MadeClientSecret', MadeClientSecret, 'A new secret. Store it now: it is not kept.', {
        clientId: CLIENT_WORDS,
        secretId: ['The secret’s id in lists.', SECRET_ID],
        clientSecret: ['The secret.', 'your-client-secret'],
      }),
    ],
  }),
} satisfies Rows
