import { setImmediate } from 'node:timers/promises'
import { Hono } from 'hono'
import { afterEach, expect, test, vi } from 'vitest'
import type { ServiceEnv } from '../../service/http/context.ts'
import { answerFile } from './download.ts'
import { createRequestsFirst, type RequestsFirst } from './requests-first.ts'

afterEach(() => void vi.useRealTimers())

test('each part of a file waits for requests that are running', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] })
  const requestsFirst = createRequestsFirst()
  const texts = (async function* () {
    yield '1'
    yield '2'
  })()
  const file = await read(texts, requestsFirst)
  await file.read()
  let answer = () => {}
  const held = new Promise<void>((resolve) => {
    answer = resolve
  })
  const running = new Hono().use(requestsFirst.count).get('/', async (context) => context.text(String(await held)))
  const answered = running.request('/')
  let isRead = false
  const second = file.read().then(() => {
    isRead = true
  })
  await setImmediate()
  await vi.advanceTimersByTimeAsync(49)
  expect(isRead).toBe(false)
  answer()
  await answered
  await vi.advanceTimersByTimeAsync(1)
  await second
})

test('a file rests for as long as its last part took', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] })
  const texts = (async function* () {
    vi.advanceTimersByTime(30)
    yield '1'
    yield '2'
  })()
  const file = await read(texts, createRequestsFirst())
  await file.read()
  let isRead = false
  const second = file.read().then(() => {
    isRead = true
  })
  await vi.advanceTimersByTimeAsync(29)
  for (let turn = 0; turn < 10; turn += 1) await setImmediate()
  expect(isRead).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  await second
})

test('a file that fails does not stop the next', async () => {
  async function* fail(): AsyncGenerator<string> {
    yield await Promise.reject(new Error('the database is down'))
  }
  const requestsFirst = createRequestsFirst()
  const failing = await read(fail(), requestsFirst)
  await expect(failing.read()).rejects.toThrow('the database is down')
  const texts = (async function* () {
    yield 'written'
  })()
  const next = await read(texts, requestsFirst)
  expect((await next.read()).value).toEqual(new TextEncoder().encode('written'))
})

async function read(texts: AsyncGenerator<string>, requestsFirst: RequestsFirst) {
  const app = new Hono<ServiceEnv>()
  app.get('/', (context) => answerFile(context, { name: 'file.csv', type: 'text/csv', texts }, requestsFirst))
  const { body } = await app.request('/')
  if (body === null) throw new Error('no file was answered')
  return body.getReader()
}
