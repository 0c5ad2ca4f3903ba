import { describe, expect, test } from 'vitest'
import {
  CLAIM_LIFETIME_MS,
  CONVERSION_TEXTS_MIN,
  CONVERSION_TEXTS_PER_CODE_MAX,
  CONVERSION_WINDOW_MS,
  isDestination,
  TEXT_LIMITS,
} from './text-limits.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

test('the limits are those of docs/operator/live-providers.md', () => {
  const inWindow = (windowMs: number) =>
    TEXT_LIMITS.filter((limit) => limit.windowMs === windowMs).map(({ same, max }) => `${same} ${max}`)
  expect(inWindow(MINUTE_MS)).toEqual(['tenant 300'])
  expect(inWindow(10 * MINUTE_MS)).toEqual([
    'number 5',
    'everywhere 25',
    'prefix 30',
    'source 10',
    'address 5',
    'block 20',
    'site 80',
  ])
  expect(inWindow(DAY_MS)).toEqual([
    'number 10',
    'everywhere 50',
    'source 15',
    'address 20',
    'block 80',
    'site 320',
    'device 3',
    'person 5',
    'tenant 5000',
  ])
  // Nothing is forgotten that a limit looks at.
  expect(CLAIM_LIFETIME_MS).toBe(DAY_MS)
  expect([CONVERSION_TEXTS_MIN, CONVERSION_TEXTS_PER_CODE_MAX, CONVERSION_WINDOW_MS]).toEqual([20, 10, 60 * MINUTE_MS])
})

describe('where texts go', () => {
  test.each(['+447700900123', '+447400000000', '+447624123456'])('%s is a UK mobile', (number) => {
    expect(isDestination(number)).toBe(true)
  })

  test.each([
    ['personal numbering', '+447012345678'],
    ['a pager', '+447641234567'],
    ['a premium line', '+449012345678'],
    ['a landline', '+442079460000'],
    ['directory enquiries', '+44118118'],
    ['the Caribbean', '+18765550123'],
    ['a satellite', '+881612345678'],
    ['a mobile with its trunk zero', '+4407700900123'],
    ['a mobile one digit short', '+44770090012'],
    ['a mobile one digit long', '+4477009001234'],
  ])('%s is not', (_what, number) => {
    expect(isDestination(number)).toBe(false)
  })

  test('an installation may open other countries, and only those', () => {
    expect(isDestination('+353851234567', ['+44', '+353'])).toBe(true)
    expect(isDestination('+33612345678', ['+44', '+353'])).toBe(false)
    expect(isDestination('+447012345678', ['+44', '+353'])).toBe(false)
  })
})
