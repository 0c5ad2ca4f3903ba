import { Hono } from 'hono'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { type Operation, query } from '../../openapi/operation.ts'
import { createSilentLog } from '../log.ts'
import { answerError } from './api-error.ts'
import type { ServiceEnv } from './context.ts'
import { serve } from './serve.ts'

const words = { rule: { who: 'anyone' }, tag: 'Operations', summary: '', description: '', answers: {} } as const
const list = {
  ...words,
  route: 'GET /things',
  query: query(z.object({ limit: z.optional(z.string().check(z.maxLength(2))), from: z.optional(z.string()) }), {
    limit: ['', ''],
    from: ['', ''],
  }),
} satisfies Operation
const create = {
  ...words,
  route: 'POST /things/:id',
  body: { reads: z.object({ name: z.string() }) },
} satisfies Operation
const plain = { ...words, route: 'GET /things/:id' } satisfies Operation

const lenient = {
  ...create,
  route: 'POST /others/:id',
  body: { ...create.body, ignoresUnknown: true },
} satisfies Operation
const made = {
  ...words,
  route: 'POST /made/:id',
  answers: { 201: { says: '', data: z.object({ id: z.string() }) } },
} satisfies Operation
const gone = { ...words, route: 'POST /gone/:id', answers: { 204: { says: '' } } } satisfies Operation

function createApp() {
  let counted = 0
  const app = new Hono<ServiceEnv>()
  app.use((context, next) => {
    context.set('arrivedAtMs', performance.now())
    return next()
  })
  app.onError((error, context) => answerError(context, error, createSilentLog()))
  app.use('/things/counted', (context, next) => {
    context.set('countRequest', async () => {
      counted += 1
    })
    return next()
  })
  serve(app, list, (context, body, read) => context.json({ body: body ?? null, read }))
  serve(app, create, (context, body, read) => context.json({ id: context.req.param('id'), body, read: read ?? null }))
  serve(app, plain, (context, body, read) => context.json({ body: body ?? null, read: read ?? null }))
  serve(app, lenient, (context, body) => context.json(body))
  serve(app, made, (context) => ({ id: context.req.param('id') }))
  serve(app, gone, () => {})
  async function ask(path: string, sent?: string) {
    const headers = { 'Content-Type': 'application/json' }
    const response = await app.request(path, sent === undefined ? {} : { method: 'POST', headers, body: sent })
    const text = await response.text()
    return { status: response.status, body: text === '' ? null : JSON.parse(text) }
  }
  return { ask, counted: () => counted }
}

test('a handler gets the query and the body as the row reads them, and nothing where it reads none', async () => {
  const { ask, counted } = createApp()
  expect((await ask('/things')).body).toEqual({ body: null, read: {} })
  expect((await ask('/things?limit=7&from=a')).body).toEqual({ body: null, read: { limit: '7', from: 'a' } })
  expect((await ask('/things/9', '{"name":"Ada"}')).body).toEqual({
    id: '9',
    body: { name: 'Ada' },
    read: null,
  })
  expect((await ask('/things/9?limit=1')).body).toEqual({ body: null, read: null })
  expect(counted()).toBe(0)
})

test.each([
  ['a parameter that is not there', 'limits=7', 'limits: is not a parameter here; there are limit, from'],
  ['one that is given twice', 'limit=7&limit=7', 'limit: must be given once'],
  ['one with a value that is refused', 'limit=700', 'limit: must have at most 2 characters'],
  [
    'two that are wrong',
    'limit=700&x=1',
    'x: is not a parameter here; there are limit, from; limit: must have at most 2 characters',
  ],
  [
    'a name of more than fifty characters, as far as it is shown',
    `a${'b'.repeat(50)}=1`,
    `a${'b'.repeat(49)}: is not a parameter here; there are limit, from`,
  ],
])('%s is refused', async (_name, given, message) => {
  expect(await createApp().ask(`/things?${given}`)).toEqual({
    status: 400,
    body: { code: 'validation-error', message },
  })
})

test('an unknown field of a body is refused, unless the row lets it by', async () => {
  const { ask } = createApp()
  const sent = '{"name":"Ada","age":1}'
  expect((await ask('/things/9', sent)).body.message).toBe('age: is not a field here; there are name')
  expect((await ask('/others/9', sent)).body).toEqual({ name: 'Ada' })
})

test('what a handler returns is `data` of an answer with the status of its row; nothing is 204', async () => {
  const { ask } = createApp()
  const meta = { request: { timeTakenMs: expect.any(Number) } }
  expect(await ask('/made/9', '{}')).toEqual({ status: 201, body: { meta, data: { id: '9' } } })
  expect(await ask('/gone/9', '{}')).toEqual({ status: 204, body: null })
})

test('a body that is refused counts towards the limit where the route does the counting', async () => {
  const { ask, counted } = createApp()
  expect((await ask('/things/counted', '{"name":7}')).status).toBe(400)
  expect(counted()).toBe(1)
  expect((await ask('/things/other', '{"name":7}')).status).toBe(400)
  expect((await ask('/things/counted', '{"name":"Ada"}')).status).toBe(200)
  expect(counted()).toBe(1)
})
