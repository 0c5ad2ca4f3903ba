// The service described in OpenAPI 3.1, from the schemas that check its requests and answers. `npm run openapi` writes openapi.json.
import * as z from 'zod/mini'
import { ERROR_STATUS, ErrorBody, type ErrorCode } from '../error.ts'
import { IDEMPOTENCY_IGNORE_HEADER, IDEMPOTENCY_KEY_HEADER, IGNORABLE_FIELDS, REPLAYED_HEADER } from '../idempotency.ts'
import { IDEMPOTENCY_KEY_LENGTH_MAX } from '../limits.ts'
import { CHALLENGE_EXPIRES_IN_HEADER } from '../tenant-proxy.ts'
import { type Operation, operations } from './operations.ts'

type Json = string | number | boolean | null | Json[] | { [key: string]: Json }
type JsonObject = { [key: string]: Json }

export function describeService(): JsonObject {
  const paths: { [path: string]: JsonObject } = {}
  for (const operation of operations) {
    paths[operation.path] = { ...paths[operation.path], [operation.method]: describeOperation(operation) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Credit report service',
      version: '1.0.0',
      description:
        'Consumer credit reports with an optional one-time code by text, metered in credits (ten credits are one penny). Every refusal is `{code, message}`.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: 'http://localhost:4100', description: 'The service of `npm start`' }],
    tags: [
      { name: 'Credit reports', description: 'Generate a report, answer its challenge, send the code again.' },
      { name: 'Account', description: 'Who is calling, and for which lenders.' },
      { name: 'Wallet', description: 'What was charged and why. An addition to the interface.' },
      { name: 'Devices', description: 'The script a consumer’s browser loads; no token needed.' },
      { name: 'Tokens', description: 'How to get a token.' },
      { name: 'Operations', description: 'For those who run the service.' },
    ],
    security: [{ token: [] }],
    paths,
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        clientSecret: { type: 'http', scheme: 'basic' },
      },
      schemas: { Error: jsonSchema(ErrorBody, 'output'), OAuthError: jsonSchema(OAuthErrorBody, 'output') },
      responses: Object.fromEntries(errorCodes.map((code) => [code, describeError(code)])),
    },
  }
}

/** RFC 6749, section 5.2. */
const OAuthErrorBody = z.object({ error: z.string(), error_description: z.optional(z.string()) })

const errorCodes = Object.keys(ERROR_STATUS) as ErrorCode[]

const ERROR_MEANING: Record<ErrorCode, string> = {
  'validation-error': 'A field is missing or not what was expected; the message names each path.',
  unauthorized: 'There is no token, or it proves nothing.',
  'insufficient-funds': 'The wallet cannot pay for this. Clients accept the code `insufficient-credits` as well.',
  forbidden: 'The token is good, but not for this tenant or resource.',
  'not-found': 'There is nothing at this address.',
  'credit-report-not-found': 'This tenant has no such report.',
  'challenge-not-found': 'The report has no such challenge.',
  'method-not-allowed': 'The address exists, the method does not; `Allow` lists those that do.',
  'request-in-progress': 'The first request with this `Idempotency-Key` has not finished; ask again shortly.',
  'challenge-expired': 'The challenge ran out of time, or has ended; generate anew.',
  'payload-too-large': 'The body is larger than the route takes: 64 KiB for JSON, 8 KiB for forms.',
  'unsupported-media-type': 'The body is not `application/json`.',
  'rate-limited':
    'Too many requests, or too many texts for one challenge. `Retry-After` says when to ask again, if ever.',
  'internal-error': 'A fault of the service. Nothing was charged that was not delivered.',
  unavailable: 'The service or a provider behind it cannot answer now; ask again after `Retry-After`.',
}

const ERROR_EXAMPLE: Partial<Record<ErrorCode, string>> = {
  'validation-error': 'addresses[0].ukAddress.postcode: must be a UK postcode',
  'credit-report-not-found': 'No credit report has this id.',
  'challenge-not-found': 'No challenge of this report has this id.',
  'challenge-expired': 'The challenge has expired. Generate a new report.',
}

function describeError(code: ErrorCode): JsonObject {
  return {
    description: ERROR_MEANING[code],
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Error' },
        example: { code, message: ERROR_EXAMPLE[code] ?? ERROR_MEANING[code] },
      },
    },
  }
}

/** What can go wrong on every route that has a token, a body or neither. */
function errorsOf(operation: Operation): ErrorCode[] {
  const always: ErrorCode[] = ['internal-error', 'unavailable']
  const withToken: ErrorCode[] = operation.public ? [] : ['unauthorized', 'forbidden', 'rate-limited']
  const withBody: ErrorCode[] =
    operation.body && !operation.form ? ['validation-error', 'payload-too-large', 'unsupported-media-type'] : []
  return [...new Set([...withBody, ...withToken, ...(operation.errors ?? []), ...always])]
}

function describeOperation(operation: Operation): JsonObject {
  const responses: JsonObject = { [operation.status ?? 200]: describeAnswer(operation) }
  for (const [status, codes] of byStatus(errorsOf(operation))) responses[status] = describeErrors(codes)
  for (const [status, meanings] of Object.entries(operation.oauthErrors ?? {}))
    responses[status] = describeOAuthErrors(meanings)
  return {
    operationId: operation.id,
    tags: [operation.tag],
    summary: operation.summary,
    ...(operation.description ? { description: operation.description } : {}),
    ...(operation.public ? { security: operation.form ? [{ clientSecret: [] }, {}] : [] } : {}),
    parameters: parametersOf(operation),
    ...(operation.body ? { requestBody: describeBody(operation) } : {}),
    responses,
  }
}

