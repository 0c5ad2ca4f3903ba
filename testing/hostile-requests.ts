// Test support: requests as an API description lists them, and the same with hostile text in one place at a time.
import type { JsonObject } from '../openapi/component.ts'

/** One request, taken apart so that any single part can be replaced. */
export type Call = {
  method: string
  /** With `{name}` where a parameter stands. */
  path: string
  pathValues: { [name: string]: string }
  query: { [name: string]: string }
  headers: { [name: string]: string }
  body?: { type: string; value: unknown }
  /** The places of text in the body. */
  fields: readonly Field[]
}

/** The place of a value in a body. */
type Field = readonly (string | number)[]

/** The change of one hostile request, as a reader of a failed test wants to see it. */
export type Hostile = { name: string; request: () => Request; bytes: number }

const BODY_BYTES = 60_000
const FORM_BYTES = 8_000
/** Node refuses more than 16 KiB of headers and address together. */
const LINE_BYTES = 12_000

const JSON_TYPE = 'application/json'
export const FORM_TYPE = 'application/x-www-form-urlencoded'

/** Each repeats a unit up to a number of bytes; `bytes` counts the text as UTF-8. */
const TEXTS: { [name: string]: (bytes: number) => string } = {
  'combining marks': (bytes) => `a${'\u0301'.repeat(bytes / 4)}${'\u0316'.repeat(bytes / 4)}`,
  'letters that expand': (bytes) => '\ufdfa'.repeat(bytes / 3),
  digits: (bytes) => '9'.repeat(bytes),
  'spaces, then a letter': (bytes) => `${' '.repeat(bytes - 2)}\u00a0x`,
  separators: (bytes) => 'a@-., ;='.repeat(bytes / 8),
  'broken characters': (bytes) => '\ud800'.repeat(bytes / 6),
}
/** For headers and addresses, which carry ASCII. */
const ASCII_TEXTS: { [name: string]: (bytes: number) => string } = {
  'a long token': (bytes) => 'Bearer '.padEnd(bytes, 'A.'),
  'spaces, then a letter': (bytes) => `x${' '.repeat(bytes - 2)}x`,
  separators: (bytes) => '%cc,;= "\\['.repeat(bytes / 10),
}

/** Every operation of an OpenAPI document, filled with its own examples. */
export function callsOf(document: JsonObject): Call[] {
  return Object.entries(document.paths as JsonObject).flatMap(([path, methods]) =>
    Object.entries(methods as { [method: string]: DescribedOperation }).map(([method, operation]) => {
      const parameters = operation.parameters ?? []
      const named = (place: string) =>
        Object.fromEntries(parameters.flatMap((each) => (each.in === place ? [[each.name, exampleOf(each)]] : [])))
      const [type, content] = Object.entries(operation.requestBody?.content ?? {})[0] ?? []
      return {
        method: method.toUpperCase(),
        path,
        pathValues: named('path'),
        query: named('query'),
        headers: named('header'),
        ...(type === undefined ? {} : { body: { type, value: content?.example ?? {} } }),
        fields: content?.schema ? fieldsOf(content.schema, document) : [],
      }
    }),
  )
}

type DescribedOperation = {
  parameters?: { name: string; in: string; example?: unknown }[]
  requestBody?: { content: { [type: string]: { schema?: JsonObject; example?: unknown } } }
}

function exampleOf({ example = 'x' }: { example?: unknown }): string {
  return String(example)
}

/** Every field a schema names, lists and objects included. */
function fieldsOf(schema: JsonObject, document: JsonObject, at: Field = []): Field[] {
  const { $ref, properties, items, anyOf, oneOf, allOf } = schema as { [keyword: string]: never }
  const into = (part: JsonObject, key: string | number) => fieldsOf(part, document, [...at, key])
  const parts: JsonObject[] = [anyOf, oneOf, allOf].flatMap((list: JsonObject[] | undefined) => list ?? [])
  const all = [
    ...(at.length > 0 ? [at] : []),
    ...($ref ? fieldsOf(resolve($ref, document), document, at) : []),
    ...Object.entries<JsonObject>(properties ?? {}).flatMap(([name, part]) => into(part, name)),
    ...(items ? into(items, 0) : []),
    ...parts.flatMap((part) => fieldsOf(part, document, at)),
  ]
  return [...new Map(all.map((field) => [field.join('.'), field])).values()]
}

function resolve($ref: string, document: JsonObject): JsonObject {
  const found = $ref
    .slice(2)
    .split('/')
    .reduce<unknown>((part, key) => (part as JsonObject)[key], document)
  return found as JsonObject
}

/** The call as it is described. */
export function requestOf(origin: string, call: Call): Request {
  return new Request(origin + addressOf(call), {
    method: call.method,
    headers: { ...(call.body ? { 'Content-Type': call.body.type } : {}), ...call.headers },
    ...(call.body ? { body: writeBody(call.body) } : {}),
  })
}

