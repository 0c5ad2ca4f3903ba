import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Postcode } from './address.ts'
import { normalisePostcode } from './postcode.ts'
import { read } from './problems.ts'

describe('postcodes', () => {
  test.each([
    ['SW1A 1AA', 'SW1A 1AA'],
    ['sw1a1aa', 'SW1A 1AA'],
    ['  sw1a   1aa ', 'SW1A 1AA'],
    ['SW1A-1AA', 'SW1A 1AA'],
    ['(M1) 1AE', 'M1 1AE'],
    ['B33 8TH', 'B33 8TH'],
    ['CR2 6XH', 'CR2 6XH'],
    ['DN55 1PT', 'DN55 1PT'],
    ['W1A 0AX', 'W1A 0AX'],
    ['EC1A 1BB', 'EC1A 1BB'],
    ['N1P 1AA', 'N1P 1AA'],
    ['BF1 3AA', 'BF1 3AA'],
    ['BX9 1AS', 'BX9 1AS'],
    ['GIR 0AA', 'GIR 0AA'],
    ['X9 9LF', 'X9 9LF'],
    ['e1\u00a06an', 'E1 6AN'],
  ])('%j is %j', (written, expected) => {
    expect(normalisePostcode(written)).toBe(expected)
  })

  test.each([
    '',
    ' ',
    'SW1A',
    'QQ1 1AA',
    '12345',
    'SW1A 1A',
    'SW1A 1AAA',
    'SW1A 1CI',
    'BFPO 801',
    'ABC 123',
    'SW1A 1AA; DROP',
    '１SW1A 1AA',
  ])('%j is not one', (written) => {
    expect(normalisePostcode(written)).toBeNull()
    expect(read(Postcode, written)).toEqual({ ok: false, problems: [{ path: '', expected: 'must be a UK postcode' }] })
  })

  test('the schema hands on the normalised form', () => {
    expect(read(Postcode, 'sw1a1aa')).toEqual({ ok: true, value: 'SW1A 1AA' })
  })

  test('normalising twice changes nothing, and spacing and case never matter', () => {
    const outward = fc.constantFrom('M1', 'B33', 'CR2', 'DN55', 'W1A', 'EC1A', 'N1P')
    const inward = fc.stringMatching(/^[0-9][ABD-HJLNP-UW-Z]{2}$/)
    fc.assert(
      fc.property(outward, inward, fc.constantFrom('', ' ', '  ', '-', '\t'), (out, into, gap) => {
        const expected = `${out} ${into}`
        expect(normalisePostcode(out + gap + into)).toBe(expected)
        expect(normalisePostcode(expected.toLowerCase())).toBe(expected)
      }),
    )
  })

  test('any text whatever gives a postcode or null', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (junk) => {
        const found = normalisePostcode(junk)
        expect(found === null || normalisePostcode(found) === found).toBe(true)
      }),
    )
  })
})
