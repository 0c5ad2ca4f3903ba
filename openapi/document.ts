// The service described in OpenAPI 3.1, from the schemas that check its requests and answers. `npm run openapi` writes
// openapi.json; a running service serves its own version, with its address and its bureaus.

import type * as z from 'zod/mini'
import { BUREAUS } from '../contract/credit-report.ts'
import { ErrorBody, envelope, Meta, RequestMeta } from '../contract/envelope.ts'
import { COUNT, type Component, component, type JsonObject } from './component.ts'
import { describeOperation } from './describe-operation.ts'
import { describeSchemas } from './describe-schemas.ts'
import { describeRefusals } from './errors.ts'
import { describeHeaders } from './headers.ts'
import { type DocumentRules, operationsOf, type RequestBody, type Rows, splitRoute, TAGS } from './operation.ts'
import { sampleFrom } from './samples.ts'
import { securitySchemes } from './security.ts'

/**
 * Without `publicUrl` it is a variable for the reader to fill in; without `birthYearMax` the file in the repository
 * stays true for years.
 */
export type DocumentOptions = Partial<DocumentRules>

const BIRTH_YEAR_MAX = 2009
const LOCAL_URL = 'http://localhost:4100'

/** `rows`: what is served. */
export function openApiDocument(rows: readonly Rows[], options: DocumentOptions = {}): JsonObject {
  const { publicUrl, bureaus = BUREAUS } = options
  const { requests, answers } = namedSchemas(rows, options)
  const schemas = { ...describeSchemas(requests, 'input'), ...describeSchemas(answers, 'output') }
  const exampleOf = (name: string) => [schemas[name]?.examples].flat()[0] ?? null
  const envelopeOf = (data: z.ZodMiniType) => nameOf(answers, data) + ENVELOPE
  const examples = { exampleOf, envelopeOf, sample: sampleFrom(bureaus) }
  const paths: { [path: string]: JsonObject } = {}
  for (const { name: tag } of TAGS) {
    for (const [id, operation] of Object.entries(operationsOf(rows))) {
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
            description: 'The address of the service; by default that of `npm start`.',
            variables: { baseUrl: { default: LOCAL_URL, description: 'Scheme, host and port of the service.' } },
          }
        : { url: publicUrl, description: 'This service.' },
    ],
    tags: [...TAGS],
    security: [{ token: [] }],
    paths,
    webhooks: Object.assign({}, ...rows.map(({ webhooks }) => webhooks?.())),
    components: {
      securitySchemes: securitySchemes(publicUrl),
      schemas,
      headers: describeHeaders(),
      responses: describeRefusals(paths),
    },
  }
}

/** Every schema under its public name. */
export function namedSchemas(
  rows: readonly Rows[],
  { publicUrl = LOCAL_URL, bureaus = BUREAUS, birthYearMax = BIRTH_YEAR_MAX }: DocumentOptions = {},
): { requests: Component[]; answers: Component[] } {
  const words = rows.map((row) => row.words?.({ publicUrl, bureaus, birthYearMax }) ?? {})
  const strict = new Set(bodiesOf(rows).flatMap(({ schema, ignoresUnknown }) => (ignoresUnknown ? [] : (schema ?? []))))
  const close = (each: Component) =>
    strict.has(each.name) || isStrict(each.schema)
      ? { ...each, keywords: { ...each.keywords, additionalProperties: false } }
      : each
  const requests = words.flatMap(({ requests: own = [] }) => own).map(close)
  const answers = [...sharedAnswers, ...words.flatMap(({ answers: own = [] }) => own)].map(close)
  return { requests, answers: [...answers, ...describeEnvelopes(rows, answers)] }
}

const ENVELOPE = 'Response'

/** The answers that `data` of a row stands for: `{ meta, data }`. */
function describeEnvelopes(rows: readonly Rows[], components: readonly Component[]): Component[] {
  const operations = Object.values(operationsOf(rows))
  const all = new Set(operations.flatMap((each) => Object.values(each.answers).flatMap(({ data }) => data ?? [])))
  return [...all].map((data) => {
    const name = nameOf(components, data)
    return component(name + ENVELOPE, envelope(data), `An answer with \`${name}\`.`, {
      meta: 'About the request.',
      data: 'The answer.',
    })
  })
}

/** An object that refuses other fields by itself, wherever it stands in a body. */
function isStrict(schema: z.ZodMiniType): boolean {
  const { catchall } = schema._zod.def as { catchall?: z.ZodMiniType }
  return catchall?._zod.def.type === 'never'
}

function bodiesOf(rows: readonly Rows[]): RequestBody[] {
  return Object.values(operationsOf(rows)).flatMap(({ body }) => (body?.reads ? [body] : []))
}

function nameOf(components: readonly Component[], data: z.ZodMiniType): string {
  const found = components.find(({ schema }) => schema === data)
  const { shape = {} } = data._zod.def as { shape?: object }
  if (!found) throw new Error(`openapi: no words for the answer with ${Object.keys(shape).join(', ')}`)
  return found.name
}

const sharedAnswers: Component[] = [
  component('RequestMeta', RequestMeta, 'About the request itself.', {
    timeTakenMs: ['The time the service worked on the request, in milliseconds.', 42, COUNT],
  }),
  component('Meta', Meta, 'About the request.', { request: 'About the request itself.' }),
  component('ServiceError', ErrorBody, 'The refusal of a request.', {
    code: ['The error code, for programs. A newer service may add codes.', 'validation-error'],
    message: ['The error in words, for people; never anything personal.', 'firstName: is required'],
  }),
]
