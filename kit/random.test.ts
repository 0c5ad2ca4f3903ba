import { expect, test } from 'vitest'
import { takeRandom } from './random.ts'

// More than the system is asked for at once.
test.each([12, 32, 100])('%i bytes are as many as were asked for, and no two takes are alike', (bytes) => {
  const taken = Array.from({ length: 1_000 }, () => takeRandom(bytes))
  expect(taken.every(({ length }) => length === bytes)).toBe(true)
  expect(new Set(taken.map((each) => each.toString('hex'))).size).toBe(1_000)
})

test('what was taken does not change when more is', () => {
  const first = takeRandom(32)
  const before = first.toString('hex')
  for (let time = 0; time < 300; time += 1) takeRandom(32)
  expect(first.toString('hex')).toBe(before)
})
