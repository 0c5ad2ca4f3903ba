import type * as z from 'zod/mini'
import type { ErrorCode } from '../contract/error.ts'
import {
  IDEMPOTENCY_IGNORE_HEADER,
  IDEMPOTENCY_KEY_HEADER,
  IDEMPOTENCY_OWNER_HEADER,
  IGNORABLE_FIELDS,
  KEY_REUSED_HEADER,
  REPLAYED_HEADER,
} from '../contract/idempotency.ts'
import { IDEMPOTENCY_KEY_LENGTH_MAX } from '../contract/limits.ts'
import { rolesWith } from '../contract/roles.ts'
import { CHALLENGE_EXPIRES_IN_HEADER } from '../contract/tenant-proxy.ts'
import type { Json, JsonObject } from './component.ts'
import { describeInput, plain, refTo, withKeywords } from './describe-schemas.ts'
import { anyRefusal, describeErrors, describeOAuthErrors } from './errors.ts'
import { RATE_LIMIT_HEADERS, refsTo } from './headers.ts'
import {
  type Operation,
  type Parameter,
  type Query,
  type RequestBody,
  type SuccessAnswer,
  splitRoute,
} from './operation.ts'
import { ID_TEXT } from './page-words.ts'
import { CLIENT_ID, CREDIT_REPORT_ID, DELIVERY_ID, LINK_ID, type Sample, SECRET_ID, WEBHOOK_ID } from './samples.ts'
import { describeSecurity } from './security.ts'

type ExampleOf = (schema: string) => Json

type Examples = {
  /** Of a named schema, where an operation has none of its own. */
  exampleOf: ExampleOf
  /** The name of the schema whose `data` is this. */
  envelopeOf: (data: z.ZodMiniType) => string
  sample: Sample
}

const META = { request: { timeTakenMs: 42 } }

export function describeOperation(id: string, operation: Operation, whole: Examples): JsonObject {
  const { exampleOf } = whole
  const { tag, summary, description, body, idempotent, oauthErrors = {} } = operation
  const answers = Object.entries(operation.answers).map(([status, answer]) => [
    status,
    describeAnswer(answer, operation, whole),
  ])
  const parameters = parametersOf(operation).map((parameter) => ({ required: false, ...parameter }))
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: description + whoElse(operation),
    security: describeSecurity(operation),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body ? { requestBody: describeBody(body, exampleOf) } : {}),
    responses: {
      ...Object.fromEntries(answers),
      ...describeErrors(errorsOf(operation), idempotent ? { 'validation-error': [KEY_REUSED_HEADER] } : {}),
      ...describeOAuthErrors(oauthErrors),
      // A route that only redirects browsers: any other answer is a refusal.
      ...(Object.keys(operation.answers).some((status) => status.startsWith('2')) ? {} : { default: anyRefusal() }),
    },
  }
}

/** Machines need the scope, people the role. Every role may look. */
function whoElse({ rule }: Operation): string {
  if (rule.who === 'member') return ` For people with the role ${rolesWith(rule.permission)}; API clients get 403.`
  if (rule.who !== 'tenant' || rule.permission === 'look') return ''
  return ` A person needs the role ${rolesWith(rule.permission)}.`
}

/** The errors of every route that has a token, a body or neither. */
function errorsOf({ rule, body, errors = [] }: Operation): ErrorCode[] {
  const takesJson = body !== undefined && body.type === undefined
  return [
    ...(takesJson ? (['validation-error', 'payload-too-large', 'unsupported-media-type'] as const) : []),
    ...(rule.who !== 'anyone' ? (['unauthorized', 'forbidden', 'rate-limited'] as const) : []),
    ...('fresh' in rule && rule.fresh ? (['proof-required'] as const) : []),
    ...errors,
    'method-not-allowed',
    'internal-error',
    'unavailable',
  ]
}

function describeAnswer(
  answer: SuccessAnswer,
  { rule, idempotent, challenges }: Operation,
  { exampleOf, envelopeOf, sample }: Examples,
): JsonObject {
  const { says, type = 'application/json', data, schema = data && envelopeOf(data), examples, headers = [] } = answer
  const names = [
    ...headers,
    ...(challenges ? [CHALLENGE_EXPIRES_IN_HEADER] : []),
    ...(idempotent ? [REPLAYED_HEADER] : []),
    ...(rule.who !== 'anyone' ? RATE_LIMIT_HEADERS : []),
  ]
  const enveloped = (value: unknown) => (data ? { meta: META, data: value } : value)
  const own = examples && { examples: namedExamples(examples(sample), enveloped) }
  const content =
    typeof schema === 'string'
      ? { schema: refTo(schema), ...(own ?? { example: exampleOf(schema) }) }
      : { schema: schema ?? {}, ...own }
  return { description: says, headers: refsTo(names), ...(schema ? { content: { [type]: content } } : {}) }
}

