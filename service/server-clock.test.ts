// With a database that answers what the test says; server-clock.release.test.ts asks PostgreSQL.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createLog } from './log.ts'
import { startServerClock } from './server-clock.ts'

const LOCAL_MS = Date.UTC(2026, 10, 15)

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function pass(ms: number): void {
  if (ms > 0) vi.advanceTimersByTime(ms)
}

/** A clock beside a database that is ahead by so much; null: it has no clock. Its answer takes so long. */
async function start(aheadMs: number | null, { answerMs = 0 } = {}) {
  const lines: string[] = []
  const log = createLog({ strict: true, to: { write: (line) => lines.push(line) } })
  const server = { aheadMs, answerMs, probes: 0 }
  const startedAtMs = performance.now()
  const local = () => LOCAL_MS + performance.now() - startedAtMs
  const database = {
    async probe() {
      server.probes += 1
      // The time is read half-way.
      pass(server.answerMs / 2)
      const clockMs = server.aheadMs === null ? null : local() + server.aheadMs
      pass(server.answerMs / 2)
      return { refusal: null, clockMs }
    },
  }
  const clock = await startServerClock({ database, log, local })
  const warnings = () => lines.map((line) => JSON.parse(line)).map(({ event, ms }) => [event, ms])
  return { clock, server, local, warnings }
}

type Row = [name: string, aheadMs: number | null, offsetMs: number, isOff: boolean, warns: boolean]
test.each<Row>([
  ['a database without a clock leaves the machine’s', null, 0, false, false],
  ['a difference that may be the network’s is none', 49, 0, false, false],
  ['nor is one the other way', -49, 0, false, false],
  ['from fifty milliseconds on it counts', 50, 50, false, false],
  ['a second is no reason to warn', -1_000, -1_000, false, false],
  ['more than a second is', 1_001, 1_001, false, true],
  ['five minutes are served', -300_000, -300_000, false, true],
  ['more than five minutes are not', -300_001, -300_001, true, true],
])('%s', async (_name, aheadMs, offsetMs, isOff, warns) => {
  const { clock, local, warnings } = await start(aheadMs)
  expect(clock.offsetMs()).toBe(offsetMs)
  expect(clock.now()).toBe(local() + offsetMs)
  expect(clock.isOff()).toBe(isOff)
  expect(warnings()).toEqual(warns ? [['clock differs from the database', offsetMs]] : [])
  clock.stop()
})

test('the time an answer took is no difference, and one that took more than half a second says nothing', async () => {
  const slow = await start(2_000, { answerMs: 500 })
  expect(slow.clock.offsetMs()).toBe(2_000)
  slow.clock.stop()
  const tooSlow = await start(2_000, { answerMs: 502 })
  expect(tooSlow.clock.offsetMs()).toBe(0)
  tooSlow.clock.stop()
})

test('it is measured again every minute, until it is stopped', async () => {
  const { clock, server } = await start(2_000)
  server.aheadMs = 4_000
  await vi.advanceTimersByTimeAsync(59_999)
  expect([server.probes, clock.offsetMs()]).toEqual([1, 2_000])
  await vi.advanceTimersByTimeAsync(1)
  expect([server.probes, clock.offsetMs()]).toEqual([2, 4_000])
  // A failed measurement leaves the last difference.
  server.aheadMs = null
  await vi.advanceTimersByTimeAsync(60_000)
  expect([server.probes, clock.offsetMs()]).toEqual([3, 4_000])
  clock.stop()
  await vi.advanceTimersByTimeAsync(120_000)
  expect(server.probes).toBe(3)
})
