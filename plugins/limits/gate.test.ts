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

test('beyond the limit a lender gets its share, and no more', async () => {
  const { enter, gate, seen } = createDoor({ runningMax: 4, reservedForUrgent: 8, waitingMax: 9, waitMs: 1_000 })
  for (let request = 0; request < 4; request += 1) await enter('burst', 'normal', 'busy')
  for (const name of ['first', 'second']) await enter(name, 'normal', 'quiet')
  void enter('third', 'normal', 'quiet')
  void enter('another burst', 'normal', 'busy')
  await settled()
  expect(seen.slice(4)).toEqual(['first in', 'second in'])
  expect(gate.load()).toEqual({ running: 6, waiting: 2 })
})

test('with fewer places than lenders no one has a share beyond the limit', async () => {
  const { enter, gate } = createDoor({ runningMax: 1, reservedForUrgent: 4, waitingMax: 9, waitMs: 1_000 })
  await enter('burst', 'normal', 'busy')
  void enter('read', 'normal', 'quiet')
  expect(gate.load()).toEqual({ running: 1, waiting: 1 })
})

test('shares take no more than half of the places for the urgent', async () => {
  const { enter, gate, seen } = createDoor({ runningMax: 6, reservedForUrgent: 6, waitingMax: 9, waitMs: 1_000 })
  for (let request = 0; request < 6; request += 1) await enter('burst', 'normal', 'busy')
  for (const lane of ['a', 'b', 'c']) await enter(lane, 'normal', lane)
  void enter('d', 'normal', 'd')
  await settled()
  expect(seen.slice(6)).toEqual(['a in', 'b in', 'c in'])
  expect(gate.load()).toEqual({ running: 9, waiting: 1 })
})

test('a lender that has left has no share', async () => {
  const { enter, gate, seen } = createDoor({ runningMax: 2, reservedForUrgent: 2, waitingMax: 9, waitMs: 1_000 })
  await enter('gone', 'normal', 'gone')
  gate.leave('gone')
  for (let request = 0; request < 2; request += 1) await enter('burst', 'normal', 'busy')
  await enter('read', 'low', 'quiet')
  expect(seen).toEqual(['gone in', 'burst in', 'burst in', 'read in'])
})

test('of those who wait, the lender with least in progress goes first', async () => {
  const { enter, gate, seen } = createDoor({ ...small, runningMax: 2, reservedForUrgent: 0 })
  for (let request = 0; request < 3; request += 1) void enter('burst', 'normal', 'busy')
  void enter('single', 'normal', 'quiet')
  gate.leave('busy')
  await settled()
  expect(seen).toEqual(['burst in', 'burst in', 'single in'])
})

test('what waits is not in progress', async () => {
  const { enter, gate, seen } = createDoor({ ...small, runningMax: 4, reservedForUrgent: 0, waitingMax: 9 })
  for (const lane of ['a', 'b', 'b', 'c']) await enter(`${lane} runs`, 'normal', lane)
  for (const lane of ['b', 'a', 'a', 'a']) void enter(`${lane} waited`, 'normal', lane)
  gate.leave('c')
  await settled()
  expect(seen.slice(4)).toEqual(['a waited in'])
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

test('a lender with its share of the queue loses no one to a lender with more', async () => {
  const { enter, gate, seen } = createDoor({ ...small, reservedForUrgent: 0, waitingMax: 4 })
  await enter('busy', 'normal', 'a')
  for (const name of ['first', 'second', 'third']) void enter(`burst ${name}`, 'normal', 'b')
  for (const name of ['first', 'second']) void enter(`read ${name}`, 'low', 'a')
  await settled()
  expect(seen).toEqual(['busy in', 'burst third away'])
  expect(gate.load()).toEqual({ running: 1, waiting: 4 })
})

test('of a lender with one request in progress and one that waits, the less urgent is sent away', async () => {
  const { enter, seen } = createDoor({ ...small, reservedForUrgent: 0, waitingMax: 1 })
  await enter('busy', 'normal')
  void enter('read', 'low')
  void enter('submit', 'urgent')
  await settled()
  expect(seen).toEqual(['busy in', 'read away'])
})

test('who was let in takes no one along when their time would have been up', async () => {
  vi.useFakeTimers()
  try {
    const { enter, gate, seen } = createDoor()
    await enter('busy', 'low')
    void enter('late', 'low')
    await vi.advanceTimersByTimeAsync(900)
    gate.leave('lender')
    void enter('other', 'low')
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
    const enter = (times: number, urgency: Urgency) =>
      Array.from({ length: times }, () => gate.enter({ urgency, lane: 'lender' }))
    expect(enter(400, 'low').every((entered) => entered === true)).toBe(true)
    expect(enter(1, 'low')).not.toEqual([true])
    expect(enter(100, 'urgent').every((entered) => entered === true)).toBe(true)
    enter(398, 'low')
    const [last] = enter(1, 'urgent')
    expect(gate.load()).toEqual({ running: 500, waiting: 400 })
    const [tooMany] = enter(1, 'low')
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
    ['HEAD', '/demo-lender/v1/wallet/lines', 'low'],
    ['GET', '/demo-lender/v1/credit-reports/1/otp-challenge', 'low'],
    ['POST', '/v1/oauth/token/more', 'normal'],
    ['DELETE', '/demo-lender/v1/credit-reports/1', 'normal'],
  ])('%s %s is %s', (method, path, urgency) => {
    expect(urgencyOf(method, path)).toBe(urgency)
  })
})
