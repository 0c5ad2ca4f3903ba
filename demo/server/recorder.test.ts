import { expect, test } from 'vitest'
import { createRecorder } from './recorder.ts'

const post = () => new Request('http://shop/credit-reports', { method: 'POST', body: '{"lastName":"Example"}' })

test('what the proxy asks on behalf of a visit is recorded under the visit’s label', async () => {
  const recorder = createRecorder()
  const ask = recorder.wrapFetch(async () => Response.json({ status: 'complete' }))
  await recorder.recordVisit('run-1', post(), async () => {
    await ask('http://service/report', { method: 'POST', body: '{}' })
    return Response.json({ ok: true })
  })
  expect(recorder.since(0).map(({ label, between, url }) => [label, between, url])).toEqual([
    ['run-1', 'proxy → service', 'http://service/report'],
    ['run-1', 'widget → proxy', 'http://shop/credit-reports'],
  ])
})

test('two visits at once keep their labels apart', async () => {
  const recorder = createRecorder()
  const ask = recorder.wrapFetch(async () => new Response('ok'))
  const visit = (label: string) =>
    recorder.recordVisit(label, post(), async () => {
      await new Promise(setImmediate)
      return ask(`http://service/${label}`)
    })
  await Promise.all([visit('a'), visit('b')])
  for (const { label, url, between } of recorder.since(0)) {
    if (between === 'proxy → service') expect(url).toBe(`http://service/${label}`)
  }
})

test('recording leaves request and answer readable for those they are for', async () => {
  const recorder = createRecorder()
  const response = await recorder.recordVisit('run', post(), async (request) => new Response(await request.text()))
  expect(await response.text()).toBe('{"lastName":"Example"}')
  expect(recorder.since(0)[0]?.response?.body).toBe('{"lastName":"Example"}')
})

test('a request without an answer is kept, and the failure passed on', async () => {
  const recorder = createRecorder()
  const ask = recorder.wrapFetch(async () => {
    throw new TypeError('fetch failed')
  })
  await expect(ask('http://service/')).rejects.toThrow('fetch failed')
  expect(recorder.since(0)[0]?.response).toBeNull()
})

test('a reader who waits hears of news, and of silence', async () => {
  const recorder = createRecorder()
  const waiting = recorder.waitForNews(0, 60_000)
  await recorder.recordVisit('run', post(), async () => new Response('1'))
  expect(await waiting).toBe(true)
  expect(await recorder.waitForNews(0, 60_000)).toBe(true)
  expect(await recorder.waitForNews(1, 1)).toBe(false)
})

test('an answer that is still being read is no news yet', async () => {
  const recorder = createRecorder()
  let finish = () => {}
  const slow = new ReadableStream({
    start(controller) {
      finish = () => controller.close()
    },
  })
  const visit = recorder.recordVisit('run', post(), async () => new Response(slow))
  await new Promise(setImmediate)
  // A reader who heard of news and found none would ask again for ever, and nothing else would run.
  expect(await recorder.waitForNews(0, 1)).toBe(false)
  finish()
  await visit
  expect(await recorder.waitForNews(0, 1)).toBe(true)
})

test('only the latest exchanges are kept', async () => {
  const recorder = createRecorder()
  for (let visit = 0; visit < 450; visit++) await recorder.recordVisit('run', post(), async () => new Response(''))
  const kept = recorder.since(0)
  expect(kept.length).toBe(400)
  expect(kept.at(-1)?.id).toBe(450)
})
