import { describe, expect, test } from 'vitest'
import { type AccountStatus, isSettled, readAccountStatus } from './account-status.ts'

type Row = [status: string, standing: AccountStatus['standing'], isLate: boolean]

describe('words', () => {
  const rows: Row[] = [
    ['open', 'open', false],
    ['active', 'open', false],
    ['Up to date', 'open', false],
    ['settled', 'settled', false],
    ['SETTLED', 'settled', false],
    ['Paid in full', 'settled', false],
    ['cleared', 'settled', false],
    ['closed', 'settled', false],
    ['partially-settled', 'settled', false],
    ['unsettled', 'open', false],
    ['not settled', 'open', false],
    ['not yet closed', 'open', false],
    ['part paid', 'open', false],
    ['arrears', 'open', true],
    ['in-arrears', 'open', true],
    ['2 payments late', 'open', true],
    ['debt_management', 'open', true],
    ['default', 'ended', true],
    ['defaulted', 'ended', true],
    ['defaultSatisfied', 'settled', true],
    ['Default, not satisfied', 'ended', true],
    ['written-off', 'ended', true],
    ['voluntary-termination', 'ended', false],
    ['debt sold to a collector', 'ended', true],
    ['no arrears', 'open', false],
    ['never late', 'open', false],
    ['open - not in default', 'open', false],
    ['related account', 'unclear', false],
    ['not known', 'unclear', false],
    ['constructor', 'unclear', false],
    ['', 'unclear', false],
    ['  ', 'unclear', false],
  ]
  test.each(rows)('%j is %s, late: %s', (status, standing, isLate) => {
    expect(readAccountStatus(status)).toMatchObject({ standing, isLate, isCode: false })
    expect(isSettled(status)).toBe(standing === 'settled')
  })
})

describe('codes', () => {
  const rows: [...Row, words: string][] = [
    ['0', 'open', false, 'up to date'],
    ['OK', 'open', false, 'up to date'],
    ['1', 'open', true, '1 payment late'],
    ['6', 'open', true, '6 or more payments late'],
    ['8', 'ended', true, 'default'],
    ['9', 'ended', true, 'default'],
    ['DF', 'ended', true, 'default'],
    ['AA', 'open', true, 'early arrears'],
    ['BB', 'open', true, 'sustained arrears'],
    ['AP', 'open', true, 'arrangement to pay'],
    ['AR', 'open', true, 'arrangement to pay'],
    ['DM', 'open', true, 'debt management'],
    ['DA', 'ended', true, 'debt passed to another company'],
    ['DT', 'open', false, 'dormant'],
    ['N', 'open', false, 'inactive'],
    ['NR', 'unclear', false, 'no recent update'],
    ['IC', 'unclear', false, 'insurance claim'],
    ['Q', 'unclear', false, 'query'],
    ['qy', 'unclear', false, 'query'],
    ['RP', 'ended', true, 'repossession'],
    ['S', 'settled', false, 'settled'],
    ['ST', 'settled', false, 'settled'],
    ['SF', 'settled', true, 'default satisfied'],
    ['PS', 'settled', false, 'partially settled'],
    ['U', 'open', false, 'unclassified'],
    ['UC', 'open', false, 'unclassified'],
    ['US', 'unclear', false, 'unknown status'],
    ['VS', 'ended', false, 'voluntary surrender'],
    ['VT', 'ended', false, 'voluntary termination'],
    ['WO', 'ended', true, 'written off'],
  ]
  test.each(rows)('%s is %s, late: %s, in words: %s', (status, standing, isLate, words) => {
    expect(readAccountStatus(status)).toEqual({ words, standing, isLate, isCode: true })
  })

  test.each(['D', '7', 'XX', '?'])('%s means nothing for certain', (status) => {
    expect(readAccountStatus(status)).toMatchObject({ standing: 'unclear', isLate: false, isCode: false })
  })
})

test.each([null, undefined])('%s is no status', (status) => {
  expect(readAccountStatus(status)).toEqual({ words: '', standing: 'unclear', isLate: false, isCode: false })
  expect(isSettled(status)).toBe(false)
})
