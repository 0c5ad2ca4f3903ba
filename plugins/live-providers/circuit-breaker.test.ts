import { describe, expect, test } from 'vitest'
import { CALLS_REMEMBERED, type CallOutcome, createCircuitBreaker, FAILURES_MAX, OPEN_MS } from './circuit-breaker.ts'

/** A breaker on a clock that only moves by hand. */
function breakerAt(startMs = 0) {
  let nowMs = startMs
  const breaker = createCircuitBreaker(() => nowMs)
  return {
    breaker,
    wait: (ms: number) => {
      nowMs += ms
    },
    call: (outcome: CallOutcome) => {
      const permit = breaker.enter()
      permit?.(outcome)
      return permit !== null
    },
  }
}

function opened() {
  const circuit = breakerAt()
  for (let call = 0; call < FAILURES_MAX; call += 1) circuit.call('failed')
  return circuit
}

describe('a closed circuit', () => {
  test('opens on the tenth failure among the last twenty calls', () => {
    const { breaker, call } = breakerAt()
    for (let pair = 0; pair < FAILURES_MAX - 1; pair += 1) {
      call('succeeded')
      call('failed')
    }
    expect(breaker.isOpen).toBe(false)
    call('failed')
    expect(breaker.isOpen).toBe(true)
  })

  test('forgets failures older than twenty calls', () => {
    const { breaker, call } = breakerAt()
    for (let round = 0; round < 10; round += 1) {
      for (let failure = 0; failure < FAILURES_MAX - 1; failure += 1) call('failed')
      for (let success = 0; success < CALLS_REMEMBERED; success += 1) call('succeeded')
    }
    expect(breaker.isOpen).toBe(false)
  })

  test.each([
    ['ten failures are open for thirty seconds', 10, 0, 0, 30_000],
    ['nine are not', 9, 0, 0, null],
    ['a tenth counts while the first is among the last twenty', 9, 10, 1, 30_000],
    ['and not one call later', 9, 11, 1, null],
  ])('%s', (_what, first, succeeded, then, openMs) => {
    const { breaker, wait, call } = breakerAt()
    for (let count = 0; count < first; count += 1) call('failed')
    for (let count = 0; count < succeeded; count += 1) call('succeeded')
    for (let count = 0; count < then; count += 1) call('failed')
    expect(breaker.isOpen).toBe(openMs !== null)
    if (openMs === null) return
    wait(openMs - 1)
    expect(breaker.enter()).toBeNull()
    wait(1)
    expect(breaker.enter()).not.toBeNull()
  })

  test('takes no notice of callers who gave up', () => {
    const { breaker, call } = breakerAt()
    for (let times = 0; times < 100; times += 1) call('abandoned')
    expect(breaker.isOpen).toBe(false)
    for (let failure = 0; failure < 9; failure += 1) call('failed')
    for (let times = 0; times < 100; times += 1) call('abandoned')
    expect(breaker.isOpen).toBe(false)
    call('failed')
    expect(breaker.isOpen).toBe(true)
  })
})

describe('an open circuit', () => {
  test('lets nothing through until its time is over, to the millisecond', () => {
    const { breaker, wait } = opened()
    wait(OPEN_MS - 1)
    expect(breaker.enter()).toBeNull()
    wait(1)
    expect(breaker.enter()).not.toBeNull()
  })

  test('lets one probe through at a time', () => {
    const { breaker, wait } = opened()
    wait(OPEN_MS)
    const probe = breaker.enter()
    expect(breaker.enter()).toBeNull()
    probe?.('abandoned')
    expect(breaker.enter()).not.toBeNull()
  })

  test('closes when the probe succeeds, with its failures forgotten', () => {
    const { breaker, wait, call } = opened()
    wait(OPEN_MS)
    expect(call('succeeded')).toBe(true)
    for (let failure = 0; failure < FAILURES_MAX - 1; failure += 1) call('failed')
    expect(breaker.isOpen).toBe(false)
  })

  test('waits as long again when the probe fails', () => {
    const { breaker, wait, call } = opened()
    wait(OPEN_MS)
    call('failed')
    wait(OPEN_MS - 1)
    expect(breaker.enter()).toBeNull()
    wait(1)
    expect(breaker.enter()).not.toBeNull()
  })

  test('a call from before it opened that fails counts for nothing once it is closed again', () => {
    const { breaker, wait, call } = breakerAt()
    const early = breaker.enter()
    for (let failure = 0; failure < 10; failure += 1) call('failed')
    early?.('failed')
    wait(30_000)
    call('succeeded')
    for (let failure = 0; failure < 9; failure += 1) call('failed')
    expect(breaker.isOpen).toBe(false)
  })

  test('a call from before it opened neither closes it nor frees the probe', () => {
    const { breaker, wait, call } = breakerAt()
    const early = breaker.enter()
    for (let failure = 0; failure < FAILURES_MAX; failure += 1) call('failed')
    wait(OPEN_MS)
    breaker.enter()
    early?.('succeeded')
    expect(breaker.isOpen).toBe(true)
    expect(breaker.enter()).toBeNull()
  })
})
