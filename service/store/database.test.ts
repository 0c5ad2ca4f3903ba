import { expect, test } from 'vitest'
import { allThen, ConstraintViolation, DatabaseUnavailable, isBreachOf, NotOwner, RETURNS } from './database.ts'

test.each<[string, unknown, string | undefined, boolean]>([
  ['the rule that was named', new ConstraintViolation('wallet_balance_not_negative'), 'balance_not_negative', true],
  ['another rule', new ConstraintViolation('migration.name'), 'balance_not_negative', false],
  ['any rule, where none was named', new ConstraintViolation('migration.name'), undefined, false],
  ['a database that is away', new DatabaseUnavailable('SQLITE_FULL'), 'balance_not_negative', false],
  ['what is no error of the database', new Error('balance_not_negative'), 'balance_not_negative', false],
])('whether it breaches the rule: %s', (_what, error, constraint, isBreach) => {
  expect(isBreachOf(error, constraint)).toBe(isBreach)
})

test.each<[Error, string, string]>([
  [new DatabaseUnavailable('57P01'), 'DatabaseUnavailable', 'the database is unavailable (57P01)'],
  [new ConstraintViolation('one_of_each'), 'ConstraintViolation', 'the database refused it: one_of_each'],
  [
    new NotOwner(),
    'NotOwner',
    'DATABASE_URL: its user does not own the tables, so DATABASE_MIGRATION_URL is needed for this',
  ],
])('%s says its name', (error, name, message) => {
  expect({ name: error.name, message: error.message }).toEqual({ name, message })
})

test.each([
  ['SELECT name FROM tenant', true],
  ['\n  SELECT name FROM tenant', true],
  ['UPDATE tenant SET name = ? RETURNING name', true],
  ['UPDATE tenant SET name = ?', false],
  ['INSERT INTO tenant (id) SELECT id FROM wallet', false],
])('%s gives rows back: %s', (sql, gives) => {
  expect(RETURNS.test(sql)).toBe(gives)
})

test('of several statements the last is the answer, and one before it that fails is the failure', async () => {
  expect(await allThen([Promise.resolve('first'), Promise.resolve('second')], Promise.resolve('last'))).toBe('last')
  expect(await allThen([], Promise.resolve('alone'))).toBe('alone')
  await expect(allThen([Promise.reject(new RangeError('before'))], Promise.resolve('last'))).rejects.toThrow('before')
})
