// Named schemas in JSON Schema, each field with its sentence and an example.
import * as z from 'zod/mini'
import type { Component, Json, JsonObject, Keywords } from './component.ts'

const PREFIX = '#/components/schemas/'

/** `input` describes what may be sent, `output` what comes back. */
export function describeSchemas(
  components: readonly Component[],
  io: 'input' | 'output',
): { [name: string]: JsonObject } {
  const registry = z.registry<{ id: string }>()
  for (const { name, schema } of components) registry.add(schema, { id: name })
  const { schemas } = z.toJSONSchema(registry, { io, unrepresentable: 'any', uri: (id) => PREFIX + id })
  const bare = Object.fromEntries(
    components.map((component) => [
      component.name,
      { component, schema: tidy(plain(schemas[component.name]) as JsonObject) },
    ]),
  )

  const described: { [name: string]: JsonObject } = {}
  for (const { name } of components) describe(name)
  return described

  function describe(name: string): JsonObject {
    const known = described[name]
    if (known) return known
    const { component, schema } = bare[name] ?? missing(name)
    const { properties, ...rest } = schema
    const fields = Object.fromEntries(
      Object.entries((properties ?? {}) as { [field: string]: JsonObject }).map(([field, own]) => [
        field,
        describeField(component, field, own),
      ]),
    )
    const whole = {
      title: name,
      ...(isUnion(rest) ? discriminate(rest) : rest),
      description: component.sentence,
      ...(properties ? { properties: fields } : {}),
      ...component.keywords,
    }
    const example = component.example ?? exampleOf(whole, component.without)
    described[name] = { ...whole, examples: [plain(example)] }
    return described[name]
  }

  function describeField({ name, fields }: Component, field: string, own: JsonObject): JsonObject {
    const words = fields[field] ?? missing(`${name}.${field}`)
    if (typeof words === 'string') return { ...own, description: words }
    const [sentence, example, keywords = {}] = words
    return withKeywords(own, { ...keywords, description: sentence, examples: [plain(example)] })
  }

  /** The example a schema has, or one put together from its parts. */
  function exampleOf(schema: JsonObject, without: readonly string[] = []): Json {
    const { $ref, examples, properties, items, oneOf, anyOf } = schema
    if (Array.isArray(examples) && examples[0] !== undefined) return examples[0]
    if (typeof $ref === 'string') return exampleOf(describe($ref.slice(PREFIX.length)))
    const [first] = (oneOf ?? anyOf ?? []) as JsonObject[]
    if (!properties && first) return exampleOf(first)
    if (items) return [exampleOf(items as JsonObject)]
    const fields = Object.entries((properties ?? {}) as { [field: string]: JsonObject })
    return Object.fromEntries(
      fields.filter(([field]) => !without.includes(field)).map(([field, own]) => [field, exampleOf(own)]),
    )
  }

  function isUnion(schema: JsonObject): schema is JsonObject & { anyOf: JsonObject[] } {
    return (
      Array.isArray(schema.anyOf) &&
      schema.anyOf.every((variant) => variant !== null && typeof variant === 'object' && '$ref' in variant)
    )
  }

  /** Says which field tells the variants apart: the one that is a constant in each. */
  function discriminate({ anyOf, ...rest }: JsonObject & { anyOf: JsonObject[] }): JsonObject {
    const mapping: { [value: string]: string } = {}
    let propertyName = ''
    for (const { $ref } of anyOf) {
      const { properties } = bare[String($ref).slice(PREFIX.length)]?.schema ?? missing(String($ref))
      const constants = Object.entries(properties as { [field: string]: JsonObject }).filter(
        ([, { const: only }]) => only !== undefined,
      )
      const [field, schema] = constants[0] ?? missing(`a constant in ${$ref}`)
      propertyName = field
      mapping[String(schema.const)] = String($ref)
    }
    return { ...rest, oneOf: anyOf, discriminator: { propertyName, mapping } }
  }
}

/** Keywords beside or instead of those that were read off a schema; null takes one away. */
export function withKeywords(own: JsonObject, keywords: Keywords): JsonObject {
  return Object.fromEntries(Object.entries({ ...own, ...keywords }).filter(([, value]) => value !== null))
}

/** A schema without a name of its own. */
export function describeInput(schema: z.ZodMiniType): JsonObject {
  return tidy(plain(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })) as JsonObject)
}

export function refTo(name: string): JsonObject {
  return { $ref: PREFIX + name }
}

export function plain(value: unknown): Json {
  return JSON.parse(JSON.stringify(value))
}

function missing(what: string): never {
  throw new Error(`openapi: there is no ${what}`)
}

/** Leaves out what says nothing, or would forbid what is let by: unknown fields, whole numbers of any size. */
function tidy(value: JsonObject): JsonObject {
  const kept = Object.entries(value).filter(
    ([key, entry]) =>
      !['$schema', '$id', 'id'].includes(key) &&
      !(key === 'additionalProperties' && entry === false) &&
      !(typeof entry === 'number' && Math.abs(entry) === Number.MAX_SAFE_INTEGER),
  )
  return foldNull(
    Object.fromEntries(kept.map(([key, entry]) => [key, key === 'properties' ? eachTidy(entry) : tidyEntry(entry)])),
  )
}

function eachTidy(properties: Json | undefined): JsonObject {
  return Object.fromEntries(
    Object.entries(properties as { [field: string]: JsonObject }).map(([field, own]) => [field, tidy(own)]),
  )
}

function tidyEntry(entry: Json | undefined): Json {
  if (Array.isArray(entry)) return entry.map(tidyEntry)
  if (typeof entry === 'object' && entry !== null) return tidy(entry)
  return entry ?? null
}

/** `anyOf: [{type: string, …}, {type: null}]` → `{type: [string, null], …}`: the same, and easier to read. */
function foldNull(schema: JsonObject): JsonObject {
  const { anyOf, ...rest } = schema
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return schema
  const [value, nothing] = anyOf as [JsonObject, JsonObject]
  if (nothing.type !== 'null' || typeof value.type !== 'string') return schema
  const values = Array.isArray(value.enum) ? { enum: [...value.enum, null] } : {}
  return { ...rest, ...value, ...values, type: [value.type, 'null'] }
}
