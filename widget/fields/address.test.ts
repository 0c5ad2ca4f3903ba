import { describe, expect, test } from 'vitest'
import {
  type AddressRules,
  addressLines,
  findAddressProblems,
  monthsCovered,
  needsOlderAddress,
  readAddress,
} from './address.ts'
import type { Typed } from './typed.ts'

const rules: AddressRules = { today: '2026-11-15', historyMonths: 36, dateOfBirth: '1985-03-27' }
const home: Typed = {
  buildingNumber: '10',
  thoroughfare: 'High Street',
  townOrCity: 'Leeds',
  postcode: 'ls1 4ap',
  movedMonth: '9',
  movedYear: '2023',
}

function wordsFor(changes: Typed, more: Partial<AddressRules> = {}): string[] {
  return findAddressProblems({ ...home, ...changes }, { ...rules, ...more }).map(({ words }) => words)
}

describe('what is wrong with an address', () => {
  const rows: [string, Typed, string[]][] = [
    ['nothing', {}, []],
    ['no number, but a name', { buildingNumber: '', buildingName: 'Rose Cottage' }, []],
    ['no number, but a flat', { buildingNumber: ' ', subBuildingName: 'Flat 2' }, []],
    ['none of the three', { buildingNumber: ' ' }, ['buildingMissing']],
    ['no town', { townOrCity: '' }, ['townOrCityMissing']],
    ['no postcode', { postcode: '' }, ['postcodeMissing']],
    ['half a postcode', { postcode: 'LS1' }, ['postcodeHalf']],
    ['no such area', { postcode: 'QQ1 1AA' }, ['postcodeShape']],
    ['a forces number', { postcode: 'BFPO 801' }, ['postcodeBfpo']],
    ['a street of 201 characters', { thoroughfare: 'a'.repeat(201) }, ['tooLong']],
    ['no month', { movedMonth: '' }, ['movedMissing']],
    ['a month by name', { movedMonth: 'Sept' }, []],
    ['a thirteenth month', { movedMonth: '13' }, ['movedUnreal']],
    ['words for a year', { movedYear: 'ages' }, ['movedUnreal']],
    ['a year of two figures', { movedYear: '23' }, ['movedShortYear']],
    ['this month', { movedMonth: '11', movedYear: '2026' }, []],
    ['next month', { movedMonth: '12', movedYear: '2026' }, ['movedFuture']],
    ['the month of birth', { movedMonth: '3', movedYear: '1985' }, []],
    ['the month before', { movedMonth: '2', movedYear: '1985' }, ['movedBeforeBirth']],
  ]
  test.each(rows)('%s', (_name, changes, expected) => expect(wordsFor(changes)).toEqual(expected))

  test('an earlier address cannot begin after the one that followed it', () => {
    const newer = { ...home, buildingNumber: '12', movedYear: '2022' }
    expect(wordsFor({}, { newer })).toEqual(['movedOverlap'])
    expect(wordsFor({ movedYear: '2021' }, { newer })).toEqual([])
  })

  test('a later address cannot begin before the one it followed', () => {
    expect(wordsFor({}, { older: { ...home, movedYear: '2024' } })).toEqual(['movedOverlap'])
  })

  test('an address can come back after another: people move back home', () => {
    const flat = { ...home, buildingNumber: '7', movedYear: '2020' }
    expect(wordsFor({}, { older: flat })).toEqual([])
  })

  test('the same address twice in a row is refused, however it is written', () => {
    const again = { ...home, thoroughfare: 'HIGH STREET', postcode: 'LS14AP', movedYear: '2020' }
    expect(wordsFor({}, { older: { ...again, movedYear: '2020' } })).toEqual(['addressTwice'])
  })

  test('no dates are asked for when no history is wanted', () => {
    expect(wordsFor({ movedMonth: '', movedYear: '' }, { historyMonths: 0 })).toEqual([])
  })
})

describe('how far back the addresses go', () => {
  const since = (movedMonth: string, movedYear: string): Typed => ({ ...home, movedMonth, movedYear })
  test.each([
    ['nothing given', [], 0],
    ['this month', [since('11', '2026')], 0],
    ['three years to the month', [since('11', '2023')], 36],
    ['the oldest decides', [since('9', '2025'), since('1', '2015')], 142],
  ])('%s', (_name, addresses, months) => expect(monthsCovered(addresses, rules.today)).toBe(months))

  test('35 months are too few, 36 are enough', () => {
    expect(needsOlderAddress([since('12', '2023')], rules.today, 36)).toBe(true)
    expect(needsOlderAddress([since('11', '2023')], rules.today, 36)).toBe(false)
  })

  test('a seventh address is never asked for', () => {
    const short = Array.from({ length: 6 }, () => since('11', '2026'))
    expect(needsOlderAddress(short.slice(1), rules.today, 36)).toBe(true)
    expect(needsOlderAddress(short, rules.today, 36)).toBe(false)
  })
})

test('what is sent has a normal postcode and no empty lines', () => {
  expect(readAddress({ ...home, district: '  ', buildingName: ' Mill  House ' })).toEqual({
    buildingNumber: '10',
    buildingName: 'Mill House',
    thoroughfare: 'High Street',
    townOrCity: 'Leeds',
    postcode: 'LS1 4AP',
  })
})

test('an address reads as on an envelope', () => {
  expect(addressLines({ ...home, subBuildingName: 'Flat 2', buildingName: 'Mill House', district: 'Holbeck' })).toEqual(
    ['Flat 2, Mill House', '10 High Street', 'Holbeck', 'Leeds', 'LS1 4AP'],
  )
})
