import { expect, test } from 'vitest'
import { FAULTS } from './faults.ts'

test('every fault from F-01 to F-18 is there', () => {
  const ids = Array.from({ length: 18 }, (_, index) => `F-${String(index + 1).padStart(2, '0')}`)
  expect(FAULTS.map(({ id }) => id).toSorted()).toEqual(ids)
})

test.each(FAULTS)('$id: what must hold holds when $what', async ({ run }) => {
  expect(await run(0.01)).toBeGreaterThan(0)
})
