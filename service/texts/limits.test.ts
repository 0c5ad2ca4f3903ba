import { describe, expect, test } from 'vitest'
import { type Counted, isDestination, judgeText, TEXT_LIMITS, type TextLimit } from './limits.ts'

const nothing: Counted = { counts: TEXT_LIMITS.map(() => 0), prefixTexts: 0, prefixCompleted: 0 }

function counted(limit: TextLimit, count: number): Counted {
  return { ...nothing, counts: TEXT_LIMITS.map((one) => (one === limit ? count : 0)) }
}

test('a first text is allowed', () => {
  expect(judgeText(TEXT_LIMITS, nothing)).toEqual({ allowed: true, nearTenantLimit: false })
})

describe.each(TEXT_LIMITS)('the limit of $max for the same $same in $windowMs ms', (limit) => {
  test('allows the last one', () => {
    expect(judgeText(TEXT_LIMITS, counted(limit, limit.max - 1)).allowed).toBe(true)
  })

  test('refuses the next, and does not say why', () => {
    expect(judgeText(TEXT_LIMITS, counted(limit, limit.max))).toEqual({ allowed: false })
  })
})

test('a count that is missing refuses', () => {
  expect(judgeText(TEXT_LIMITS, { ...nothing, counts: [] }).allowed).toBe(false)
})

test.each([
  ['nineteen texts without one code typed', 19, 0, true],
  ['twenty texts without one code typed', 20, 0, false],
  ['twenty texts and one code', 20, 1, false],
  ['twenty texts and two codes', 20, 2, true],
  ['fifty texts and four codes', 50, 4, false],
  ['fifty texts and five codes', 50, 5, true],
])('a range of numbers with %s', (_what, prefixTexts, prefixCompleted, allowed) => {
  expect(judgeText(TEXT_LIMITS, { ...nothing, prefixTexts, prefixCompleted }).allowed).toBe(allowed)
})

test('the text that reaches four fifths of a tenant’s day says so, once', () => {
  const daily = TEXT_LIMITS.findLast(({ same }) => same === 'tenant')
  if (!daily) throw new Error('there is no daily limit')
  const alerts = [3_998, 3_999, 4_000].map((count) => judgeText(TEXT_LIMITS, counted(daily, count)))
  expect(alerts).toEqual([false, true, false].map((nearTenantLimit) => ({ allowed: true, nearTenantLimit })))
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
