import { readFileSync } from 'node:fs'
import { validate } from '@readme/openapi-parser'
import { createGenerator } from 'json-schema-faker'
import { describe, expect, test } from 'vitest'
import * as z from 'zod/mini'
import { BUREAUS } from '../contract/credit-report.ts'
import { ERROR_STATUS } from '../contract/error.ts'
import { GenerateRequest, generateRequest } from '../contract/generate.ts'
import { read } from '../contract/problems.ts'
import { allRows, describeAll } from '../portal/rows.ts'
import type { Component, JsonObject } from './component.ts'
import { namedSchemas } from './document.ts'
import { operationsOf, splitRoute } from './operation.ts'
import { sampleFrom } from './samples.ts'

const committed = JSON.parse(readFileSync(new URL('../docs/openapi.json', import.meta.url), 'utf8'))
const schemas: { [name: string]: JsonObject } = committed.components.schemas
const OPERATIONS = operationsOf(allRows)
const { requests, answers } = namedSchemas(allRows)
const components = new Map(
  [...requests, ...answers].map((component): [string, Component] => [component.name, component]),
)

/** The problems of a value, by the schema of this name. */
function readAs(name: unknown, value: unknown) {
  const component = components.get(String(name))
  return component ? read(component.schema, value) : null
}

describe('openapi.json', () => {
  test('is what the schemas say; after a change run `npm run openapi`', () => {
    expect(committed).toEqual(describeAll())
  })

  test('is valid OpenAPI', async () => {
    expect(await validate(structuredClone(committed))).toMatchObject({ valid: true })
  })

  test('a broken document would be caught', async () => {
    const broken = { ...structuredClone(committed), paths: { '/x': { get: { responses: 'none' } } } }
    expect(await validate(broken)).toMatchObject({ valid: false })
  })

  test('names every error code', () => {
    const text = JSON.stringify(committed)
    expect(Object.keys(ERROR_STATUS).filter((code) => !text.includes(`{"code":"${code}",`))).toEqual([])
  })

  test('where an Idempotency-Key is accepted, and only there, a 400 may say that the key was used before', () => {
    const named = Object.values(OPERATIONS).filter((operation) => {
      const { method, path } = splitRoute(operation)
      return 'Idempotency-Key-Reused' in (committed.paths[path][method].responses[400]?.headers ?? {})
    })
    expect(named).toEqual(Object.values(OPERATIONS).filter(({ idempotent }) => idempotent))
    expect(named.length).toBeGreaterThan(1)
  })
})

describe('every field', () => {
  const fields = Object.entries(schemas).flatMap(([name, { properties = {} }]) =>
    Object.entries(properties as { [field: string]: JsonObject }).map(([field, schema]) => ({ name, field, schema })),
  )

  test('has a sentence', () => {
    expect(fields.length).toBeGreaterThan(100)
    const wordless = fields.filter(({ schema }) => !/^[A-Z`].*[.:]$/s.test(String(schema.description ?? '')))
    expect(wordless.map(({ name, field }) => `${name}.${field}`)).toEqual([])
  })

  test('has an example, its own or that of the schema it names', () => {
    const bare = fields.filter(({ schema }) => !hasExample(schema))
    expect(bare.map(({ name, field }) => `${name}.${field}`)).toEqual([])
  })

  test('belongs to a schema with a name: nothing is described where no generated client could name it', () => {
    const { schemas: _named, ...components } = committed.components
    expect(JSON.stringify([committed.paths, components])).not.toContain('"properties"')
  })
})

function hasExample({ examples, $ref, items, anyOf, oneOf }: JsonObject): boolean {
  if (Array.isArray(examples)) return examples.length > 0
  if (typeof $ref === 'string') return hasExample(schemas[$ref.split('/').at(-1) ?? ''] ?? {})
  if (items) return hasExample(items as JsonObject)
  return [anyOf, oneOf].flat().some((variant) => variant && hasExample(variant as JsonObject))
}

describe('every example', () => {
  test.each(Object.entries(schemas))('of %s is read by its schema', (name, { examples }) => {
    expect(examples).toHaveLength(1)
    expect(readAs(name, Array.isArray(examples) && examples[0])).toMatchObject({ ok: true })
  })

  const bodies = Object.values(OPERATIONS).flatMap((operation) =>
    operation.body?.schema ? [{ ...splitRoute(operation), ...operation.body }] : [],
  )
  test.each(bodies)('request of $path is that of its schema', ({ method, path, type = 'application/json', schema }) => {
    const { example } = committed.paths[path][method].requestBody.content[type]
    expect([example]).toEqual(schemas[schema ?? '']?.examples)
  })

  test.each(bodies.filter(({ reads }) => reads))('request of $path is read with the schema it names', (body) => {
    const shapes = [body.reads, components.get(body.schema ?? '')?.schema].map(
      (schema) => schema && z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }),
    )
    expect(shapes[0]).toEqual(shapes[1])
  })

  const answered = Object.entries(OPERATIONS).flatMap(([id, operation]) =>
    Object.values(operation.answers).flatMap(({ schema, examples = () => ({}) }) =>
      typeof schema === 'string'
        ? Object.entries(examples(sampleFrom(BUREAUS))).map(([name, value]) => ({ id, name, schema, value }))
        : [],
    ),
  )
  test.each(answered)('answer $name of $id is read', ({ schema, value }) => {
    expect(readAs(schema, value)).toMatchObject({ ok: true })
  })
})

describe('requests made from the document alone', () => {
  const ACCEPTED_SHARE_MIN = 0.99

  async function makeRequests(document: JsonObject, times: number): Promise<unknown[]> {
    // Its guard against schemas without an end counts every list and object; this one ends by itself.
    const made = createGenerator({ seed: 17, maxDepth: 20 })
    const { components } = document as { components: { schemas: { [name: string]: JsonObject } } }
    const schema = { ...components.schemas.GenerateRequest, components }
    return Promise.all(Array.from({ length: times }, () => made.generate(schema)))
  }

  test('are accepted', async () => {
    const readings = (await makeRequests(committed, 400)).map((request) => read(GenerateRequest, request))
    const problems = readings.flatMap((reading) => (reading.ok ? [] : reading.problems))
    const share = readings.filter(({ ok }) => ok).length / readings.length
    expect(share, JSON.stringify(problems.slice(0, 20))).toBeGreaterThanOrEqual(ACCEPTED_SHARE_MIN)
  })

  test('are accepted by a service with other bureaus that serves its own', async () => {
    const bureaus = ['alpha', 'beta']
    const own = await makeRequests(describeAll({ publicUrl: 'https://reports.example', bureaus }), 200)
    const accepted = own.filter((request) => read(generateRequest({ bureaus }), request).ok)
    expect(accepted.length / own.length).toBeGreaterThanOrEqual(ACCEPTED_SHARE_MIN)
  })
})

describe('what a running service serves', () => {
  const own = describeAll({
    publicUrl: 'http://reports.example:8080',
    bureaus: ['alpha'],
    birthYearMax: 2012,
  })
  const text = JSON.stringify(own)

  test('names its own address and bureaus, and no other', () => {
    expect(own.servers).toEqual([{ url: 'http://reports.example:8080', description: 'This service.' }])
    expect(text.includes('http://reports.example:8080/v1/oauth/token')).toBe(true)
    expect(/equifax|localhost/.test(text)).toBe(false)
  })

  test('names its cookies as they are by plain http', () => {
    expect(own).toMatchObject({ components: { securitySchemes: { session: { name: 'access' } } } })
    expect(committed.components.securitySchemes.session.name).toBe('__Host-access')
  })
})
