import { expect, test } from 'vitest'
import { blameOf, ProviderUnavailable } from './providers.ts'

test('an error of a provider says which one failed and why', () => {
  const cause = new Error('socket')
  const error = new ProviderUnavailable('equifax', 'time-out', { cause })
  expect(error).toMatchObject({ name: 'ProviderUnavailable', provider: 'equifax', reason: 'time-out', cause })
  expect(error.message).toBe('equifax: time-out')
  expect(error.fields).toEqual({ provider: 'equifax', outcome: 'time-out' })
})

test('a provider is blamed for its own errors alone', () => {
  expect(blameOf(new ProviderUnavailable('sms', 'rejected'))).toEqual({ provider: 'sms', code: 'rejected' })
  for (const other of [new Error('ours'), null, undefined]) expect(blameOf(other)).toEqual({})
})
