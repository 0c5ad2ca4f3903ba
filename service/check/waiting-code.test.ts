// A code that arrives while another request works on its report waits for that, and not for ever. Time passes a hundred
// times as fast here.
import { syncBuiltinESMExports } from 'node:module'
import timers from 'node:timers/promises'
import { afterEach, expect, test, vi } from 'vitest'
import { CHALLENGE_EXPIRES_IN_HEADER } from '../../contract/tenant-proxy.ts'
import { createFaultyProviders } from '../../testing/faulty-providers.ts'
import { createTestApp, liveRequest } from '../../testing/test-app.ts'
import { createSimulatedBureau } from '../providers/simulated/simulated.ts'
import { BUREAUS_DEADLINE_MS } from './ask-providers.ts'

const { setTimeout } = timers
let waitedMs = 0
afterEach(() => {
  Object.assign(timers, { setTimeout })
  syncBuiltinESMExports()
})

/** For all who have imported the timer by now: files share their modules here, so a mocked one would come too late. */
function hurry(): void {
  waitedMs = 0
  const quick: typeof setTimeout = (ms = 0, ...rest) => {
    waitedMs += ms
    return setTimeout(ms / 100, ...rest)
  }
  Object.assign(timers, { setTimeout: quick })
  syncBuiltinESMExports()
}

test('it waits longer than a bureau may take, then has to come again; the first is not disturbed', async () => {
  const { faults, asked, providers } = createFaultyProviders()
  const app = await createTestApp({ providers })
  const started = (await app.generate(liveRequest())).body.data
  const [code = ''] = await app.codes(started.creditReportId)
  const answers: (() => void)[] = []
  faults.bureau = async (...question) => {
    await new Promise<void>((answer) => answers.push(answer))
    return createSimulatedBureau().query(...question)
  }
  const atWork = app.submit(started, code)
  await vi.waitUntil(() => answers.length === liveRequest().bureaus.length, 60_000)
  hurry()
  const waited = await app.submit(started, code)
  expect(waited).toMatchObject({ status: 503, body: { code: 'unavailable' } })
  expect(waited.headers.get(CHALLENGE_EXPIRES_IN_HEADER)).toBeNull()
  expect(waitedMs).toBeGreaterThan(BUREAUS_DEADLINE_MS)

  for (const answer of answers) answer()
  expect((await atWork).body.data.status).toBe('complete')
  expect(asked.bureaus).toBe(answers.length)
  await app.close()
})
