import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MobileNumber } from './generate.ts'
import { normaliseUkMobile, showMobileNumber } from './mobile-number.ts'
import { read } from './problems.ts'

describe('UK mobiles as people write them', () => {
  test.each([
    '07700900123',
    '07700 900 123',
    '07700-900-123',
    '(07700) 900123',
    '+447700900123',
    '+44 7700 900123',
    '+44 (0)7700 900123',
    '0044 7700 900123',
    '447700900123',
    '7700900123',
    '0+447700900123',
    '+07700900123',
    '000007700900123',
    '\u202a07700900123\u202c',
  ])('%j is +447700900123', (written) => {
    expect(normaliseUkMobile(written)).toBe('+447700900123')
  })

  test.each([
    ['nothing', ''],
    ['letters', '07700 9OO123'],
    ['a London landline', '020 7946 0958'],
    ['a personal number', '07012345678'],
    ['a pager', '07612345678'],
    ['a digit short', '0770090012'],
    ['a digit long', '077009001234'],
    ['a French mobile', '+33612345678'],
    ['an extension', '07700900123 ext 4'],
  ])('%s is refused', (_what, written) => {
    expect(normaliseUkMobile(written)).toBeNull()
  })

  test('an Isle of Man mobile is one, though it begins 076', () => {
    expect(normaliseUkMobile('07624 212345')).toBe('+447624212345')
  })

  test('what is shown reads back as the same number', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^7[1-57-9]\d{8}$/), (digits) => {
        const sent = `+44${digits}`
        expect(normaliseUkMobile(showMobileNumber(sent))).toBe(sent)
        expect(normaliseUkMobile(sent)).toBe(sent)
      }),
    )
  })

  test('any text whatever gives an E.164 number or null', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (junk) => {
        const found = normaliseUkMobile(junk)
        expect(found === null || read(MobileNumber, found).ok).toBe(true)
      }),
    )
  })
})

describe('mobile numbers on the wire', () => {
  test.each(['+447700900123', '+12025550123', '+4915112345678'])('%s is accepted', (number) => {
    expect(read(MobileNumber, number)).toEqual({ ok: true, value: number })
  })
  test.each(['07700900123', '+0447700900123', '+44 7700 900123', '+44', '', '+1234567890123456', '447700900123'])(
    '%j is refused',
    (number) => {
      expect(read(MobileNumber, number).ok).toBe(false)
    },
  )
})
