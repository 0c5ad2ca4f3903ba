import { array, assert, constantFrom, integer, property, record, shuffledSubarray } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { GenerateRequest } from '../../contract/generate.ts'
import type { BureauAnswer, BureauRecord } from '../providers/providers.ts'
import { mergeReport } from './merge.ts'

const consumer = GenerateRequest.parse({
  sessionId: 'session',
  bureaus: ['experian', 'equifax', 'transunion'],
  ipAddress: '192.0.2.1',
  searchType: 'pcp',
  firstName: 'Ada',
  lastName: 'Example',
  dateOfBirth: '1985-05-17',
  addresses: [{ type: 'current', ukAddress: { buildingNumber: '12', townOrCity: 'Leeds', postcode: 'LS1 2AB' } }],
})

const pounds = (amount: number) => ({ amount, currency: 'GBP' })

function account(changes: Partial<BureauRecord> = {}): BureauRecord {
  return {
    firstName: 'Ada',
    lastName: 'Example',
    accountNumber: '****1234',
    accountType: 'hire-purchase',
    accountStatus: 'open',
    companyType: 'finance-house',
    companyName: 'Larkfield Motor Finance',
    numberOfPayments: 48,
    repaymentPeriod: 48,
    payment: pounds(20_000),
    startBalance: pounds(960_000),
    balance: pounds(500_000),
    startDate: '2024-03-01',
    ref: 'ref',
    ...changes,
  }
}

function answered(bureau: string, records: BureauRecord[], searches: BureauAnswer['searches'] = []): BureauAnswer {
  return { bureau, records, searches }
}

const recordsOf = (...answers: BureauAnswer[]) => mergeReport(consumer, answers).consumerData.records
const searchesOf = (...answers: BureauAnswer[]) => mergeReport(consumer, answers).previousSearches.providers

test('a missing title is left out', () => {
  const person = { firstName: 'Ada', lastName: 'Example', dateOfBirth: '1985-05-17' }
  expect(mergeReport(consumer, []).person).toStrictEqual(person)
  expect(mergeReport({ ...consumer, title: 'Dr' }, []).person).toStrictEqual({ title: 'Dr', ...person })
  const [without] = recordsOf(answered('experian', [account()]))
  expect(without).not.toHaveProperty('title')
  const [withTitle] = recordsOf(answered('experian', [account({ title: 'Dr' })]))
  expect(withTitle).toMatchObject({ title: 'Dr' })
})

test('how long a person has lived there is said by the first bureau that knows', () => {
  const answers = [
    { ...answered('transunion', []), monthsAtAddresses: [7] },
    { ...answered('equifax', []), monthsAtAddresses: [30] },
    answered('experian', []),
  ]
  expect(mergeReport(consumer, answers).residencies).toMatchObject([{ yearsAtAddress: 2, monthsAtAddress: 6 }])
})

test('accounts alike in status and age come by lender, number and reference, however they were sent', () => {
  const sorted = [
    account({ companyName: 'Ash', accountNumber: '****', ref: 'x' }),
    account({ companyName: 'Ash', accountNumber: '****', ref: 'y' }),
    account({ companyName: 'Ash', accountNumber: '****1111' }),
    account({ companyName: 'Ash', accountNumber: '****2222' }),
    account({ companyName: 'Beech', accountNumber: '****1111' }),
  ]
  const names = (records: BureauRecord[]) =>
    recordsOf(answered('experian', records)).map(
      ({ companyName, accountNumber, bureaus }) => `${companyName} ${accountNumber} ${bureaus[0]?.ref}`,
    )
  const expected = ['Ash **** x', 'Ash **** y', 'Ash ****1111 ref', 'Ash ****2222 ref', 'Beech ****1111 ref']
  expect(names(sorted)).toEqual(expected)
  expect(names(sorted.toReversed())).toEqual(expected)
})

test('a bureau that was not asked for comes last', () => {
  const answers = [answered('other', [account({ balance: pounds(1) })]), answered('transunion', [account()])]
  expect(recordsOf(...answers)).toMatchObject([
    { balance: pounds(500_000), bureaus: [{ id: 'transunion' }, { id: 'other' }] },
  ])
})

describe('two bureaus, one account each', () => {
  type Row = [name: string, change: Partial<BureauRecord>, count: number]
  test.each<Row>([
    ['the same in everything is one account', {}, 1],
    ['another reference is the same account', { ref: 'other' }, 1],
    ['another balance is the same account', { balance: pounds(1) }, 1],
    ['another status is the same account', { accountStatus: 'settled' }, 1],
    ['other capitals and spaces are the same lender', { companyName: ' LARKFIELD  motor FINANCE ' }, 1],
    ['more stars before the same digits are the same account', { accountNumber: '********1234' }, 1],
    ['another lender is another account', { companyName: 'Tidewell Vehicle Finance' }, 2],
    ['another type is another account', { accountType: 'credit-card' }, 2],
    ['other digits are another account', { accountNumber: '****1235' }, 2],
    ['another start date is another account', { startDate: '2024-03-02' }, 2],
  ])('%s', (_name, change, count) => {
    expect(recordsOf(answered('experian', [account()]), answered('equifax', [account(change)]))).toHaveLength(count)
  })

  test('without visible digits they are never taken for one another', () => {
    const hidden = account({ accountNumber: '********' })
    expect(recordsOf(answered('experian', [hidden]), answered('equifax', [hidden]))).toHaveLength(2)
  })
})

