import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPostgres } from '../plugins/postgres/postgres.ts'
import { PATIENT } from '../testing/open-database.ts'
import { startThrowawayPostgres, type ThrowawayPostgres } from '../testing/throwaway-postgres.ts'
import { createLog } from './log.ts'
import { startServerClock } from './server-clock.ts'
import type { Database } from './store/database.ts'

let postgres: ThrowawayPostgres
let database: Database
beforeAll(async () => {
  postgres = await startThrowawayPostgres()
  database = await openPostgres({ ...PATIENT, url: await postgres.createDatabase(), migrations: [] })
})
afterAll(async () => {
  await database?.close()
  await postgres?.stop()
})

async function startWith(offMs: number) {
  const lines: string[] = []
  const log = createLog({ to: { write: (line) => lines.push(line) } })
  const clock = await startServerClock({ database, log, local: () => Date.now() + offMs })
  clock.stop()
  return { clock, lines }
}

test.each([
  ['a second and a half behind', -1_500, false],
  ['half a minute ahead', 30_000, false],
  ['four minutes behind', -240_000, false],
  ['ten minutes ahead', 600_000, true],
])('a machine %s goes by the database’s time and warns', async (_name, offMs, isOff) => {
  const { clock, lines } = await startWith(offMs)
  expect(Math.abs(clock.now() - Date.now())).toBeLessThan(1_000)
  expect(clock.isOff()).toBe(isOff)
  expect(lines.join()).toContain('clock differs from the database')
})

test('a machine a little behind goes by the database’s time too, and works', async () => {
  const { clock, lines } = await startWith(-400)
  expect(clock.offsetMs()).toBeGreaterThan(200)
  expect(clock.isOff()).toBe(false)
  expect(lines).toEqual([])
})

test('a machine that is right is left alone', async () => {
  const { clock } = await startWith(0)
  expect(clock.offsetMs()).toBe(0)
})
