import { expect, test } from 'vitest'
import { alertNames } from './faults/alerts.ts'
import { FAULTS } from './faults.ts'

test('every fault from F-01 to F-13 is there', () => {
  const ids = Array.from({ length: 13 }, (_, index) => `F-${String(index + 1).padStart(2, '0')}`)
  expect(FAULTS.map(({ id }) => id)).toEqual(ids)
})

test('every alert that a fault names is one of the rules', () => {
  const named = FAULTS.flatMap(({ alert }) => (alert === null ? [] : [alert]))
  expect(named.filter((alert) => !alertNames().includes(alert))).toEqual([])
})

test.each(FAULTS)('$id: what must hold holds when $what', async ({ run }) => {
  expect(await run(0.01)).toBeGreaterThan(0)
})
