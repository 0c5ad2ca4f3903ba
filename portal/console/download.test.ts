import { Hono } from 'hono'
import { afterEach, expect, test, vi } from 'vitest'
import type { ServiceEnv } from '../../service/http/context.ts'
import { answerFile } from './download.ts'

afterEach(() => void vi.useRealTimers())

test('files are written in turn, and rest as long as a part of one took', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] })
  const begun: string[] = []
  async function* write(file: string, tookMs: number) {
    for (const part of ['1', '2']) {
      begun.push(`${file}${part}`)
      await new Promise((resolve) => setTimeout(resolve, tookMs))
      yield part
    }
  }
  const [first, second] = await Promise.all([read(write('a', 100)), read(write('b', 10))])
  const parts = [first.read(), second.read()]
  await vi.advanceTimersByTimeAsync(199)
  expect(begun).toEqual(['a1'])
  await vi.advanceTimersByTimeAsync(1)
  expect(begun).toEqual(['a1', 'b1'])
  await vi.advanceTimersByTimeAsync(20)
  expect(await Promise.all(parts)).toEqual(Array(2).fill({ done: false, value: new TextEncoder().encode('1') }))
  void first.read()
  await vi.advanceTimersByTimeAsync(0)
  expect(begun).toEqual(['a1', 'b1', 'a2'])
  await vi.runAllTimersAsync()
})

test('a file that fails does not stop the next', async () => {
  async function* fail(): AsyncGenerator<string> {
    yield await Promise.reject(new Error('the database is down'))
  }
  const failing = await read(fail())
  await expect(failing.read()).rejects.toThrow('the database is down')
  const next = await read(
    (async function* () {
      yield 'written'
    })(),
  )
  expect((await next.read()).value).toEqual(new TextEncoder().encode('written'))
})

async function read(texts: AsyncGenerator<string>) {
  const app = new Hono<ServiceEnv>()
  app.get('/', (context) => answerFile(context, { name: 'file.csv', type: 'text/csv', texts }))
  const { body } = await app.request('/')
  if (body === null) throw new Error('no file was answered')
  return body.getReader()
}
