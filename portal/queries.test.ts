// The rules of queries, tried at each list and read of the API: a misspelt filter is refused, never answered with
// everything or nothing.
import { expect, test } from 'vitest'
import type { JsonObject } from '../openapi/component.ts'
import { signedInApi } from '../testing/signed-in-api.ts'
import { describeAll } from './rows.ts'

const { ask } = signedInApi('')

type Parameter = { name: string; in: string; required?: boolean; example: unknown; schema: JsonObject }
type Operation = { operationId: string; parameters?: Parameter[] }
const { paths } = describeAll() as unknown as { paths: { [path: string]: { [method: string]: Operation } } }

const BELOW = '/{tenantId}/v1/'
const reads = Object.entries(paths).flatMap(([path, { get }]) =>
  get && path.startsWith(BELOW) ? [{ ...get, path: path.slice(BELOW.length), parameters: get.parameters ?? [] }] : [],
)
/** Any text may be in them. */
const FREE = ['externalReference', 'who', 'object']
const filters = reads.flatMap(({ path, parameters }) => {
  const query = parameters.filter((parameter) => parameter.in === 'query')
  const needed = query.filter(({ required }) => required).map(({ name, example }) => [name, String(example)])
  return query
    .filter(({ name }) => !FREE.includes(name))
    .map(({ name }) => [
      name,
      `${path}?${new URLSearchParams({ ...Object.fromEntries(needed), [name]: 'nothing-known' })}`,
    ])
})

test('there are lists and filters', () => {
  expect(reads.length).toBeGreaterThan(15)
  expect(filters.length).toBeGreaterThan(25)
})

test.each(filters)('%s that matches nothing known is refused by its name: %s', async (name, address) => {
  const { status, body } = await ask(`GET ${address}`)
  expect([status, body.code]).toEqual([400, 'validation-error'])
  expect(body.message).toContain(`${name}: `)
})

const whole = reads.filter(({ path }) => !path.includes('{'))
test.each(whole.map(({ path }) => [path]))('%s refuses a parameter that it does not have', async (path) => {
  const { status, body } = await ask(`GET ${path}?nosuch=1`)
  expect([status, body.code]).toEqual([400, 'validation-error'])
  expect(body.message).toContain('nosuch: is not a parameter here')
})

const single = reads.filter(({ path }) => path.includes('{'))
test.each(single.map(({ path }) => [path]))('%s names an unknown thing', async (path) => {
  const { status, body } = await ask(`GET ${path.replace(/\{\w+\}/, 'nothing-known')}`)
  expect(status).toBe(404)
  expect(body.message).not.toBe('there is nothing at this address')
})
