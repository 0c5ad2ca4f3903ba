import { expect, test } from 'vitest'
import { countEach, SweepIncomplete } from './sweep-rows.ts'

const rows = Array.from({ length: 30 }, (_, index) => ({ id: index }))

test('every row is worked on once, a few at a time', async () => {
  let running = 0
  let most = 0
  const seen: unknown[] = []
  const count = await countEach(rows, async ({ id }) => {
    running += 1
    most = Math.max(most, running)
    await new Promise((resolve) => setImmediate(resolve))
    running -= 1
    seen.push(id)
    return Number(id) % 2 === 0
  })
  expect(count).toBe(15)
  expect(most).toBe(4)
  expect(seen).toHaveLength(30)
  expect(new Set(seen).size).toBe(30)
})

test('one that fails stops no other, and how many there were is still known', async () => {
  let done = 0
  const sweeping = countEach(rows, async ({ id }) => {
    if (id === 3) throw new RangeError('on purpose')
    done += 1
    return true
  })
  const error = await sweeping.catch((reason: unknown) => reason)
  expect(error).toBeInstanceOf(SweepIncomplete)
  expect(error).toMatchObject({ rows: 30, cause: expect.any(RangeError) })
  expect(done).toBe(29)
})
