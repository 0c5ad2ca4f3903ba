import { describe, expect, test } from 'vitest'
import { openChallenge } from './challenge.ts'
import { type Clock, clockMoved, deadlineIn, readClock, remainingMs } from './deadline.ts'

const start: Clock = { monotonicMs: 5_000, wallMs: 1_000_000 }
const deadline = deadlineIn(300_000, start)
const later = (monotonicMs: number, wallMs: number): Clock => ({
  monotonicMs: start.monotonicMs + monotonicMs,
  wallMs: start.wallMs + wallMs,
})

const rows: [string, Clock, number, boolean][] = [
  ['at once', start, 300_000, false],
  ['both clocks ran a minute', later(60_000, 60_000), 240_000, false],
  ['the device slept four minutes', later(60_000, 300_000), 0, true],
  ['the clock was set back an hour', later(60_000, -3_540_000), 240_000, true],
  ['the clock was set forward an hour', later(60_000, 3_660_000), 0, true],
  ['a second of drift is nothing', later(60_000, 61_000), 239_000, false],
  ['two seconds are the most', later(60_000, 62_000), 238_000, false],
  ['long after', later(900_000, 900_000), 0, false],
]
test.each(rows)('%s', (_name, now, leftMs, moved) => {
  expect(remainingMs(deadline, now)).toBe(leftMs)
  expect(clockMoved(deadline, now)).toBe(moved)
})

test('both clocks are read', () => {
  const before = { monotonicMs: performance.now(), wallMs: Date.now() }
  const now = readClock()
  expect(now.monotonicMs).toBeGreaterThanOrEqual(before.monotonicMs)
  expect(now.wallMs).toBeGreaterThanOrEqual(before.wallMs)
})

describe('when another text may be asked for', () => {
  const state = { challengeId: 'c', attemptsRemaining: 3, textsRemaining: 2 }
  test.each([
    ['thirty seconds after a text just sent', 300, true, 30_000],
    ['also when codes live only ten seconds', 10, true, 30_000],
    ['ten seconds later when it was sent twenty ago', 280, false, 10_000],
    ['at once when it was sent long ago', 100, false, 0],
    ['thirty seconds at most, however long codes live', 900, false, 30_000],
  ])('%s', (_name, expiresInSeconds, fresh, waitMs) => {
    const { resendFrom } = openChallenge('r', { ...state, expiresInSeconds }, start, fresh)
    expect(remainingMs(resendFrom, start)).toBe(waitMs)
  })
})
