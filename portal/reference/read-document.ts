// The service's own OpenAPI document, read into just what the reference page shows.
import * as z from 'zod/mini'

const Schema = z.object({
  type: z.optional(z.string()),
  format: z.optional(z.string()),
  description: z.optional(z.string()),
  enum: z.optional(z.array(z.unknown())),
  const: z.optional(z.unknown()),
  default: z.optional(z.unknown()),
  maxLength: z.optional(z.number()),
  minItems: z.optional(z.number()),
  maxItems: z.optional(z.number()),
  minimum: z.optional(z.number()),
  maximum: z.optional(z.number()),
  examples: z.optional(z.array(z.unknown())),
  required: z.optional(z.array(z.string())),
  get properties() {
    return z.optional(z.record(z.string(), Schema))
  },
  get items() {
    return z.optional(Schema)
  },
  get anyOf() {
    return z.optional(z.array(Schema))
  },
  get oneOf() {
    return z.optional(z.array(Schema))
  },
})

export type Schema = z.infer<typeof Schema>

const Media = z.object({
  schema: z.optional(Schema),
  example: z.optional(z.unknown()),
  examples: z.optional(z.record(z.string(), z.object({ value: z.unknown() }))),
})

const DocumentAnswer = z.object({
  $ref: z.optional(z.string()),
  description: z.optional(z.string()),
  headers: z.optional(z.record(z.string(), z.unknown())),
  content: z.optional(z.record(z.string(), Media)),
})
export type DocumentAnswer = z.infer<typeof DocumentAnswer>

const DocumentParameter = z.object({
  name: z.string(),
  in: z.enum(['path', 'query', 'header']),
  required: z.optional(z.boolean()),
  example: z.optional(z.unknown()),
  description: z.optional(z.string()),
})
export type DocumentParameter = z.infer<typeof DocumentParameter>

const DocumentOperation = z.object({
  operationId: z.string(),
  tags: z.array(z.string()),
  summary: z.string(),
  description: z.optional(z.string()),
  security: z.optional(z.array(z.record(z.string(), z.unknown()))),
  parameters: z._default(z.array(DocumentParameter), []),
  requestBody: z.optional(z.object({ content: z.record(z.string(), Media) })),
  responses: z.record(z.string(), DocumentAnswer),
})
export type DocumentOperation = z.infer<typeof DocumentOperation>

const ServiceDocument = z.object({
  info: z.object({ title: z.string(), version: z.string(), description: z.string() }),
  servers: z.array(z.object({ url: z.string() })),
  tags: z.array(z.object({ name: z.string(), description: z.string() })),
  paths: z.record(z.string(), z.record(z.string(), DocumentOperation)),
  webhooks: z.record(z.string(), z.object({ post: DocumentOperation })),
  components: z.object({
    responses: z.record(z.string(), DocumentAnswer),
    headers: z.record(z.string(), z.object({ description: z.string(), example: z.unknown() })),
  }),
})
export type ServiceDocument = z.infer<typeof ServiceDocument>

export function readDocument(json: string): ServiceDocument {
  const document = JSON.parse(json)
  return ServiceDocument.parse(inline(document, document.components.schemas))
}

const SCHEMA_PREFIX = '#/components/schemas/'

/**
 * The page shows every field in its place: named schemas are put where they are used, and `null` (the same as no field)
 * is left out.
 */
function inline(value: unknown, schemas: { [name: string]: unknown }): unknown {
  if (Array.isArray(value)) return value.filter((entry) => !isNull(entry)).map((entry) => inline(entry, schemas))
  if (typeof value !== 'object' || value === null) return value
  const { $ref, ...own } = value as { $ref?: unknown }
  const named = typeof $ref === 'string' && $ref.startsWith(SCHEMA_PREFIX)
  const whole = named ? { ...(schemas[$ref.slice(SCHEMA_PREFIX.length)] as object), ...own } : value
  return Object.fromEntries(
    Object.entries(whole).map(([key, entry]) => [
      key,
      key === 'type' && Array.isArray(entry) ? entry.find((type) => type !== 'null') : inline(entry, schemas),
    ]),
  )
}

function isNull(schema: unknown): boolean {
  return typeof schema === 'object' && schema !== null && 'type' in schema && schema.type === 'null'
}
