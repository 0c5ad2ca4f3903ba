import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { isClean, reconcile } from '../../plugins/statement/reconcile.ts'
import { createTestApp, liveRequest, type TestApp } from '../../testing/test-app.ts'
import type { RiskDecision } from '../providers/providers.ts'
import { WORK_LEASE_MS } from './keep-lease.ts'

const RENEWED_MS = 1_500

let app: TestApp
let decide: ((decision: RiskDecision) => void)[] = []
beforeEach(async () => {
  decide = []
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const risk = { assess: () => new Promise<RiskDecision>((resolve) => decide.push(resolve)) }
  app = await createTestApp({ providers: { risk } })
})
afterEach(async () => {
  vi.useRealTimers()
  expect(isClean(await reconcile(app.database))).toBe(true)
  await app.close()
})

const ask = () => app.generate(liveRequest('Allow'), { 'Idempotency-Key': 'one-key' })
const isAsked = async (times: number) => {
  while (decide.length < times) await new Promise((resolve) => setTimeout(resolve, 2))
}
const leaseOf = async () =>
  (await app.database.first<{ lease_until_ms: number }>('SELECT lease_until_ms FROM credit_report'))?.lease_until_ms

/** As a clock and a process that both go on. */
async function pass(ms: number): Promise<void> {
  for (let passedMs = 0; passedMs < ms; passedMs += RENEWED_MS) {
    const before = await leaseOf()
    app.time.nowMs += RENEWED_MS
    vi.advanceTimersByTime(RENEWED_MS)
    while ((await leaseOf()) === before) await new Promise((resolve) => setTimeout(resolve, 2))
  }
}

test('a worker that lives keeps its report, however long a provider takes', async () => {
  const slow = ask()
  await isAsked(1)
  await pass(4 * WORK_LEASE_MS)
  expect(await ask()).toMatchObject({ status: 409, body: { code: 'request-in-progress' } })
  decide[0]?.('allow')
  expect(await slow).toMatchObject({ status: 200, body: { data: { status: 'complete' } } })
})

test('one that falls silent loses it after five seconds, and writes nothing any more', async () => {
  const slow = ask()
  await isAsked(1)
  await pass(RENEWED_MS)
  app.time.nowMs += WORK_LEASE_MS + 1
  const retry = ask()
  await isAsked(2)
  const taken = await leaseOf()
  // It comes back to life: its renewals are refused too.
  vi.advanceTimersByTime(RENEWED_MS)
  decide[0]?.('allow')
  expect(await slow).toMatchObject({ status: 503, body: { code: 'unavailable' } })
  expect(await leaseOf()).toBeGreaterThanOrEqual(Number(taken))
  decide[1]?.('allow')
  expect(await retry).toMatchObject({ status: 200, body: { data: { status: 'complete' } } })
})

test('a renewal that the database did not take leaves the lease as it was known, and the report is delivered', async () => {
  const run = vi.spyOn(app.database, 'run')
  const slow = ask()
  await isAsked(1)
  run.mockRejectedValueOnce(new Error('the database is away'))
  app.time.nowMs += RENEWED_MS
  vi.advanceTimersByTime(RENEWED_MS)
  while (run.mock.calls.length < 1) await new Promise((resolve) => setTimeout(resolve, 2))
  decide[0]?.('allow')
  expect(await slow).toMatchObject({ status: 200, body: { data: { status: 'complete' } } })
})

test('a renewal in progress is waited for: what is written next needs the lease it leads to', async () => {
  const renew = app.database.run.bind(app.database)
  let answerRenewal = () => {}
  const gate = new Promise<void>((resolve) => {
    answerRenewal = resolve
  })
  const slow = ask()
  await isAsked(1)
  vi.spyOn(app.database, 'run').mockImplementationOnce(async (...statement) => {
    const changed = await renew(...statement)
    await gate
    return changed
  })
  await pass(RENEWED_MS)
  decide[0]?.('allow')
  await new Promise((resolve) => setTimeout(resolve, 20))
  answerRenewal()
  expect(await slow).toMatchObject({ status: 200, body: { data: { status: 'complete' } } })
})

test('a lease lasts five seconds, and is not renewed once the work is over', async () => {
  const timers = vi.getTimerCount()
  const slow = ask()
  await isAsked(1)
  expect(await leaseOf()).toBe(app.time.nowMs + 5_000)
  expect(vi.getTimerCount()).toBe(timers + 1)
  decide[0]?.('allow')
  await slow
  expect(vi.getTimerCount()).toBe(timers)
})
