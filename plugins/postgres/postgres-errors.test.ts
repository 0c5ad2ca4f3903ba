import pg from 'pg'
import { expect, test } from 'vitest'
import { ConstraintViolation, DatabaseUnavailable } from '../../service/store/database.ts'
import { guarded, inOurWords, TryAgain } from './postgres-errors.ts'
import { StepFailed } from './postgres-together.ts'

const said = (code: string | undefined, more: { message?: string; constraint?: string } = {}) =>
  Object.assign(new pg.DatabaseError(more.message ?? 'what the server says', 1, 'error'), { code, ...more })

test.each([
  ['08006', 'a connection that broke'],
  ['53300', 'too many connections'],
  ['53100', 'a full disk'],
  ['57014', 'a statement that took too long'],
  ['57P01', 'a server that is shut down'],
  ['58030', 'a disk that fails'],
  ['XX000', 'the server’s own fault'],
  ['55P03', 'a wait for a lock that took too long'],
  ['25006', 'a server that only reads'],
])('%s, %s, is "not now"', (code) => {
  const error = said(code)
  const ours = inOurWords(error)
  expect(ours).toBeInstanceOf(DatabaseUnavailable)
  expect(ours).toMatchObject({ code, cause: error })
})

test.each(['40001', '40P01'])('%s: two crossed each other’s path, and the same again may succeed', (code) => {
  const ours = inOurWords(said(code))
  expect(ours).toBeInstanceOf(TryAgain)
  expect(ours).toMatchObject({ name: 'TryAgain', message: `try again (${code})`, code, elsewhere: false })
})

test('a plan that is out of date: the same again, on another connection', () => {
  const ours = inOurWords(said('0A000', { message: 'cached plan must not change result type' }))
  expect(ours).toBeInstanceOf(TryAgain)
  expect(ours).toMatchObject({ code: '0A000', elsewhere: true })
  expect(inOurWords(said('0A000'))).not.toBeInstanceOf(TryAgain)
})

test.each([
  ['a rule with a name', said('23514', { constraint: 'balance_not_negative' }), 'balance_not_negative'],
  ['a rule without one', said('23502'), '23502'],
])('%s that was broken is named', (_what, error, constraint) => {
  const ours = inOurWords(error)
  expect(ours).toBeInstanceOf(ConstraintViolation)
  expect(ours).toMatchObject({ constraint, cause: error })
})

test.each(['42601', '42501', '22012', '55006', undefined])(
  '%s is a fault of the statement, and stays as it is',
  (code) => {
    const error = said(code)
    expect(inOurWords(error)).toBe(error)
  },
)

test.each<[string, unknown, string]>([
  ['an address no one listens on', Object.assign(new Error('connect'), { code: 'ECONNREFUSED' }), 'ECONNREFUSED'],
  ['a kind of its own with a code', Object.assign(new TypeError('read'), { code: 'ECONNRESET' }), 'ECONNRESET'],
  ['no free connection', new Error('timeout exceeded when trying to connect'), 'no-free-connection'],
  ['no answer in time', new Error('Query read timeout'), 'query-timeout'],
  ['a connection that ended', new Error('Connection terminated unexpectedly'), 'disconnected'],
  ['a code that is none', Object.assign(new Error('odd'), { code: 7 }), 'disconnected'],
  ['what is no error', 'Query read timeout', 'disconnected'],
  ['nothing', undefined, 'disconnected'],
])('the connection itself failed: %s', (_what, error, code) => {
  const ours = inOurWords(error)
  expect(ours).toBeInstanceOf(DatabaseUnavailable)
  expect(ours).toMatchObject({ code })
})

test.each([
  ['in our words already', new DatabaseUnavailable('57P01')],
  ['in our words already', new ConstraintViolation('one_of_each')],
  ['in our words already', new TryAgain('40001')],
  ['of the work itself', new RangeError('too far')],
])('what is %s stays as it is: %s', (_what, error) => {
  expect(inOurWords(error)).toBe(error)
  expect(inOurWords(new StepFailed(3, error))).toBe(error)
})

test('a call passes on its answer, and its failure in our words', async () => {
  expect(await guarded(async () => 'answer')).toBe('answer')
  await expect(guarded(() => Promise.reject(said('57P01')))).rejects.toThrow(DatabaseUnavailable)
})