function describeBody(
  { type = 'application/json', schema, required = true, example }: RequestBody,
  exampleOf: ExampleOf,
): JsonObject {
  const content =
    schema === undefined
      ? { schema: { type: 'string' }, ...(example && { example }) }
      : { schema: refTo(schema), example: exampleOf(schema) }
  return { required, content: { [type]: content } }
}

const PATH_PARAMETERS: { [name: string]: Pick<Parameter, 'description' | 'example' | 'schema'> } = {
  tenantId: {
    description: 'The lender’s id.',
    schema: { type: 'string', minLength: 1, maxLength: 100 },
    example: 'demo-lender',
  },
  creditReportId: {
    description: 'The report’s id, as generate answered it.',
    schema: ID_TEXT,
    example: CREDIT_REPORT_ID,
  },
  linkId: { description: 'The link’s id.', schema: ID_TEXT, example: LINK_ID },
  clientId: { description: 'The client’s id.', schema: ID_TEXT, example: CLIENT_ID },
  secretId: { description: 'The secret’s id, as the list shows it.', schema: ID_TEXT, example: SECRET_ID },
  webhookId: { description: 'The webhook’s id.', schema: ID_TEXT, example: WEBHOOK_ID },
  deliveryId: {
    description: 'The delivery’s id: the `webhook-id` that your server got.',
    schema: ID_TEXT,
    example: DELIVERY_ID,
  },
}

const IDEMPOTENCY_PARAMETERS: Parameter[] = [
  {
    name: IDEMPOTENCY_KEY_HEADER,
    in: 'header',
    description:
      'Repeat a request safely: the same key and body get the first answer again, marked `Idempotent-Replayed: true`. Remembered for 24 hours.',
    schema: { type: 'string', minLength: 1, maxLength: IDEMPOTENCY_KEY_LENGTH_MAX, pattern: '^[!-~]+$' },
    example: 'order-1042-first',
  },
  {
    name: IDEMPOTENCY_IGNORE_HEADER,
    in: 'header',
    description: `Fields that may differ from the first request under the same key, separated by commas: any of ${IGNORABLE_FIELDS.map((field) => `\`${field}\``).join(', ')}. Without it the whole body must be the same.`,
    schema: { type: 'string' },
    example: IGNORABLE_FIELDS.join(', '),
  },
  {
    name: IDEMPOTENCY_OWNER_HEADER,
    in: 'header',
    description:
      'For a key that others may know: a repeat must carry the same owner, else it is refused like a repeat with another body. Make it unguessable.',
    schema: { type: 'string', minLength: 1, maxLength: IDEMPOTENCY_KEY_LENGTH_MAX, pattern: '^[!-~]+$' },
    example: 'f3a9c1d0b7e24c55',
  },
]

function parametersOf(operation: Operation): Parameter[] {
  const { parameters = [], query, idempotent } = operation
  const inPath = [...splitRoute(operation).path.matchAll(/\{(\w+)\}/g)].flatMap(([, name = '']): Parameter[] => {
    const known = PATH_PARAMETERS[name]
    return known ? [{ name, in: 'path', required: true, ...known }] : []
  })
  return [
    ...inPath,
    ...(query ? describeQuery(query) : []),
    ...parameters,
    ...(idempotent ? IDEMPOTENCY_PARAMETERS : []),
  ]
}

function describeQuery({ reads, words }: Query): Parameter[] {
  const { properties, required = [] } = describeInput(reads)
  const own = properties as { [name: string]: JsonObject }
  return Object.entries(words).map(([name, [description, example, keywords = {}]]) => ({
    name,
    in: 'query',
    description,
    schema: withKeywords(own[name] ?? {}, keywords),
    example,
    ...((required as Json[]).includes(name) ? { required: true } : {}),
  }))
}

function namedExamples(examples: { [name: string]: unknown }, whole: (value: unknown) => unknown): JsonObject {
  return Object.fromEntries(Object.entries(examples).map(([name, value]) => [name, { value: plain(whole(value)) }]))
}
