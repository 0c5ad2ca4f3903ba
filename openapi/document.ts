// The service described in OpenAPI 3.1, from the schemas that check its requests and answers. `npm run openapi` writes openapi.json; a
// running service serves its own version, with its address and its bureaus.

import * as z from 'zod/mini'
import { BUREAUS } from '../contract/credit-report.ts'
import { answerComponents } from './answer-components.ts'
import { auditOperations } from './audit-operations.ts'
import { type Component, component, type JsonObject } from './component.ts'
import { describeOperation } from './describe-operation.ts'
import { describeSchemas } from './describe-schemas.ts'
import { deviceOperations } from './device-operations.ts'
import { describeRefusals } from './errors.ts'
import { describeHeaders } from './headers.ts'
import {
  integrationAnswerComponents,
  integrationOperations,
  integrationRequestComponents,
} from './integration-operations.ts'
import { memberAnswerComponents, memberOperations, memberRequestComponents } from './member-operations.ts'
import { oauthAnswerComponents, oauthRequestComponents } from './oauth-components.ts'
import { type Operations, splitRoute, TAGS } from './operation.ts'
import { operatorOperations } from './operator-operations.ts'
import { portalOperations } from './portal-operations.ts'
import { reportComponents } from './report-components.ts'
import { reportOperations } from './report-operations.ts'
import { requestComponents } from './request-components.ts'
import { sampleFrom } from './samples.ts'
import { securitySchemes } from './security.ts'
import { stateComponents } from './state-components.ts'
import { statsAnswerComponents, statsOperations, statsRequestComponents } from './stats-operations.ts'
import { tokenOperations } from './token-operations.ts'
import { walletOperations } from './wallet-operations.ts'
import { describeWebhooks, webhookComponents } from './webhooks.ts'

export type DocumentOptions = {
  /** Where the service is reached. @default a variable for the reader to fill in */
  publicUrl?: string
  /** The bureaus it can query. @default BUREAUS */
  bureaus?: readonly string[]
  /** The latest year of birth that is old enough. @default 2009: the file in the repository stays true for years */
  birthYearMax?: number
  /** What is served. @default every operation there is */
  operations?: Operations
}

/** What the service itself serves; the portal adds its own. */
export const serviceOperations = {
  ...reportOperations,
  ...statsOperations,
  ...walletOperations,
  ...auditOperations,
  ...integrationOperations,
  ...deviceOperations,
  ...tokenOperations,
  ...operatorOperations,
} satisfies Operations
export const OPERATIONS: Operations = { ...serviceOperations, ...portalOperations, ...memberOperations }

const BIRTH_YEAR_MAX = 2009
const LOCAL_URL = 'http://localhost:4100'

export function openApiDocument(options: DocumentOptions = {}): JsonObject {
  const { publicUrl, bureaus = BUREAUS, operations = OPERATIONS } = options
  const { requests, answers } = namedSchemas(options)
  const schemas = { ...describeSchemas(requests, 'input'), ...describeSchemas(answers, 'output') }
  const exampleOf = (name: string) => [schemas[name]?.examples].flat()[0] ?? null
  const examples = { exampleOf, sample: sampleFrom(bureaus) }
  const paths: { [path: string]: JsonObject } = {}
  for (const { name: tag } of TAGS) {
    for (const [id, operation] of Object.entries(operations)) {
      if (operation.tag !== tag) continue
      const { method, path } = splitRoute(operation)
      paths[path] = { ...paths[path], [method]: describeOperation(id, operation, examples) }
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Credit Report Service',
      version: '1.0.0',
      description:
        'Consumer credit reports with an optional one-time code by text, metered in credits (ten credits are one penny). Every refusal is `{code, message}`, but for the token endpoint, which answers as RFC 6749 says.',
      contact: { name: 'The operator of this service' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [
      publicUrl === undefined
        ? {
            url: '{baseUrl}',
            description: 'Wherever the service is reached; by default that of `npm start`.',
            variables: { baseUrl: { default: LOCAL_URL, description: 'Scheme, host and port of the service.' } },
          }
        : { url: publicUrl, description: 'This service.' },
    ],
    tags: [...TAGS],
    security: [{ token: [] }],
    paths,
    webhooks: describeWebhooks(),
    components: {
      securitySchemes: securitySchemes(publicUrl),
      schemas,
      headers: describeHeaders(),
      responses: describeRefusals(paths),
    },
  }
}

/** Every schema under its public name. */
export function namedSchemas({
  publicUrl = LOCAL_URL,
  bureaus = BUREAUS,
  birthYearMax = BIRTH_YEAR_MAX,
}: DocumentOptions = {}): { requests: Component[]; answers: Component[] } {
  return {
    requests: [
      ...requestComponents({ bureaus, birthYearMax }),
      ...oauthRequestComponents(),
      ...statsRequestComponents,
      ...memberRequestComponents,
      ...integrationRequestComponents,
      ...operatorRequestComponents,
    ],
    answers: [
      ...answerComponents(bureaus),
      ...stateComponents,
      ...statsAnswerComponents,
      ...memberAnswerComponents,
      ...integrationAnswerComponents,
      ...reportComponents(bureaus),
      ...oauthAnswerComponents(publicUrl),
      ...operatorAnswerComponents,
      ...webhookComponents,
    ],
  }
}

// Requests of SMS gateways, answers to health probes.
const MESSAGE_STATUS =
  '`delivered` or `read` charges the text; `undelivered`, `failed`, `expired`, `rejected` or `canceled` gives its credits back; other words change nothing.'

const SmsReceipt = z.object({
  messageId: z.string().check(z.minLength(1), z.maxLength(100)),
  status: z.string().check(z.minLength(1), z.maxLength(40)),
})
const TwilioReceipt = z.object({ MessageStatus: z.string().check(z.minLength(1), z.maxLength(40)) })
const Health = z.object({ status: z.literal('ok') })
const Readiness = z.object({ status: z.literal('ready') })

const operatorRequestComponents: Component[] = [
  component('SmsReceipt', SmsReceipt, 'What became of a text.', {
    messageId: ['The text’s id, as the gateway was given it.', '019a8756-1d10-7a44-8c3e-2b9f60d17a55'],
    status: [MESSAGE_STATUS, 'delivered'],
  }),
  component('TwilioReceipt', TwilioReceipt, 'What became of a text; Twilio sends more fields.', {
    MessageStatus: [MESSAGE_STATUS, 'delivered'],
  }),
]

const operatorAnswerComponents: Component[] = [
  component('Health', Health, 'The process serves.', { status: ['Always `ok`.', 'ok'] }),
  component('Readiness', Readiness, 'The process and its database serve.', { status: ['Always `ready`.', 'ready'] }),
]
