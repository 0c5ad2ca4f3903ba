// The rows that the counters write.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createSilentLog } from '../../service/log.ts'
import { createTestApp, type TestApp } from '../../testing/test-app.ts'
import { createStats } from './stats.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.close())

/** Counters that are flushed into a list of their rows. */
function listing() {
  const rows: unknown[][] = []
  const stats = createStats({
    clock: () => Date.UTC(2026, 10, 15),
    log: createSilentLog(),
    database: {
      ...app.database,
      async run(_sql, ...values) {
        for (let from = 0; from < values.length; from += 6) rows.push(values.slice(from, from + 6))
        return rows.length
      },
    },
  })
  return { stats, rows }
}
const whose = { tenantId: 'acme', test: false }

test.each([
  [0, '100'],
  [100, '100'],
  [100.4, '250'],
  [250, '250'],
  [251, '500'],
  [500, '500'],
  [501, '1000'],
  [1_000, '1000'],
  [1_001, '2000'],
  [2_000, '2000'],
  [2_001, '3000'],
  [3_000, '3000'],
  [3_001, '5000'],
  [5_000, '5000'],
  [5_001, '8000'],
  [8_000, '8000'],
  [8_001, '12000'],
  [12_000, '12000'],
  [12_001, '20000'],
  [20_000, '20000'],
  [20_001, 'over'],
])('a wait of %d ms is one of the class %s', async (ms, name) => {
  const { stats, rows } = listing()
  stats.waited(whose, 'generate', ms)
  await stats.flush()
  expect(rows).toEqual([['acme', 0, '2026-11-15', `generate-${name}`, 1, Math.round(ms)]])
})

test('rows come in the order of their names, whatever was counted first; a time before its beginning is none', async () => {
  const { stats, rows } = listing()
  stats.count(whose, 'code-sent', 2.6)
  stats.count({ tenantId: 'zeta', test: true }, 'asked')
  stats.count(whose, 'asked', -5)
  stats.add(whose, 'code-sent', 3, 10)
  await stats.flush()
  expect(rows).toEqual([
    ['acme', 0, '2026-11-15', 'asked', 1, 0],
    ['acme', 0, '2026-11-15', 'code-sent', 4, 13],
    ['zeta', 1, '2026-11-15', 'asked', 1, 0],
  ])
  await stats.flush()
  expect(rows).toHaveLength(3)
})

test('fifty thousand different counters wait for a flush, and no more', async () => {
  const { stats, rows } = listing()
  for (let number = 0; number <= 50_000; number += 1) stats.count({ tenantId: `t${number}`, test: false }, 'asked')
  stats.count({ tenantId: 't7', test: false }, 'asked')
  await stats.flush()
  expect(rows).toHaveLength(50_000)
  expect(rows.find(([tenantId]) => tenantId === 't7')?.[4]).toBe(2)
})
