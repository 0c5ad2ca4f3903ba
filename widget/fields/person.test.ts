import { describe, expect, test } from 'vitest'
import { callingCodesOf } from './calling-codes.ts'
import {
  ageInYears,
  findMobileProblems,
  findPersonProblems,
  type MobileRules,
  readPerson,
  UK_MOBILE,
} from './person.ts'
import { readInput, type Typed } from './typed.ts'

const today = '2026-11-15'
const sam: Typed = {
  firstName: 'Sam',
  middleName: '',
  lastName: 'Patel',
  day: '27',
  month: '3',
  year: '1985',
  mobileNumber: '07700 900123',
  email: '',
}

function wordsFor(changes: Typed): string[] {
  return findPersonProblems({ ...sam, ...changes }, { today, mobile: UK_MOBILE }).map(({ words }) => words)
}

test('a person with nothing wrong has no problems', () => {
  expect(findPersonProblems(sam, { today, mobile: UK_MOBILE })).toEqual([])
})

test.each([
  ['Arabic', '٠١٢٣٤٥٦٧٨٩'],
  ['Persian or Urdu', '۰۱۲۳۴۵۶۷۸۹'],
  ['Hindi', '०१२३४५६७८९'],
  ['Bengali', '০১২৩৪৫৬৭৮৯'],
  ['full width', '０１２３４５６７８９'],
])('the digits of a keyboard in %s are digits', (_language, digits) => {
  const write = (text: string) => text.replace(/\d/g, (digit) => digits.charAt(Number(digit)))
  const theirs = Object.fromEntries(Object.entries(sam).map(([name, text]) => [name, write(text)]))
  expect(findPersonProblems(theirs, { today, mobile: UK_MOBILE })).toEqual([])
  expect(readPerson(theirs)).toEqual(readPerson(sam))
  expect(readInput({ code: digits }, 'code')).toBe('0123456789')
})

test('an empty form names every missing answer once, in the order of the fields', () => {
  const empty = Object.fromEntries(Object.keys(sam).map((name) => [name, ' ']))
  expect(findPersonProblems(empty, { today, mobile: UK_MOBILE }).map(({ words }) => words)).toEqual([
    'firstNameMissing',
    'lastNameMissing',
    'dateOfBirthMissing',
    'mobileNumberMissing',
  ])
})

describe('names', () => {
  test.each([
    ['Smith\u2010Jones', 'Smith-Jones'],
    ['Smith\u2011Jones', 'Smith-Jones'],
    ['Smith–Jones', 'Smith-Jones'],
    ['O´Brien', 'O’Brien'],
    ['O′Brien', 'O’Brien'],
    ['Patel (Shah)', 'Patel (Shah)'],
  ])('%s is sent as %s', (lastName, expected) => {
    expect(wordsFor({ lastName })).toEqual([])
    expect(readPerson({ ...sam, lastName }).lastName).toBe(expected)
  })

  test('a refusal shows the characters', () => {
    expect(findPersonProblems({ ...sam, lastName: 'P@tel<' }, { today, mobile: UK_MOBILE })[0]?.values).toEqual({
      characters: '@ <',
    })
  })

  test.each([['O’Brien-Smith'], ['Zoë'], ['Nguyễn'], ['X Æ A-12'], ['李'], ["D'Arcy"], ['J.'], ['محمد']])(
    '%s is a name',
    (lastName) => expect(wordsFor({ lastName })).toEqual([]),
  )

  test.each([['<b>'], ['sam@example.com'], ['Sam\u0000'], ['a{b}']])('%j is not', (lastName) =>
    expect(wordsFor({ lastName })).toEqual(['strangeCharacters']),
  )

  test.each(['.', '-', '1'])('%j has no letter', (lastName) => expect(wordsFor({ lastName })).toEqual(['nameLetters']))

  test('a name of 101 characters is too long', () => {
    expect(wordsFor({ firstName: 'a'.repeat(100) })).toEqual([])
    expect(wordsFor({ firstName: 'a'.repeat(101) })).toEqual(['tooLong'])
  })
})

describe('date of birth', () => {
  const rows: [string, Typed, string[]][] = [
    ['a month by its English name', { month: 'March' }, []],
    ['a month by its Welsh name', { month: 'mawrth' }, []],
    ['a day with its ending', { day: '27th' }, []],
    ['a leap day', { day: '29', month: '2', year: '2000' }, []],
    ['the day before today', { day: '14', month: '11', year: '2026' }, []],
    ['today', { day: '15', month: '11', year: '2026' }, ['dateOfBirthFuture']],
    ['29 February in a common year', { day: '29', month: '2', year: '2001' }, ['dateOfBirthUnreal']],
    ['a thirteenth month', { month: '13' }, ['dateOfBirthUnreal']],
    ['letters for a day', { day: 'x' }, ['dateOfBirthUnreal']],
    ['a year of two figures', { year: '85' }, ['dateOfBirthShortYear']],
    ['a year of five figures', { year: '19855' }, ['dateOfBirthShortYear']],
    ['a letter in the year', { year: '198S' }, ['dateOfBirthShortYear']],
    ['121 years ago', { year: '1905' }, ['dateOfBirthOld']],
    ['no year', { year: '' }, ['dateOfBirthPart']],
  ]
  test.each(rows)('%s', (_name, changes, expected) => expect(wordsFor(changes)).toEqual(expected))

  test('a missing part is named and focused', () => {
    const [problem] = findPersonProblems({ ...sam, month: '', year: '' }, { today, mobile: UK_MOBILE })
    expect(problem).toMatchObject({ focus: 'month', parts: ['month', 'year'] })
  })

  test.each([
    ['2008-11-15', 18],
    ['2008-11-16', 17],
    ['1985-03-27', 41],
  ])('someone born on %s is %i', (born, age) => expect(ageInYears(born, today)).toBe(age))
})

