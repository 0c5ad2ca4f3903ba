// The one shape of what we add below `/{tenantId}/v1/`, read off the document.
import { expect, test } from 'vitest'
import { describeAll } from '../portal/rows.ts'
import type { JsonObject } from './component.ts'

type Content = { schema: JsonObject }
type Operation = {
  operationId: string
  parameters?: { name: string; in: string }[]
  requestBody?: { content: { [type: string]: Content } }
  responses: { [status: string]: { $ref?: string; content?: { [type: string]: Content } } }
}
const document = describeAll() as unknown as {
  paths: { [path: string]: { [method: string]: Operation } }
  components: { schemas: { [name: string]: JsonObject }; responses: { [name: string]: object } }
}

/** As the interface document has them: their bodies, statuses and `meta` are not ours to change. */
const OF_THE_DOCUMENT = ['generateCreditReport', 'submitOtp', 'resendSms']
/** Sent by a lender's own server, which may be newer than the service. */
const BY_THE_MOUNT = ['openCreditReport', 'countSteps', 'reportDoctor']
/** Operations that create nothing. */
const ACTIONS = [
  ...BY_THE_MOUNT,
  'exportPerson',
  'erasePerson',
  'testWebhook',
  'resendWebhookDelivery',
  'resendFailedWebhookDeliveries',
]

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, ...operation })),
)
const ours = operations.filter(
  ({ path, operationId }) => path.startsWith('/{tenantId}/v1/') && !OF_THE_DOCUMENT.includes(operationId),
)
const named = (schema: JsonObject | undefined): JsonObject =>
  document.components.schemas[String(schema?.$ref).split('/').at(-1) ?? ''] ?? {}
const fieldsOf = (schema: JsonObject | undefined) => (named(schema).properties ?? {}) as { [name: string]: JsonObject }
const answersOf = ({ responses }: Operation) =>
  Object.entries(responses).flatMap(([status, { content }]) =>
    status.startsWith('2') && content?.['application/json'] ? [content['application/json'].schema] : [],
  )
/** The names of the objects that a body is made of. */
const objectsIn = (schema: JsonObject | undefined): string[] =>
  [...new Set([...JSON.stringify(schema ?? {}).matchAll(/schemas\/(\w+)/g)].map(([, name = '']) => name))].flatMap(
    (name) => [name, ...objectsIn(named({ $ref: name }))],
  )
const dataOf = (operation: Operation) => answersOf(operation).map((answer) => fieldsOf(answer).data)

test('every answer is `meta` and `data`, and `meta` is about the request alone', () => {
  expect(ours.length).toBeGreaterThan(25)
  const odd = ours.filter((operation) =>
    answersOf(operation).some((answer) => {
      const { meta, data, ...others } = fieldsOf(answer)
      return !data || meta?.$ref !== '#/components/schemas/Meta' || Object.keys(others).length > 0
    }),
  )
  expect(odd.map(({ operationId }) => operationId)).toEqual([])
})

test('account and token paths answer bare', () => {
  const bare = operations.filter(({ path }) => path.startsWith('/v1/') || path.startsWith('/.well-known/'))
  expect(bare.length).toBeGreaterThan(8)
  expect(bare.flatMap(answersOf).filter((answer) => 'data' in fieldsOf(answer))).toEqual([])
})

test('a list with pages takes `after` and answers `nextAfter`, and there is no other cursor', () => {
  const paged = ours.filter(({ parameters = [] }) => parameters.some(({ name }) => name === 'limit'))
  expect(paged.length).toBeGreaterThan(5)
  for (const operation of paged) {
    expect(operation.parameters?.map(({ name }) => name)).toContain('after')
    expect(dataOf(operation).map((data) => Object.keys(fieldsOf(data)))).toEqual([
      expect.arrayContaining(['nextAfter']),
    ])
  }
  expect(JSON.stringify(document)).not.toMatch(/nextBefore|"name":"before"/)
})

test('what can be changed or removed by its id can be read by it', () => {
  const changed = ours.filter(({ method, path }) => ['patch', 'delete'].includes(method) && path.endsWith('}'))
  expect(changed.length).toBeGreaterThan(4)
  const readable = ours.filter(({ method }) => method === 'get').map(({ path }) => path)
  const odd = changed.filter(({ path }) => !readable.includes(path))
  // A secret is shown once, and then listed in its client.
  expect(odd.map(({ operationId }) => operationId)).toEqual(['endClientSecret'])
})

test('what a POST makes is answered with 201', () => {
  const making = ours.filter(({ method, operationId }) => method === 'post' && !ACTIONS.includes(operationId))
  expect(making.length).toBeGreaterThan(3)
  const odd = making.filter(({ responses }) => !responses['201'])
  expect(odd.map(({ operationId }) => operationId)).toEqual([])
})

test('a body of ours says that it takes no other fields', () => {
  const taking = ours.filter(
    ({ requestBody, operationId }) => requestBody?.content['application/json'] && !BY_THE_MOUNT.includes(operationId),
  )
  expect(taking.length).toBeGreaterThan(5)
  const bodies = taking.flatMap(({ requestBody }) => objectsIn(requestBody?.content['application/json']?.schema))
  const open = bodies.filter((name) => named({ $ref: name }).additionalProperties !== false)
  // Theirs is the address of generate, which ignores what it does not know.
  expect([...new Set(open)].toSorted()).toEqual(['UkAddress'])
  const documents = operations.filter(({ operationId }) => OF_THE_DOCUMENT.includes(operationId))
  for (const { requestBody } of documents)
    expect(named(requestBody?.content['application/json']?.schema)).not.toHaveProperty('additionalProperties')
})

test('a time stamp ends in At, but for the time of a step and what a standard names', () => {
  const times = Object.entries(document.components.schemas).flatMap(([name, { properties = {} }]) =>
    Object.entries(properties as { [field: string]: JsonObject }).flatMap(([field, { format }]) =>
      format === 'date-time' ? [`${name}.${field}`] : [],
    ),
  )
  expect(times.length).toBeGreaterThan(10)
  const odd = times.filter((time) => !/At$|\.timestamp$/.test(time))
  expect(odd).toEqual(['Search.date', 'TimelineEvent.at'])
})

test('a refusal is a code and a message', () => {
  expect(document.components.schemas.ServiceError).toMatchObject({ required: ['code', 'message'] })
  expect(Object.keys(fieldsOf({ $ref: '#/components/schemas/ServiceError' }))).toEqual(['code', 'message'])
})
