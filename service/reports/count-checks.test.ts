import { expect, test } from 'vitest'
import { ApiError } from '../http/api-error.ts'
import { countAnswer, countRefusal } from './count-checks.ts'

const WHOSE = { tenantId: 'acme', test: false }

function counting() {
  const counted: string[] = []
  const stats = {
    count: (_whose: unknown, name: string) => void counted.push(name),
    waited: () => {},
    add: () => {},
  }
  return { counted, options: { stats } }
}

test.each([
  ['authentication-required', ['asked', 'code-sent']],
  ['complete', ['asked', 'end-complete', 'without-code']],
  ['blocked', ['asked', 'end-blocked']],
] as const)('a check that is %s', (status, names) => {
  const { counted, options } = counting()
  countAnswer(options, WHOSE, { status, waitedMs: 1 })
  expect(counted).toEqual(names)
})

test.each([
  ['insufficient-funds', ['end-refused-credits']],
  ['spend-cap-reached', ['end-refused-cap']],
  ['unavailable', ['asked', 'end-failed-providers']],
  ['rate-limited', []],
] as const)('a check that is refused with %s', (code, names) => {
  const { counted, options } = counting()
  const error = new ApiError(code, 'no')
  expect(() => countRefusal(options, WHOSE)(error)).toThrow(error)
  expect(counted).toEqual(names)
})
