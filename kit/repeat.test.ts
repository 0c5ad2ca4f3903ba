import { setImmediate, setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { repeat } from './repeat.ts'

test('rounds follow each other until it is stopped', async () => {
  let rounds = 0
  const third = later<void>()
  const stop = repeat(async () => {
    rounds += 1
    if (rounds === 3) third.resolve()
    return 0
  })
  await third.promise
  await stop()
  const last = rounds
  await setTimeout(5)
  expect(rounds).toBe(last)
})

test('stopping ends the pause at once, and waits for the round in progress', async () => {
  const round = later<number>()
  const stop = repeat(() => round.promise)
  let isStopped = false
  const stopping = stop().then(() => {
    isStopped = true
  })
  await setTimeout(5)
  expect(isStopped).toBe(false)
  round.resolve(3_600_000)
  await stopping
})

test('the pause is as long as the round says, and keeps no process alive', async () => {
  const timers = () => process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length
  const before = timers()
  let rounds = 0
  const stop = repeat(async () => {
    rounds += 1
    return 3_600_000
  })
  await setImmediate()
  expect(timers()).toBeLessThanOrEqual(before)
  await setTimeout(5)
  expect(rounds).toBe(1)
  await stop()
})

/** `Promise.withResolvers`, which Node 20 does not have. */
function later<T>() {
  let resolve: (value: T) => void = () => {}
  const promise = new Promise<T>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}