function describeAnswer(operation: Operation): JsonObject {
  const { answer, answerType = 'application/json', examples, says } = operation
  const content = answer ? { schema: jsonSchema(answer, 'output') } : { schema: { type: 'string' } }
  return {
    description: says,
    headers: describeHeaders(operation),
    content: { [answerType]: { ...content, ...(examples ? { examples: namedExamples(examples) } : {}) } },
  }
}

function describeHeaders({ public: isPublic, idempotent, challenges }: Operation): JsonObject {
  const header = (description: string, type: 'integer' | 'string'): JsonObject => ({ description, schema: { type } })
  return {
    'X-Request-Id': header('Names this request in logs.', 'string'),
    ...(challenges
      ? {
          [CHALLENGE_EXPIRES_IN_HEADER]: header(
            'Whole seconds until the open challenge expires; 0 on a repeated answer whose challenge is over. Absent when there is none.',
            'integer',
          ),
        }
      : {}),
    ...(idempotent ? { [REPLAYED_HEADER]: header('`true` when this is the first answer again.', 'string') } : {}),
    ...(isPublic
      ? {}
      : {
          'RateLimit-Limit': header('Requests this credential may make in a window.', 'integer'),
          'RateLimit-Remaining': header('Requests left in this one.', 'integer'),
          'RateLimit-Reset': header('Seconds until it is over.', 'integer'),
          'RateLimit-Policy': header('The same in one line, for example `60;w=60`.', 'string'),
        }),
  }
}

function describeBody({ body, form, example }: Operation): JsonObject {
  const type = form ? 'application/x-www-form-urlencoded' : 'application/json'
  return {
    required: true,
    content: {
      [type]: { schema: body ? jsonSchema(body, 'input') : {}, ...(example ? { example: plain(example) } : {}) },
    },
  }
}

/** Codes that share a status share a response, told apart by example. */
function describeErrors(codes: ErrorCode[]): JsonObject {
  const [only] = codes
  if (codes.length === 1 && only) return { $ref: `#/components/responses/${only}` }
  return {
    description: codes.map((code) => `\`${code}\`: ${ERROR_MEANING[code]}`).join('\n\n'),
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/Error' },
        examples: namedExamples(
          Object.fromEntries(
            codes.map((code) => [code, { code, message: ERROR_EXAMPLE[code] ?? ERROR_MEANING[code] }]),
          ),
        ),
      },
    },
  }
}

/** Refusals in the words of RFC 6749, whose clients read `error`. */
function describeOAuthErrors(meanings: { [error: string]: string }): JsonObject {
  const examples = Object.entries(meanings).map(([error, meaning]) => [error, { error, error_description: meaning }])
  return {
    description: Object.entries(meanings)
      .map(([error, meaning]) => `\`${error}\`: ${meaning}`)
      .join('\n\n'),
    content: {
      'application/json': {
        schema: { $ref: '#/components/schemas/OAuthError' },
        examples: namedExamples(Object.fromEntries(examples)),
      },
    },
  }
}

function byStatus(codes: ErrorCode[]): Map<number, ErrorCode[]> {
  const groups = new Map<number, ErrorCode[]>()
  for (const code of codes) groups.set(ERROR_STATUS[code], [...(groups.get(ERROR_STATUS[code]) ?? []), code])
  return groups
}

function parametersOf({ path, query = {}, idempotent }: Operation): JsonObject[] {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].flatMap(([, name]) =>
    name ? [{ name, in: 'path', required: true, schema: { type: 'string' } }] : [],
  )
  const inQuery = Object.entries(query).map(([name, description]) => ({
    name,
    in: 'query',
    required: false,
    description,
    schema: { type: 'string' },
  }))
  const inHeader = idempotent
    ? [
        {
          name: IDEMPOTENCY_KEY_HEADER,
          in: 'header',
          required: false,
          description:
            'Repeat a request safely: the same key and body get the first answer again, marked `Idempotent-Replayed: true`. Remembered for 24 hours.',
          schema: { type: 'string', minLength: 1, maxLength: IDEMPOTENCY_KEY_LENGTH_MAX },
        },
        {
          name: IDEMPOTENCY_IGNORE_HEADER,
          in: 'header',
          required: false,
          description: `Fields that may differ from the first request under the same key, separated by commas: any of ${IGNORABLE_FIELDS.map((field) => `\`${field}\``).join(', ')}. Without it the whole body must be the same.`,
          schema: { type: 'string' },
        },
      ]
    : []
  return [...inPath, ...inQuery, ...inHeader]
}

function namedExamples(examples: { [name: string]: unknown }): JsonObject {
  return Object.fromEntries(Object.entries(examples).map(([name, value]) => [name, { value: plain(value) }]))
}

function jsonSchema(schema: z.ZodMiniType, io: 'input' | 'output'): JsonObject {
  const { $schema: _dialect, ...described } = z.toJSONSchema(schema, { io, unrepresentable: 'any' })
  return plain(allowExtraFields(described)) as JsonObject
}

// Readers let unknown fields by, so the description must not forbid them.
function allowExtraFields(described: unknown): unknown {
  if (Array.isArray(described)) return described.map(allowExtraFields)
  if (typeof described !== 'object' || described === null) return described
  return Object.fromEntries(
    Object.entries(described)
      .filter(([key, value]) => !(key === 'additionalProperties' && value === false))
      .map(([key, value]) => [key, allowExtraFields(value)]),
  )
}

function plain(value: unknown): Json {
  return JSON.parse(JSON.stringify(value))
}
