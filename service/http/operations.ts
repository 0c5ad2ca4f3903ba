import * as z from 'zod/mini'
import { component } from '../../openapi/component.ts'
import type { Rows } from '../../openapi/operation.ts'

const tag = 'Operations'

const Health = z.object({ status: z.literal('ok') })
const Readiness = z.object({ status: z.literal('ready') })

export const httpRows = {
  operations: {
    checkHealth: {
      route: 'GET /healthz',
      rule: { who: 'anyone' },
      tag,
      summary: 'Liveness of the process',
      description: 'Never refused, however busy the service is.',
      answers: { 200: { says: 'The process serves.', schema: 'Health' } },
    },
    checkReadiness: {
      route: 'GET /readyz',
      rule: { who: 'anyone' },
      tag,
      summary: 'Readiness of the database',
      description: 'While it is not ready, send it no more work.',
      answers: { 200: { says: 'The process serves.', schema: 'Readiness' } },
    },
    getOpenApiDocument: {
      route: 'GET /openapi.json',
      rule: { who: 'anyone' },
      tag,
      summary: 'This document',
      description: 'As this service is configured: its address, its bureaus. Pages of any origin may read it.',
      answers: {
        200: { says: 'The document.', schema: { type: 'object' }, headers: ['Access-Control-Allow-Origin'] },
      },
    },
  },
  words: () => ({
    answers: [
      component('Health', Health, 'The process serves.', { status: ['Always `ok`.', 'ok'] }),
      component('Readiness', Readiness, 'The process and its database serve.', {
        status: ['Always `ready`.', 'ready'],
      }),
    ],
  }),
} satisfies Rows