describe('a merged account', () => {
  test('names every bureau that knows it, in the order of the request, with its own reference', () => {
    const [record] = recordsOf(
      answered('transunion', [account({ ref: 't' })]),
      answered('equifax', [account({ ref: 'q' })]),
      answered('experian', [account({ ref: 'x' })]),
    )
    expect(record?.bureaus).toEqual([
      { id: 'experian', ref: 'x' },
      { id: 'equifax', ref: 'q' },
      { id: 'transunion', ref: 't' },
    ])
    expect(record).not.toHaveProperty('ref')
  })

  test('says what the first bureau of the request says, whichever answered first', () => {
    const [record] = recordsOf(
      answered('transunion', [account({ balance: pounds(3), accountStatus: 'settled' })]),
      answered('equifax', [account({ balance: pounds(2) })]),
    )
    expect(record).toMatchObject({ balance: pounds(2), accountStatus: 'open' })
    // And what the other says is not lost.
    expect(record?.bureaus.map(({ differs }) => differs)).toEqual([
      undefined,
      { balance: pounds(3), accountStatus: 'settled' },
    ])
  })

  test.each<Partial<BureauRecord>>([
    { numberOfPayments: 36 },
    { repaymentPeriod: 60 },
    { payment: pounds(1) },
    { startBalance: pounds(2) },
    { balance: { amount: 500_000, currency: 'EUR' } },
    { accountStatus: 'settled' },
  ])('says of the other bureau what it says otherwise, and no more: %j', (differs) => {
    const [record] = recordsOf(answered('equifax', [account()]), answered('transunion', [account(differs)]))
    expect(record?.bureaus).toEqual([
      { id: 'equifax', ref: 'ref' },
      { id: 'transunion', ref: 'ref', differs },
    ])
  })

  test('the same in other words is no difference', () => {
    const [record] = recordsOf(
      answered('equifax', [account({ accountStatus: 'OK' })]),
      answered('transunion', [account({ accountStatus: 'Up_To_Date' })]),
    )
    expect(record?.bureaus.every(({ differs }) => differs === undefined)).toBe(true)
  })

  test('a bureau that lists it twice is named once', () => {
    const [record] = recordsOf(answered('equifax', [account({ ref: 'one' }), account({ ref: 'two' })]))
    expect(record?.bureaus).toEqual([{ id: 'equifax', ref: 'one' }])
  })

  test('does not change what the bureaus answered', () => {
    const answers = [answered('experian', [account()]), answered('equifax', [account()])]
    const before = structuredClone(answers)
    mergeReport(consumer, answers)
    expect(answers).toEqual(before)
  })
})

test('open accounts come before settled ones, newer before older', () => {
  const started = recordsOf(
    answered('equifax', [
      account({ startDate: '2010-01-01', accountStatus: 'settled', accountNumber: '*1' }),
      account({ startDate: '2020-01-01', accountNumber: '*2' }),
      account({ startDate: '2024-01-01', accountNumber: '*3' }),
      account({ startDate: '2022-01-01', accountStatus: 'settled', accountNumber: '*4' }),
    ]),
  ).map(({ startDate }) => startDate)
  expect(started).toEqual(['2024-01-01', '2020-01-01', '2022-01-01', '2010-01-01'])
})

test('whatever the bureaus hold, the report does not depend on who answered first', () => {
  const names = ['experian', 'equifax', 'transunion'] as const
  const anyAccount = record({
    companyName: constantFrom('A', 'B'),
    accountNumber: constantFrom('****1', '****2', '****'),
    accountStatus: constantFrom('open', 'settled'),
    startDate: constantFrom('2020-01-01', '2021-01-01'),
    ref: integer({ min: 0, max: 99 }).map(String),
  })
  const files = array(array(anyAccount, { maxLength: 5 }), { minLength: 3, maxLength: 3 })
  assert(
    property(files, shuffledSubarray([0, 1, 2], { minLength: 3 }), (accounts, order) => {
      const answers = names.map((name, index) => answered(name, (accounts[index] ?? []).map(account)))
      const shuffled = order.flatMap((index) => answers[index] ?? [])
      expect(mergeReport(consumer, shuffled)).toEqual(mergeReport(consumer, answers))
    }),
    { numRuns: 300 },
  )
})

describe('searches', () => {
  const search = (companyName: string, ...dates: string[]) => ({
    companyName,
    records: dates.map((date) => ({ date })),
  })
  const [first, second, third] = ['2025-01-01T09:00:00.000Z', '2025-02-01T09:00:00.000Z', '2025-03-01T09:00:00.000Z']

  test('of one company are together, the newest first, each once', () => {
    const merged = searchesOf(
      answered('experian', [], [search('Quillbrook', first, third)]),
      answered('equifax', [], [search('QUILLBROOK', third, second)]),
    )
    expect(merged).toEqual([search('Quillbrook', third, second, first)])
  })

  test('of the company that looked last come first', () => {
    const merged = searchesOf(
      answered('equifax', [], [search('Old', first), search('New', third), search('Also old', first)]),
    )
    expect(merged.map(({ companyName }) => companyName)).toEqual(['New', 'Also old', 'Old'])
  })
})

describe('the person', () => {
  test('is who the request says, with a title only if it has one', () => {
    expect(mergeReport(consumer, []).person).toEqual({
      firstName: 'Ada',
      lastName: 'Example',
      dateOfBirth: '1985-05-17',
    })
    expect(mergeReport({ ...consumer, title: 'Ms' }, []).person).toHaveProperty('title', 'Ms')
  })
})
