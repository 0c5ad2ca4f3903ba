import { expect, test } from 'vitest'
import { ConstraintViolation, DatabaseUnavailable, type SqlValue } from './database.ts'
import { createWriteHealth } from './write-health.ts'

/** `fails`: what a trial meets, as long as it is there. */
function createTrial(fails: { with?: Error } = {}) {
  const tried: { sql: string; values: SqlValue[] }[] = []
  const health = createWriteHealth({
    async run(sql, ...values) {
      tried.push({ sql, values })
      if (fails.with) throw fails.with
      return 1
    },
  })
  return { health, tried }
}

test('as long as no write has failed nothing is tried', async () => {
  const { health, tried } = createTrial()
  expect(await health.watch(Promise.resolve('written'))).toBe('written')
  expect(await health.refusal()).toBeNull()
  expect(tried).toEqual([])
})

test.each([
  ['SQLITE_FULL', true],
  ['53100', true],
  ['53200', true],
  ['58030', true],
  ['XX001', true],
  ['25006', true],
  ['53300', false],
  ['57014', false],
  ['55P03', false],
  ['no-free-connection', false],
])('a write that met %s makes it unready: %s', async (code, isUnready) => {
  const failure = new DatabaseUnavailable(code)
  const { health, tried } = createTrial({ with: failure })
  await expect(health.watch(Promise.reject(failure))).rejects.toBe(failure)
  expect(await health.refusal()).toBe(isUnready ? code : null)
  expect(tried).toHaveLength(isUnready ? 1 : 0)
})

test.each([new ConstraintViolation('one_of_each'), new RangeError('SQLITE_FULL')])(
  'what the work itself did wrong says nothing about writing: %s',
  async (error) => {
    const { health } = createTrial({ with: error })
    await expect(health.watch(Promise.reject(error))).rejects.toBe(error)
    expect(await health.refusal()).toBeNull()
  },
)

test('a trial needs room for two pages and leaves nothing behind; one that succeeds is the last', async () => {
  const { health, tried } = createTrial()
  await expect(health.watch(Promise.reject(new DatabaseUnavailable('SQLITE_FULL')))).rejects.toThrow()
  expect(await health.refusal()).toBeNull()
  expect(tried.map(({ sql }) => sql.split(' ')[0])).toEqual(['INSERT', 'DELETE'])
  expect(tried[0]?.values).toEqual([expect.objectContaining({ byteLength: 8_192 })])
  expect(await health.refusal()).toBeNull()
  expect(tried).toHaveLength(2)
})

test('the refusal is what the newest trial met', async () => {
  const fails: { with?: Error } = { with: new DatabaseUnavailable('53100') }
  const { health } = createTrial(fails)
  await expect(health.watch(Promise.reject(new DatabaseUnavailable('XX001')))).rejects.toThrow()
  expect(await health.refusal()).toBe('53100')
  fails.with = new Error('no such table: write_trial')
  expect(await health.refusal()).toBe('write-trial')
  delete fails.with
  expect(await health.refusal()).toBeNull()
})