describe('mobile number', () => {
  const rows: [string, string[]][] = [
    ['+44 (0)7700 900123', []],
    ['0044 7700-900-123', []],
    ['07624 123456', []],
    ['07700/900123', []],
    ['07700 90012', ['mobileNumberShort']],
    ['07700 9001234', ['mobileNumberLong']],
    ['0113 496 0000', ['mobileNumberKind']],
    ['07012 345678', ['mobileNumberKind']],
    ['+1 212 555 0123', ['mobileNumberAbroad']],
    ['0033 6 12 34 56 78', ['mobileNumberAbroad']],
    ['07700 nine', ['mobileNumberLetters']],
    ['07700 900123, thanks 📱', ['mobileNumberLetters']],
    ['📱07700/900123', ['mobileNumberLetters']],
  ]
  test.each(rows)('%s', (mobileNumber, expected) => expect(wordsFor({ mobileNumber })).toEqual(expected))
})

describe('mobile number, where the lender takes others', () => {
  const anyone: MobileRules = { isRequired: false, callingCodes: 'any' }
  const irish: MobileRules = { isRequired: true, callingCodes: callingCodesOf(['GB', 'IE']) }
  const rows: [string, MobileRules, string[]][] = [
    ['', anyone, []],
    ['', irish, ['mobileNumberAnyMissing']],
    ['', { ...UK_MOBILE, isRequired: false }, []],
    ['07700 900123', anyone, []],
    ['07700 900123', irish, []],
    ['+353 (0)87 123 4567', irish, []],
    ['00353 87 123 4567', irish, []],
    ['+1 212 555 0123', anyone, []],
    ['+1 212 555 0123', irish, ['mobileNumberCountry']],
    ['087 123 4567', irish, ['mobileNumberAnyShape']],
    ['+44 20 7946 0958', irish, ['mobileNumberAnyShape']],
    ['+353', irish, ['mobileNumberAnyShape']],
    ['none', irish, ['mobileNumberLetters']],
  ]
  test.each(rows)('%s', (mobileNumber, mobile, expected) => {
    const problems = findPersonProblems({ ...sam, mobileNumber }, { today, mobile })
    expect(problems.map(({ words }) => words)).toEqual(expected)
  })

  test('it is sent as the service reads it', () => {
    expect(readPerson({ ...sam, mobileNumber: '00353 (0)87 123-4567' }).mobileNumber).toBe('+353871234567')
    expect(readPerson({ ...sam, mobileNumber: '' })).not.toHaveProperty('mobileNumber')
  })

  test('to send a code there has to be one, optional or not', () => {
    expect(findMobileProblems({ mobileNumber: '' }, anyone)).toMatchObject([{ words: 'mobileNumberAnyMissing' }])
  })

  test('every country has numbers of its own', () => {
    expect(callingCodesOf(['GB', 'FR', 'ZZ'])).toEqual(['33', '44'])
  })
})

describe('email', () => {
  test.each([
    ['sam@example.com', []],
    ['sam@example', ['emailShape']],
    ['sam example.com', ['emailShape']],
    [`${'a'.repeat(250)}@b.uk`, ['tooLong']],
  ])('%s', (email, expected) => expect(wordsFor({ email })).toEqual(expected))
})

test('invisible marks neither offend nor travel', () => {
  const pasted = {
    ...sam,
    firstName: '\u2068Zo\u00adë\ufe0f\u{e0100}\u2069',
    email: '\u200bsam@example.com\u200e',
    day: '27\ufeff',
  }
  expect(findPersonProblems(pasted, { today, mobile: UK_MOBILE })).toEqual([])
  expect(readPerson(pasted)).toMatchObject({ firstName: 'Zoë', email: 'sam@example.com', dateOfBirth: '1985-03-27' })
})

test('what is sent is trimmed, international and without empty answers', () => {
  expect(readPerson({ ...sam, firstName: '  Mary  Ann ', day: '7', middleName: ' ' })).toEqual({
    firstName: 'Mary Ann',
    lastName: 'Patel',
    dateOfBirth: '1985-03-07',
    mobileNumber: '+447700900123',
  })
})
