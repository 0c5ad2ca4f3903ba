// Texts that did not leave: who sends them again, until when, and when their price goes back.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { isClean, reconcile } from '../../plugins/statement/reconcile.ts'
import { createTestApp, liveRequest, type TestApp } from '../../testing/test-app.ts'
import { ProviderUnavailable, type TextMessage } from '../providers/providers.ts'

const DAY_MS = 86_400_000
const LEASE_MS = 10_000
const LIFETIME_MS = 300_000

let app: TestApp
let sent: TextMessage[]
let failure: Error | null
let startMs: number

beforeEach(async () => {
  sent = []
  failure = new ProviderUnavailable('sms', 'error-status')
  const send = async (message: TextMessage) => {
    if (failure !== null) throw failure
    sent.push(message)
    return 'accepted' as const
  }
  app = await createTestApp({ providers: { sms: { send } } })
  startMs = app.time.nowMs
})
afterEach(async () => {
  expect(isClean(await reconcile(app.database))).toBe(true)
  await app.close()
})

const start = async () => (await app.generate(liveRequest())).body.data
const linesOfText = async (creditReportId: string) =>
  (await app.lines(creditReportId)).filter((line) => line.includes(' text '))

/** The number of texts that a sweep at that time sends, and of those it gives up. */
async function sweepAt(afterMs: number): Promise<{ queued: number | undefined; unacknowledged: number | undefined }> {
  app.time.nowMs = startMs + afterMs
  const { queuedTexts, unacknowledgedTexts } = await app.sweeper.sweep()
  return { queued: queuedTexts, unacknowledged: unacknowledgedTexts }
}

test('a text belongs to the request that queued it for ten seconds, and then to one sweep for as long', async () => {
  await start()
  expect(await sweepAt(LEASE_MS)).toMatchObject({ queued: 0 })
  expect(await sweepAt(LEASE_MS + 1)).toMatchObject({ queued: 1 })
  failure = null
  expect(await sweepAt(2 * LEASE_MS + 1)).toMatchObject({ queued: 0 })
  expect(sent).toEqual([])
  expect(await sweepAt(2 * LEASE_MS + 2)).toMatchObject({ queued: 1 })
  expect(sent).toHaveLength(1)
  expect(await sweepAt(3 * LEASE_MS + 3)).toMatchObject({ queued: 0 })
})

test('two sweeps at once send a text once', async () => {
  await start()
  failure = null
  app.time.nowMs = startMs + LEASE_MS + 1
  const counts = await Promise.all([app.sweeper.sweep(), app.sweeper.sweep()])
  expect(counts.map(({ queuedTexts }) => queuedTexts).toSorted()).toEqual([0, 1])
  expect(sent).toHaveLength(1)
})

test('texts are sent in the order they were queued, each to its own number, with its own code', async () => {
  const numbers = ['+447700900001', '+447700900002', '+447700900003']
  const reports: string[] = []
  for (const mobileNumber of numbers) {
    const { creditReportId } = (await app.generate({ ...liveRequest(), mobileNumber })).body.data
    reports.push(creditReportId)
    app.time.nowMs += 1
  }
  failure = null
  expect(await sweepAt(LEASE_MS + 10)).toMatchObject({ queued: 3 })
  expect(sent.map(({ to, creditReportId }) => [to, creditReportId])).toEqual(
    numbers.map((number, index) => [number, reports[index]]),
  )
  expect(new Set(sent.map(({ body }) => body.slice(0, 6))).size).toBe(3)
})

test('a text whose check is over is not sent, and another is', async () => {
  const over = await start()
  for (let guess = 0; guess < 3; guess += 1) await app.submit(over, 'wrong')
  const { creditReportId } = await start()
  failure = null
  expect(await sweepAt(LEASE_MS + 1)).toMatchObject({ queued: 1 })
  expect(sent.map((text) => text.creditReportId)).toEqual([creditReportId])
})

test('a text that leaves at once takes none with it that is queued', async () => {
  const { creditReportId } = await start()
  failure = null
  await start()
  expect(await sweepAt(LEASE_MS + 1)).toMatchObject({ queued: 1 })
  expect(sent.at(-1)).toMatchObject({ creditReportId })
})

test('a text that arrived meanwhile is neither sent again nor given back', async () => {
  const { creditReportId } = await start()
  await app.database.run(`UPDATE text_message SET status = 'delivered' WHERE report_id = ?`, creditReportId)
  failure = null
  expect(await sweepAt(LEASE_MS + 1)).toEqual({ queued: 0, unacknowledged: 0 })
  expect(await sweepAt(2 * DAY_MS)).toMatchObject({ queued: 0, unacknowledged: 0 })
  await app.database.run(`UPDATE text_message SET status = 'queued' WHERE report_id = ?`, creditReportId)
  expect(await sweepAt(2 * DAY_MS)).toMatchObject({ queued: 0, unacknowledged: 1 })
})

test('the price of a text that never left goes back once its code has expired and no one sends it', async () => {
  const { creditReportId } = await start()
  expect(await sweepAt(LIFETIME_MS)).toEqual({ queued: 1, unacknowledged: 0 })
  expect(await sweepAt(LIFETIME_MS + LEASE_MS)).toEqual({ queued: 0, unacknowledged: 0 })
  expect(await linesOfText(creditReportId)).toEqual(['hold text 40'])
  expect(await sweepAt(LIFETIME_MS + LEASE_MS + 1)).toEqual({ queued: 0, unacknowledged: 1 })
  expect(await linesOfText(creditReportId)).toEqual(['hold text 40', 'release text 40'])
  expect(await sweepAt(LIFETIME_MS + LEASE_MS + 2)).toEqual({ queued: 0, unacknowledged: 0 })
})

test('the price of a text that no one picked up goes back a millisecond after its code has expired', async () => {
  const over = await start()
  for (let guess = 0; guess < 3; guess += 1) await app.submit(over, 'wrong')
  expect(await sweepAt(LIFETIME_MS)).toEqual({ queued: 0, unacknowledged: 0 })
  expect(await sweepAt(LIFETIME_MS + 1)).toEqual({ queued: 0, unacknowledged: 1 })
})

test('a text that was taken is waited for a whole day', async () => {
  failure = null
  const { creditReportId } = await start()
  expect(sent).toHaveLength(1)
  expect(await sweepAt(LIFETIME_MS + LEASE_MS + 1)).toMatchObject({ queued: 0, unacknowledged: 0 })
  expect(await sweepAt(DAY_MS)).toMatchObject({ unacknowledged: 0 })
  expect(await sweepAt(DAY_MS + 1)).toMatchObject({ unacknowledged: 1 })
  expect(await linesOfText(creditReportId)).toEqual(['hold text 40', 'release text 40'])
})
