import { setTimeout } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { createDelivery, RETRY_WAITS_MS } from './delivery.ts'
import type { ProxyEvent } from './events.ts'

function deliveryOf(deliver: (value: string) => unknown, limits: { tryMsMax?: number } = {}) {
  const events: ProxyEvent[] = []
  const waitsMs: number[] = []
  const wait = async (ms: number) => {
    waitsMs.push(ms)
  }
  const emit = (event: ProxyEvent) => events.push(event)
  const delivery = createDelivery<string>({ hook: 'onReport', deliver, emit, wait, ...limits })
  return { delivery, events, waitsMs }
}

test('a value is delivered once, however often it is offered', async () => {
  const got: string[] = []
  const { delivery, events } = deliveryOf((value) => got.push(value))
  await Promise.all([delivery.once('r-1', 'one'), delivery.once('r-1', 'again'), delivery.once('r-2', 'two')])
  await delivery.once('r-1', 'later')
  await delivery.drain()
  expect(got).toEqual(['one', 'two'])
  expect(events).toEqual([])
})

test('each caller waits for the first try, so that the lender has the report before any page hears of it', async () => {
  let isStored = false
  const { delivery, events } = deliveryOf(async () => {
    await setTimeout(20)
    isStored = true
  })
  void delivery.once('r-1', 'one')
  await delivery.once('r-1', 'one')
  expect(isStored).toBe(true)
  expect(events).toEqual([])
})

test('a delivery leaves no timer behind that would keep the process alive', async () => {
  const timers = () => process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length
  const before = timers()
  const { delivery } = deliveryOf(() => {})
  await delivery.once('r-1', 'one')
  await delivery.drain()
  expect(timers()).toBeLessThanOrEqual(before)
})

test('without a wait of the caller’s own, the second try comes half a second later', async () => {
  const triesMs: number[] = []
  const deliver = () => {
    triesMs.push(performance.now())
    if (triesMs.length === 1) throw new Error('database is away')
  }
  const delivery = createDelivery<string>({ hook: 'onReport', deliver, emit: () => {} })
  await delivery.once('r-1', 'one')
  await delivery.drain()
  const [first = 0, second = 0] = triesMs
  expect(second - first).toBeGreaterThan(490)
})

describe('a hook that fails', () => {
  test('is tried again until it succeeds, with longer and longer waits', async () => {
    let tries = 0
    const { delivery, events, waitsMs } = deliveryOf(() => {
      tries += 1
      if (tries < 4) throw new Error('database is away')
    })
    await delivery.once('r-1', 'one')
    await delivery.drain()
    expect(tries).toBe(4)
    expect(waitsMs).toEqual(RETRY_WAITS_MS.slice(0, 3))
    expect(delivery.isDelivered('r-1')).toBe(true)
    expect(events.map(({ type }) => type)).toEqual(['hook-failed', 'hook-failed', 'hook-failed'])
  })

  test('is given up after the last try, and an event names the report', async () => {
    let tries = 0
    const { delivery, events, waitsMs } = deliveryOf(async () => {
      tries += 1
      throw new Error('database is gone')
    })
    await delivery.once('r-1', 'one')
    await delivery.drain()
    expect(tries).toBe(6)
    expect(waitsMs).toEqual([500, 1_000, 2_000, 8_000, 20_000])
    expect(events.map(({ type }) => type)).toEqual([...Array(6).fill('hook-failed'), 'undelivered'])
    expect(delivery.isDelivered('r-1')).toBe(false)
    expect(events.at(-1)).toMatchObject({ type: 'undelivered', hook: 'onReport', creditReportId: 'r-1', tries: 6 })
  })

  test('is tried anew when it is offered again after that', async () => {
    let isBroken = true
    const { delivery } = deliveryOf(() => {
      if (isBroken) throw new Error('database is away')
    })
    await delivery.once('r-1', 'one')
    await delivery.drain()
    isBroken = false
    await delivery.once('r-1', 'one')
    expect(delivery.isDelivered('r-1')).toBe(true)
  })

  test('does not stop others', async () => {
    const got: string[] = []
    const { delivery } = deliveryOf((value) => {
      if (value === 'bad') throw new Error('refused')
      got.push(value)
    })
    await Promise.all([delivery.once('r-1', 'bad'), delivery.once('r-2', 'good')])
    expect(got).toEqual(['good'])
  })
})

test('a hook that never settles is tried again like one that fails, and a shutdown does not wait for ever', async () => {
  let tries = 0
  const hang = () => {
    tries += 1
    return new Promise(() => {})
  }
  const { delivery, events } = deliveryOf(hang, { tryMsMax: 1 })
  await delivery.once('r-1', 'one')
  await delivery.drain()
  expect(tries).toBe(6)
  expect(events.at(-1)).toMatchObject({
    type: 'undelivered',
    error: { name: 'TimeoutError', message: 'did not settle within 0.001 s' },
  })
})

test('a hook that never settles holds up the consumer for two seconds at most', async () => {
  const { delivery } = deliveryOf(() => new Promise(() => {}))
  await delivery.once('r-1', 'one')
})
