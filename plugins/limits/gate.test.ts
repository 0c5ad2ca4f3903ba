import { expect, test, vi } from 'vitest'
import { createGate } from './gate.ts'
import { isUrgent } from './shed.ts'

const small = { runningMax: 1, reservedForUrgent: 1, waitingMax: 2, waitMs: 1_000 }

/** The requests that were admitted and refused, in order. */
function createDoor(options = small) {
  const gate = createGate(options)
  const seen: string[] = []
  return {
    gate,
    seen,
    async enter(name: string, urgency: 'normal' | 'urgent' = 'normal') {
      seen.push(`${name} ${(await gate.enter(urgency === 'urgent')) ? 'in' : 'away'}`)
    },
  }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

test('up to the limit no one waits', async () => {
  const { gate, enter, seen } = createDoor({ ...small, runningMax: 2 })
  await enter('first')
  await enter('second')
  expect(seen).toEqual(['first in', 'second in'])
  expect(gate.load()).toEqual({ running: 2, waiting: 0 })
})

test('past the limit the urgent go first, and the oldest of each kind', async () => {
  const { gate, enter, seen } = createDoor({ ...small, waitingMax: 9 })
  await enter('first')
  void enter('read')
  void enter('generate')
  void enter('resend', 'urgent')
  void enter('submit', 'urgent')
  for (let turn = 0; turn < 5; turn++) {
    gate.leave()
    await settled()
  }
  expect(seen).toEqual(['first in', 'resend in', 'submit in', 'read in', 'generate in'])
})

test('a code submit has places of its own when everything is busy', async () => {
  const { enter, gate, seen } = createDoor()
  await enter('generate')
  await enter('submit', 'urgent')
  expect(seen).toEqual(['generate in', 'submit in'])
  expect(gate.load().running).toBe(2)
})

test('the places of the urgent are counted too', async () => {
  const { enter, gate, seen } = createDoor({ ...small, reservedForUrgent: 2 })
  for (const name of ['first', 'second', 'third']) await enter(name, 'urgent')
  void enter('fourth', 'urgent')
  await settled()
  expect(seen).toEqual(['first in', 'second in', 'third in'])
  expect(gate.load()).toEqual({ running: 3, waiting: 1 })
})

test('a place reserved for the urgent is not given to others when it falls free', async () => {
  const { enter, gate, seen } = createDoor()
  await enter('generate')
  await enter('submit', 'urgent')
  void enter('another')
  gate.leave()
  await settled()
  expect(seen).not.toContain('another in')
  gate.leave()
  await settled()
  expect(seen).toContain('another in')
})

test('a full queue sends the newest away that is not urgent', async () => {
  const { enter, gate, seen } = createDoor({ ...small, reservedForUrgent: 0 })
  await enter('busy')
  void enter('old read')
  void enter('new read')
  void enter('submit', 'urgent')
  await enter('late read')
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

test('who was let in takes no one along when their time would have been up', async () => {
  vi.useFakeTimers()
  try {
    const { enter, gate, seen } = createDoor()
    await enter('busy')
    void enter('late')
    await vi.advanceTimersByTimeAsync(900)
    gate.leave()
    void enter('other')
    await vi.advanceTimersByTimeAsync(100)
    expect(seen).toEqual(['busy in', 'late in'])
    expect(gate.load()).toEqual({ running: 1, waiting: 1 })
    await vi.advanceTimersByTimeAsync(899)
    expect(gate.load().waiting).toBe(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(seen).toEqual(['busy in', 'late in', 'other away'])
  } finally {
    vi.useRealTimers()
  }
})

test('by default 400 run, 100 more that are urgent, and 400 wait for two seconds', async () => {
  vi.useFakeTimers()
  try {
    const gate = createGate()
    const enter = (times: number, isUrgent = false) => Array.from({ length: times }, () => gate.enter(isUrgent))
    expect(enter(400).every((entered) => entered === true)).toBe(true)
    expect(enter(1)).not.toEqual([true])
    expect(enter(100, true).every((entered) => entered === true)).toBe(true)
    enter(398)
    const [last] = enter(1, true)
    expect(gate.load()).toEqual({ running: 500, waiting: 400 })
    const [tooMany] = enter(1)
    expect(await tooMany).toBe(false)
    await vi.advanceTimersByTimeAsync(1_999)
    expect(gate.load()).toEqual({ running: 500, waiting: 400 })
    await vi.advanceTimersByTimeAsync(1)
    expect(await last).toBe(false)
    expect(gate.load()).toEqual({ running: 500, waiting: 0 })
  } finally {
    vi.useRealTimers()
  }
})

test('no one waits for ever', async () => {
  vi.useFakeTimers()
  try {
    const { enter, gate, seen } = createDoor()
    await enter('busy')
    const late = enter('late')
    await vi.advanceTimersByTimeAsync(small.waitMs)
    await late
    expect(seen).toEqual(['busy in', 'late away'])
    expect(gate.load()).toEqual({ running: 1, waiting: 0 })
  } finally {
    vi.useRealTimers()
  }
})

test.each([
  ['POST', '/demo-lender/v1/credit-reports/1/otp-challenge', true],
  ['POST', '/demo-lender/v1/credit-reports/1/resend-sms', true],
  ['POST', '/v1/sms/receipts/http', true],
  ['POST', '/v1/oauth/token', false],
  ['POST', '/demo-lender/v1/credit-reports', false],
  ['GET', '/demo-lender/v1/credit-reports/1/otp-challenge', false],
  ['GET', '/demo-lender/v1/wallet/lines', false],
  ['DELETE', '/demo-lender/v1/credit-reports/1', false],
])('%s %s is urgent: %s', (method, path, expected) => {
  expect(isUrgent(method, path)).toBe(expected)
})
