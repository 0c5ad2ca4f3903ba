import { setImmediate } from 'node:timers/promises'
import { Hono } from 'hono'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { ORIGIN, SAM, startTestService, type TestService } from '../../testing/portal-service.ts'
import type { TestBrowser } from '../../testing/service-browser.ts'
import { createRequestsFirst, type RequestsFirst } from './requests-first.ts'

let service: TestService
let browser: TestBrowser
let requestsFirst: RequestsFirst
beforeAll(async () => {
  service = await startTestService()
  browser = service.browser()
  await browser.signIn(...SAM, '/console')
})
afterAll(() => service.stop())
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] })
  requestsFirst = createRequestsFirst()
})
afterEach(() => void vi.useRealTimers())

/** Requests that are running until they are ended. */
function holdRequests(count: number) {
  const ends: (() => void)[] = []
  const app = new Hono().use(requestsFirst.count).get('/', async (context) => {
    await new Promise<void>((resolve) => ends.push(resolve))
    return context.text('')
  })
  const answers = Array.from({ length: count }, () => app.request('/'))
  return async (number: number) => {
    ends[number]?.()
    await answers[number]
  }
}

function note(promise: Promise<unknown>) {
  const noted = { isDone: false }
  void promise.then(() => {
    noted.isDone = true
  })
  return noted
}

/** The event loop turns for so long, or until it is over. */
async function spin(forMs: number, isOver: () => boolean): Promise<void> {
  const untilMs = Date.now() + forMs
  while (!isOver() && Date.now() < untilMs) await setImmediate()
}

test('a page goes on at once where nothing else is running, and else when the last request is answered', async () => {
  await requestsFirst.wait()
  const end = holdRequests(2)
  const page = note(requestsFirst.wait())
  await setImmediate()
  for (const number of [0, 1]) {
    await vi.advanceTimersByTimeAsync(5)
    expect(page.isDone).toBe(false)
    await end(number)
  }
  await vi.advanceTimersByTimeAsync(1)
  expect(page.isDone).toBe(true)
})

test('a page waits for 50 milliseconds at most, and the next one as long after it', async () => {
  const end = holdRequests(1)
  const pages = [note(requestsFirst.wait()), note(requestsFirst.wait())]
  for (const expected of [1, 2]) {
    await setImmediate()
    await vi.advanceTimersByTimeAsync(49)
    expect(pages.filter(({ isDone }) => isDone)).toHaveLength(expected - 1)
    await vi.advanceTimersByTimeAsync(1)
    expect(pages.filter(({ isDone }) => isDone)).toHaveLength(expected)
  }
  await end(0)
})

test('a page of the console waits for requests of programs, but not for other pages', async () => {
  let finish = () => {}
  const body = new ReadableStream({
    start(controller) {
      finish = () => controller.close()
    },
  })
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
  const init = { method: 'POST', headers, body, duplex: 'half' } as const
  const token = Promise.resolve(service.fetch(new Request(`${ORIGIN}/v1/oauth/token`, init)))
  const pages = [browser.visit('/console/profile'), browser.visit('/console/people')]
  const noted = pages.map(note)
  const areDone = () => noted.every(({ isDone }) => isDone)
  await spin(100, () => noted.some(({ isDone }) => isDone))
  expect(noted).toEqual([{ isDone: false }, { isDone: false }])
  finish()
  expect((await token).status).toBe(401)
  await vi.advanceTimersByTimeAsync(1)
  // No timer runs any more: a page that waited for the other, or for itself, would wait for ever.
  await spin(10_000, areDone)
  expect(areDone()).toBe(true)
  for (const { response } of await Promise.all(pages)) expect(response.status).toBe(200)
})
