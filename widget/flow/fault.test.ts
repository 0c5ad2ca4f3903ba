import { expect, test } from 'vitest'
import { ERROR_STATUS } from '../../contract/error.ts'
import { meaningOf, ownFault } from './fault.ts'

test.each(['network', 'timeout', 'garbled-answer'] as const)('%s is repeated: the next answer may arrive', (code) => {
  expect(meaningOf(ownFault(code))).toEqual({ start: 'broken', code: 'stay', isRepeated: true })
})

test('a fault of our own has no status', () => {
  expect(ownFault('offline')).toEqual({ code: 'offline', status: 0 })
})

test('of the server’s refusals, only those that pass are repeated', () => {
  const repeated = Object.entries(ERROR_STATUS).filter(([code, status]) => meaningOf({ code, status }).isRepeated)
  expect(repeated.map(([code]) => code)).toEqual(['request-in-progress', 'internal-error', 'unavailable'])
})

test.each([
  ['one that the contract has', 429, 'rate-limited'],
  ['one of a gateway in between', 502, 'garbled-answer'],
  ['an unexpected one', 418, 'garbled-answer'],
])('an unknown code goes by its status: %s', (_what, status, code) => {
  expect(meaningOf({ code: 'news', status })).toBe(meaningOf({ code, status: 0 }))
})
