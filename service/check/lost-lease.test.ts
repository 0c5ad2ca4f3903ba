// A worker that took too long has lost its report to a retry and writes nothing.
import { expect, test } from 'vitest'
import { isClean, reconcile } from '../../plugins/statement/reconcile.ts'
import { createTestApp, liveRequest } from '../../testing/test-app.ts'
import type { RiskDecision } from '../providers/providers.ts'
import { WORK_LEASE_MS } from './keep-lease.ts'
import { LostRace, won } from './store.ts'

test.each<[first: RiskDecision, second: RiskDecision, expected: object]>([
  ['block', 'allow', { status: 'complete', lines: ['hold report 500', 'capture report 500'] }],
  ['allow', 'block', { status: 'blocked', lines: ['hold report 500', 'release report 500'] }],
  ['challenge', 'allow', { status: 'complete', lines: ['hold report 500', 'capture report 500'] }],
])('the first finds %s too late, the retry %s', async (first, second, expected) => {
  const decide: ((decision: RiskDecision) => void)[] = []
  const risk = { assess: () => new Promise<RiskDecision>((resolve) => decide.push(resolve)) }
  const app = await createTestApp({ providers: { risk } })
  const ask = () => app.generate(liveRequest(), { 'Idempotency-Key': 'one-key' })
  const isAsked = async (times: number) => {
    while (decide.length < times) await new Promise((resolve) => setTimeout(resolve, 2))
  }
  const slow = ask()
  await isAsked(1)
  app.time.nowMs += WORK_LEASE_MS + 1
  const retry = ask()
  await isAsked(2)

  decide[0]?.(first)
  const message = expect.stringContaining('took too long')
  expect(await slow).toMatchObject({ status: 503, body: { code: 'unavailable', message } })
  decide[1]?.(second)
  const { data } = (await retry).body
  expect({ status: data.status, lines: await app.lines(data.creditReportId) }).toEqual(expected)
  expect(isClean(await reconcile(app.database))).toBe(true)
  await app.close()
})

test('what fails for another reason has not come too late', async () => {
  expect(await won(Promise.reject(new LostRace()))).toBe(false)
  await expect(won(Promise.reject(new Error('the disk is full')))).rejects.toThrow('the disk is full')
})
