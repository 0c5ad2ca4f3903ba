import { describe, expect, test, vi } from 'vitest'
import { createGate, type Urgency } from './gate.ts'
import { urgencyOf } from './shed.ts'

const small = { runningMax: 1, reservedForUrgent: 1, waitingMax: 2, waitMs: 1_000 }

/** Who got in and who was sent away, in the order it happened. */
function createDoor(options = small) {
  const gate = createGate(options)
  const seen: string[] = []
  return {
    gate,
    seen,
    async enter(name: string, urgency: Urgency, lane = 'lender') {
      seen.push(`${name} ${(await gate.enter({ urgency, lane })) ? 'in' : 'away'}`)
    },
  }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

test('up to the limit no one waits', async () => {
  const { gate, enter, seen } = createDoor({ ...small, runningMax: 2 })
  await enter('first', 'low')
  await enter('second', 'low')
  expect(seen).toEqual(['first in', 'second in'])
  expect(gate.load()).toEqual({ running: 2, waiting: 0 })
})

test('past the limit the most urgent goes first, and the oldest of its kind', async () => {
  const { gate, enter, seen } = createDoor({ ...small, waitingMax: 9 })
  await enter('first', 'low')
  void enter('read', 'low')
  void enter('early generate', 'normal')
  void enter('late generate', 'normal')
  void enter('resend', 'high')
  for (let turn = 0; turn < 4; turn++) {
    gate.leave('lender')
    await settled()
  }
  expect(seen).toEqual(['first in', 'resend in', 'early generate in', 'late generate in', 'read in'])
})

test('a code submit has places of its own when everything is busy', async () => {
  const { enter, gate, seen } = createDoor()
  await enter('generate', 'normal')
  await enter('submit', 'urgent')
  expect(seen).toEqual(['generate in', 'submit in'])
  expect(gate.load().running).toBe(2)
})

test('a place reserved for the urgent is not given to others when it falls free', async () => {
  const { enter, gate, seen } = createDoor()
  await enter('generate', 'normal')
  await enter('submit', 'urgent')
  void enter('another', 'normal')
  gate.leave('lender')
  await settled()
  expect(seen).not.toContain('another in')
  gate.leave('lender')
  await settled()
  expect(seen).toContain('another in')
})

test('a full queue sends the newest of the least urgent away', async () => {
  const { enter, gate, seen } = createDoor({ ...small, reservedForUrgent: 0 })
  await enter('busy', 'normal')
  void enter('old read', 'low')
  void enter('new read', 'low')
  void enter('submit', 'urgent')
  await enter('late read', 'low')
  await settled()
  expect(seen).toEqual(['busy in', 'new read away', 'late read away'])
  expect(gate.load()).toEqual({ running: 1, waiting: 2 })
})

test('submits are shed only when nothing but submits is left to shed', async () => {
  const { enter, seen } = createDoor({ ...small, reservedForUrgent: 0 })
  await enter('busy', 'urgent')
  void enter('submit 1', 'urgent')
  void enter('submit 2', 'urgent')
  await enter('submit 3', 'urgent')
  expect(seen).toEqual(['busy in', 'submit 3 away'])
})

test('a lender alone may use every place', async () => {
  const { enter, gate, seen } = createDoor({ ...small, runningMax: 4 })
  for (let request = 0; request < 4; request += 1) await enter('burst', 'normal', 'busy')
  expect(seen).toEqual(['burst in', 'burst in', 'burst in', 'burst in'])
  expect(gate.load()).toEqual({ running: 4, waiting: 0 })
})

test('a burst that fills every place keeps no other lender out', async () => {
  const { enter, seen } = createDoor({ runningMax: 4, reservedForUrgent: 4, waitingMax: 2, waitMs: 1_000 })
  for (let request = 0; request < 7; request += 1) void enter('burst', 'normal', 'busy')
  await settled()
  await enter('read', 'low', 'quiet')
  await enter('generate', 'normal', 'quiet')
  expect(seen).toEqual([...Array(4).fill('burst in'), 'burst away', 'read in', 'generate in'])
})

test('of those who wait, the lender with least in progress goes first', async () => {
  const { enter, gate, seen } = createDoor({ ...small, runningMax: 2, reservedForUrgent: 0 })
  for (let request = 0; request < 3; request += 1) void enter('burst', 'normal', 'busy')
  void enter('single', 'normal', 'quiet')
  gate.leave('busy')
  await settled()
  expect(seen).toEqual(['burst in', 'burst in', 'single in'])
})

test('a full queue sends the lender away who crowds it, not the others', async () => {
  const { enter, gate, seen } = createDoor({ ...small, reservedForUrgent: 0, waitingMax: 3 })
  for (let request = 0; request < 4; request += 1) void enter('burst', 'high', 'busy')
  await settled()
  void enter('read', 'low', 'quiet')
  await settled()
  expect(seen).toEqual(['burst in', 'burst away'])
  expect(gate.load()).toEqual({ running: 1, waiting: 3 })
})

test('no one waits for ever', async () => {
  vi.useFakeTimers()
  try {
    const { enter, gate, seen } = createDoor()
    await enter('busy', 'low')
    const late = enter('late', 'low')
    await vi.advanceTimersByTimeAsync(small.waitMs)
    await late
    expect(seen).toEqual(['busy in', 'late away'])
    expect(gate.load()).toEqual({ running: 1, waiting: 0 })
  } finally {
    vi.useRealTimers()
  }
})

describe('what is worth how much', () => {
  test.each([
    ['GET', '/healthz', null],
    ['GET', '/readyz', null],
    ['GET', '/metrics', null],
    ['POST', '/demo-lender/v1/credit-reports/1/otp-challenge', 'urgent'],
    ['POST', '/v1/sms/receipts/http', 'urgent'],
    ['POST', '/demo-lender/v1/credit-reports/1/resend-sms', 'high'],
    ['POST', '/v1/oauth/token', 'high'],
    ['POST', '/demo-lender/v1/credit-reports', 'normal'],
    ['GET', '/demo-lender/v1/wallet/lines', 'low'],
  ])('%s %s is %s', (method, path, urgency) => {
    expect(urgencyOf(method, path)).toBe(urgency)
  })
})