function bytesOf(request: Request, body: string): number {
  const headers = [...request.headers].reduce((sum, [name, value]) => sum + name.length + value.length, 0)
  return request.url.length + headers + Buffer.byteLength(body)
}

function addressOf({ path, pathValues, query }: Call): string {
  const written = path.replace(/\{(\w+)\}/g, (_all, name) => encodeURIComponent(pathValues[name] ?? 'x'))
  const search = new URLSearchParams(query).toString()
  return search ? `${written}?${search}` : written
}

function writeBody({ type, value }: NonNullable<Call['body']>): string {
  if (typeof value === 'string') return value
  if (type === FORM_TYPE) return new URLSearchParams(value as { [name: string]: string }).toString()
  return JSON.stringify(value)
}

/** The call with hostile text in each of its places, one at a time. `headers`: those that the route reads. */
export function* hostileRequests(origin: string, call: Call, headers: readonly string[]): Generator<Hostile> {
  function hostile(name: string, changed: Call): Hostile {
    const request = () => requestOf(origin, changed)
    return { name, request, bytes: bytesOf(request(), changed.body ? writeBody(changed.body) : '') }
  }

  for (const name of Object.keys(call.pathValues))
    for (const [text, write] of Object.entries(ASCII_TEXTS))
      yield hostile(`${text} in the path's ${name}`, {
        ...call,
        pathValues: { ...call.pathValues, [name]: write(LINE_BYTES / 3) },
      })
  for (const name of Object.keys(call.query))
    for (const [text, write] of Object.entries(TEXTS))
      yield hostile(`${text} in the query's ${name}`, {
        ...call,
        query: { ...call.query, [name]: write(LINE_BYTES / 6) },
      })
  const many = Object.fromEntries(Array.from({ length: LINE_BYTES / 8 }, (_, index) => [`q${index}`, '%']))
  yield hostile('many parameters', { ...call, query: many })
  for (const name of headers)
    for (const [text, write] of Object.entries(ASCII_TEXTS))
      yield hostile(`${text} in ${name}`, { ...call, headers: { ...call.headers, [name]: write(LINE_BYTES) } })
  const cookies = Array.from({ length: LINE_BYTES / 10 }, (_, index) => `c${index}=%41`).join('; ')
  yield hostile('many cookies', {
    ...call,
    headers: { ...call.headers, Cookie: `${call.headers.Cookie ?? ''}; ${cookies}` },
  })

  const { body, fields } = call
  if (!body) return
  const bytesMax = body.type === FORM_TYPE ? FORM_BYTES : BODY_BYTES
  const withBody = (name: string, value: unknown, type = body.type) => hostile(name, { ...call, body: { type, value } })
  for (const field of fields) {
    const put = (value: unknown) => replaceAt(body.value, field, value)
    for (const [text, write] of Object.entries(TEXTS))
      yield withBody(`${text} in ${field.join('.')}`, put(write(bytesMax)))
    if (body.type !== JSON_TYPE || field.length > 1) continue
    yield withBody(`a list in ${field.join('.')}`, put(Array.from({ length: BODY_BYTES / 3 }, () => ({}))))
    yield withBody(`many keys in ${field.join('.')}`, put(manyKeys(BODY_BYTES)))
  }
  if (body.type === FORM_TYPE) {
    const names = Array.from({ length: BODY_BYTES / 6 }, (_, index) => `${index.toString(36)}=&`)
    yield withBody('many fields', names.join(''))
    yield withBody('one field many times', 'a=1&'.repeat(BODY_BYTES / 4))
    yield withBody('many escapes', '%'.repeat(BODY_BYTES))
    return
  }
  yield withBody('deep lists', '['.repeat(BODY_BYTES))
  yield withBody('deep objects', '{"a":'.repeat(BODY_BYTES / 5))
  yield withBody('many keys', manyKeys(BODY_BYTES))
  yield withBody('a long number', '9'.repeat(BODY_BYTES))
  yield withBody('many escapes', `"${'\\u0301\\u0316'.repeat(BODY_BYTES / 12)}"`)
  yield withBody('another encoding', '\u0000{'.repeat(BODY_BYTES / 2), `${JSON_TYPE}; charset=utf-16`)
}

function manyKeys(bytes: number): JsonObject {
  return Object.fromEntries(Array.from({ length: bytes / 10 }, (_, index) => [`k${index}`, index]))
}

/** A copy of `value` with `put` at `at`; objects and lists on the way are made where they are missing. */
function replaceAt(value: unknown, [key, ...rest]: Field, put: unknown): unknown {
  if (key === undefined) return put
  if (typeof key === 'number') return [replaceAt(Array.isArray(value) ? value[key] : undefined, rest, put)]
  const own: JsonObject = typeof value === 'object' && value !== null ? (value as JsonObject) : {}
  return { ...own, [key]: replaceAt(own[key], rest, put) }
}
