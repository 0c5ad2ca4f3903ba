import { describe, expect, test } from 'vitest'
import { isDestination } from './limits.ts'

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
