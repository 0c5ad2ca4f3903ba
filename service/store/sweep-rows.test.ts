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
  expect(error).toMatchObject({ name: 'SweepIncomplete', rows: 30, cause: expect.any(RangeError) })
  expect(done).toBe(29)
})

test('of several that fail the first is reported', async () => {
  const sweeping = countEach(rows, async ({ id }) => {
    throw new RangeError(`row ${id}`)
  })
  await expect(sweeping).rejects.toMatchObject({ cause: { message: 'row 0' } })
})

test('work that may not overlap is done one row after the other, in order', async () => {
  const seen: unknown[] = []
  const one = async ({ id }: { id: number }) => {
    seen.push(`${id} begins`)
    await new Promise((resolve) => setImmediate(resolve))
    seen.push(`${id} ends`)
    return true
  }
  expect(await countEach(rows.slice(0, 2), one, { parallelMax: 1 })).toBe(2)
  expect(seen).toEqual(['0 begins', '0 ends', '1 begins', '1 ends'])
  expect(await countEach([], one)).toBe(0)
})
