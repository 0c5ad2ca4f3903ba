import { Refusal, RefusalHour, Refusals } from '../../contract/refusals.ts'
import { COUNT, component, TIME } from '../../openapi/component.ts'
import type { Rows } from '../../openapi/operation.ts'
import { CREATED_AT } from '../../openapi/samples.ts'

export const refusalRows = {
  operations: {
    listRefusals: {
      route: 'GET /:tenantId/v1/refusals',
      rule: { who: 'tenant', scope: 'settings', permission: 'connections' },
      tag: 'Activity',
      summary: 'Your refused calls',
      description:
        'Calls of your API clients that were answered with an error: how many in each hour of the last seven days, and the newest hundred. Nothing of their bodies is kept. Calls without a valid token are not among them, nor errors that test mode plays.',
      answers: { 200: { says: 'The counts and the newest calls.', data: Refusals } },
    },
  },
  words: () => ({
    answers: [
      component('Refusals', Refusals, 'Refused calls.', {
        hours: 'The number of refusals by hour and code, oldest first; hours without any are left out.',
        refusals: 'The newest hundred, newest first.',
      }),
      component('RefusalHour', RefusalHour, 'The refused calls of an hour with one code.', {
        startedAt: ['The beginning of the hour.', CREATED_AT, TIME],
        code: ['The code of the error.', 'validation-error'],
        count: ['The number of refusals.', 12, COUNT],
      }),
      component('Refusal', Refusal, 'A refused call.', {
        createdAt: ['The time of the answer.', CREATED_AT, TIME],
        clientId: ['The API client that called.', 'demo-lender'],
        method: ['The method.', 'GET'],
        route: ['The route, without what the caller put into it.', '/:tenantId/v1/webhook-deliveries'],
        status: ['The HTTP status.', 400],
        code: ['The code of the error.', 'validation-error'],
        requestId: ['The `X-Request-Id` of the answer, as it is in your log.', '7d0a9f0c'],
      }),
    ],
  }),
} satisfies Rows
