import { createHash } from 'node:crypto'
import { assert, property, subarray, string as text } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CreditReport } from '../../../contract/credit-report.ts'
import { GenerateRequest } from '../../../contract/generate.ts'
import { SCENARIOS, type Scenario } from '../../../contract/tenant-proxy.ts'
import { mergeReport } from '../../check/merge.ts'
import type { BureauAnswer } from '../providers.ts'
import { scenarioOf, simulateBureau, simulateBureaus } from './synthetic.ts'

const BUREAU_CHOICES = [
  ['equifax'],
  ['experian'],
  ['transunion'],
  ['equifax', 'experian'],
  ['transunion', 'equifax'],
  ['experian', 'transunion'],
  ['equifax', 'experian', 'transunion'],
  ['transunion', 'experian', 'equifax'],
]

function consumerWith(changes: object = {}): GenerateRequest {
  return GenerateRequest.parse({
    sessionId: 'session',
    bureaus: ['equifax', 'experian', 'transunion'],
    ipAddress: '192.0.2.1',
    searchType: 'pcp',
    title: 'Ms',
    firstName: 'Ada',
    lastName: 'Example',
    dateOfBirth: '1985-05-17',
    addresses: [{ type: 'current', ukAddress: { buildingNumber: '12', townOrCity: 'Leeds', postcode: 'LS1 2AB' } }],
    ...changes,
  })
}

function reportOf(scenario: Scenario, consumer = consumerWith()): CreditReport {
  return mergeReport(
    consumer,
    consumer.bureaus.map((bureau) => simulateBureau(bureau, consumer, scenario)),
  )
}

describe('the scenario an e-mail address asks for', () => {
  test.each<[string | undefined, Scenario]>([
    ['test001@example.com', 'test001'],
    ['TEST002@anything.example', 'test002'],
    ['Test003@x', 'test003'],
    ['test004@example.com', 'test004'],
    ['test005@example.com', 'default'],
    ['test001+tag@example.com', 'default'],
    ['xtest001@example.com', 'default'],
    ['test0011@example.com', 'default'],
    ['ada@test001', 'default'],
    ['constructor@example.com', 'default'],
    [undefined, 'default'],
  ])('%s is %s', (email, scenario) => {
    expect(scenarioOf(email)).toBe(scenario)
  })
})

describe.each(BUREAU_CHOICES.map((bureaus) => [bureaus.join(' + '), bureaus] as const))(
  'asking %s',
  (_name, bureaus) => {
    const consumer = consumerWith({ bureaus })
    const kinds = (scenario: Scenario) =>
      reportOf(scenario, consumer)
        .consumerData.records.map(({ accountType, accountStatus }) => `${accountStatus} ${accountType}`)
        .sort()

    test.each<[Scenario, string[]]>([
      ['test001', []],
      ['test002', ['open hire-purchase']],
      ['test003', ['open credit-card', 'open hire-purchase', 'open mortgage']],
      ['test004', ['settled credit-card', 'settled hire-purchase']],
      ['default', ['open credit-card', 'open hire-purchase', 'open hire-purchase', 'open mortgage']],
    ])('%s has its accounts, no more and no fewer', (scenario, expected) => {
      expect(kinds(scenario)).toEqual(expected)
    })

    test('only test001 was never searched for', () => {
      const searched = SCENARIOS.filter(
        (scenario) => reportOf(scenario, consumer).previousSearches.providers.length > 0,
      )
      expect(searched).toEqual(SCENARIOS.filter((scenario) => scenario !== 'test001'))
    })
  },
)

describe('merging shows', () => {
  test('accounts are known to one, two and all three bureaus', () => {
    const known = reportOf('default').consumerData.records.map(({ bureaus }) => bureaus.length)
    expect([...new Set(known)].sort()).toEqual([1, 2, 3])
  })

  test('bureaus disagree about a balance, and the first one asked is believed', () => {
    const balances = ['equifax', 'experian', 'transunion'].map((first) => {
      const bureaus = [first, ...['equifax', 'experian', 'transunion'].filter((bureau) => bureau !== first)]
      return reportOf('test002', consumerWith({ bureaus })).consumerData.records[0]?.balance.amount
    })
    expect(new Set(balances).size).toBe(2)
  })
})

describe('what is settled', () => {
  test('owes nothing, whichever agency reports it', () => {
    for (const bureaus of BUREAU_CHOICES) {
      const { records } = reportOf('test004', consumerWith({ bureaus })).consumerData
      expect(records.map(({ balance }) => balance)).toEqual([
        { amount: 0, currency: 'GBP' },
        { amount: 0, currency: 'GBP' },
      ])
    }
  })
})

describe('the same person has the same file', () => {
  test('on every call', () => {
    expect(reportOf('default')).toEqual(reportOf('default'))
  })

  test('on every day: this one was drawn up when the test was written', () => {
    const [record] = reportOf('test002').consumerData.records
    expect(record).toMatchInlineSnapshot(`
      {
        "accountNumber": "****2201",
        "accountStatus": "open",
        "accountType": "hire-purchase",
        "balance": {
          "amount": 317080,
          "currency": "GBP",
        },
        "bureaus": [
          {
            "id": "equifax",
            "ref": "EQU-5019499108",
          },
          {
            "differs": {
              "balance": {
                "amount": 356715,
                "currency": "GBP",
              },
            },
            "id": "experian",
            "ref": "EXP-0820034054",
          },
          {
            "id": "transunion",
            "ref": "TRA-2856248423",
          },
        ],
        "companyName": "Merrowdown Car Finance",
        "companyType": "finance-house",
        "firstName": "Ada",
        "lastName": "Example",
        "numberOfPayments": 36,
        "payment": {
          "amount": 39635,
          "currency": "GBP",
        },
        "repaymentPeriod": 36,
        "startBalance": {
          "amount": 1426860,
          "currency": "GBP",
        },
        "startDate": "2023-09-05",
        "title": "Ms",
      }
    `)
  })

  test('from another device, with another telephone and e-mail address', () => {
    const elsewhere = consumerWith({
      sessionId: 'other',
      ipAddress: '2001:db8::1',
      email: 'ada@example.com',
      mobileNumber: '+447700900123',
    })
    expect(reportOf('default', elsewhere)).toEqual(reportOf('default'))
  })

  test('another person has another', () => {
    const accounts = (changes: object) =>
      reportOf('default', consumerWith(changes)).consumerData.records[0]?.accountNumber
    const people = [{}, { firstName: 'Eve' }, { lastName: 'Other' }, { dateOfBirth: '1985-05-18' }]
    expect(new Set(people.map(accounts)).size).toBe(people.length)
  })
})

// Lenders write their tests against these people, so a release that changes one of them breaks somebody's build.
describe('a file stays what it is from one release to the next', () => {
  const two = [
    { type: 'current', ukAddress: { buildingNumber: '12', townOrCity: 'Leeds', postcode: 'LS1 2AB' } },
    { type: 'previous', ukAddress: { buildingNumber: '3', townOrCity: 'York', postcode: 'YO1 7HH' } },
  ]

  test('of a person with every kind of account', () => {
    expect(linesOf(consumerWith({ addresses: two }), 'default')).toMatchInlineSnapshot(`
      [
        "equifax: months at addresses 87, 93",
        "EQU-1121499154 open hire-purchase ****6174, Ms Ada Example, Larkfield Motor Finance (finance-house) since 2025-07-21, 48/48 of 27373, 1149666 of 1313904 GBP",
        "EQU-1683099582 open mortgage ******9480, Ms Ada Example, Oakhollow Building Society (building-society) since 2016-02-18, 300/300 of 156255, 19778640 of 24671900 GBP",
        "EQU-8834303111 open hire-purchase ****5618, Ms Ada Example, Harrow & Pell Motor Credit (finance-house) since 2025-02-09, 60/60 of 29786, 1459514 of 1787160 GBP",
        "Corbel & Finch Lettings 2025-12-23T17:36:00.000Z",
        "Quillbrook Insurance 2025-03-11T10:09:00.000Z",
        "experian: months at addresses 87, 93",
        "EXP-1285509833 open hire-purchase ****6174, Ms Ada Example, Larkfield Motor Finance (finance-house) since 2025-07-21, 48/48 of 27373, 1177039 of 1313904 GBP",
        "EXP-4544117771 open credit-card ************5378, Ms Ada Example, Silverbeck Bank (bank) since 2023-11-20, 0/0 of 4463, 182983 of 0 GBP",
        "EXP-3043367242 open mortgage ******9480, Ms Ada Example, Oakhollow Building Society (building-society) since 2016-02-18, 300/300 of 156255, 19934895 of 24671900 GBP",
        "EXP-1014314589 open hire-purchase ****5618, Ms Ada Example, Harrow & Pell Motor Credit (finance-house) since 2025-02-09, 60/60 of 29786, 1489300 of 1787160 GBP",
        "Corbel & Finch Lettings 2025-12-23T17:36:00.000Z",
        "Larkfield Motor Finance 2025-08-16T13:54:00.000Z",
        "Quillbrook Insurance 2025-03-11T10:09:00.000Z",
        "transunion: months at addresses 87, 93",
        "TRA-4751696377 open hire-purchase ****6174, Ms Ada Example, Larkfield Motor Finance (finance-house) since 2025-07-21, 48/48 of 27373, 1149666 of 1313904 GBP",
        "TRA-7212125743 open hire-purchase ****5618, Ms Ada Example, Harrow & Pell Motor Credit (finance-house) since 2025-02-09, 60/60 of 29786, 1459514 of 1787160 GBP",
        "Corbel & Finch Lettings 2025-12-23T17:36:00.000Z",
      ]
    `)
  })

  test('of a person who is old enough to borrow since last month', () => {
    const young = consumerWith({
      title: undefined,
      lastName: 'Young',
      dateOfBirth: '2007-11-30',
      bureaus: ['experian'],
    })
    expect(linesOf(young, 'test003')).toMatchInlineSnapshot(`
      [
        "experian: months at addresses 103",
        "EXP-5638785015 open hire-purchase ****1966, Ada Young, Larkfield Motor Finance (finance-house) since 2025-12-11, 60/60 of 21546, 1271214 of 1292760 GBP",
        "EXP-0383559776 open credit-card ************9138, Ada Young, Silverbeck Bank (bank) since 2025-12-08, 0/0 of 1121, 44840 of 0 GBP",
        "EXP-7129409285 open mortgage ******2157, Ada Young, Pennistone Home Loans (building-society) since 2025-12-06, 360/360 of 158075, 29909502 of 29951100 GBP",
        "Tarnside Energy 2025-03-27T10:38:00.000Z",
        "Corbel & Finch Lettings 2025-06-28T10:47:00.000Z",
        "Larkfield Motor Finance 2025-07-02T16:42:00.000Z, 2025-02-12T15:29:00.000Z",
      ]
    `)
  })

  test('of a person whose accounts are all settled', () => {
    expect(linesOf(consumerWith({ dateOfBirth: '1949-10-02' }), 'test004')).toMatchInlineSnapshot(`
      [
        "equifax: months at addresses 139",
        "EQU-4315306586 settled hire-purchase ****5665, Ms Ada Example, Merrowdown Car Finance (finance-house) since 2022-03-02, 36/36 of 18230, 0 of 656280 GBP",
        "Dunmallow Retail Credit 2025-02-07T13:20:00.000Z",
        "Tarnside Energy 2025-02-20T17:16:00.000Z, 2025-11-20T15:24:00.000Z",
        "experian: months at addresses 139",
        "EXP-2435262894 settled hire-purchase ****5665, Ms Ada Example, Merrowdown Car Finance (finance-house) since 2022-03-02, 36/36 of 18230, 0 of 656280 GBP",
        "EXP-0149816229 settled credit-card ************4680, Ms Ada Example, Brackenbury Bank (bank) since 2015-02-19, 0/0 of 7925, 0 of 0 GBP",
        "Dunmallow Retail Credit 2025-02-07T13:20:00.000Z",
        "Ashlark Mobile 2025-07-10T11:16:00.000Z, 2025-10-15T15:26:00.000Z",
        "Tarnside Energy 2025-02-20T17:16:00.000Z, 2025-11-20T15:24:00.000Z",
        "transunion: months at addresses 139",
        "TRA-3473552756 settled hire-purchase ****5665, Ms Ada Example, Merrowdown Car Finance (finance-house) since 2022-03-02, 36/36 of 18230, 0 of 656280 GBP",
        "Dunmallow Retail Credit 2025-02-07T13:20:00.000Z",
      ]
    `)
  })

  test('of a person no one knows', () => {
    expect(simulateBureau('equifax', consumerWith(), 'test001')).toEqual({
      bureau: 'equifax',
      noFile: true,
      records: [],
      searches: [],
    })
  })

  test('of three hundred others', () => {
    const lines = Array.from({ length: 300 }, (_, index) => {
      const dateOfBirth = `${1930 + (index % 80)}-${pad(1 + (index % 12))}-${pad(1 + (index % 28))}`
      const bureaus = BUREAU_CHOICES[index % BUREAU_CHOICES.length]
      const consumer = consumerWith({ lastName: `Person ${index}`, dateOfBirth, bureaus, addresses: two })
      return linesOf(consumer, SCENARIOS[index % SCENARIOS.length] ?? 'default')
    })
    const digest = createHash('sha256').update(lines.flat().join('\n')).digest('hex')
    expect(digest).toMatchInlineSnapshot(`"c6d2a64b40e212784817eb13a1f083748963f95368e13957cf00edce925965f1"`)
  })

  test('whether the agencies are asked one by one or together', () => {
    const consumer = consumerWith({ bureaus: ['transunion', 'equifax'] })
    expect(simulateBureaus(consumer, 'default')).toEqual([
      simulateBureau('transunion', consumer, 'default'),
      simulateBureau('equifax', consumer, 'default'),
    ])
  })

  const pad = (number: number) => String(number).padStart(2, '0')

  function linesOf(consumer: GenerateRequest, scenario: Scenario): string[] {
    return simulateBureaus(consumer, scenario).flatMap(describeAnswer)
  }

  function describeAnswer({ bureau, noFile, records, searches, monthsAtAddresses = [] }: BureauAnswer): string[] {
    return [
      `${bureau}: ${noFile ? 'no file' : `months at addresses ${monthsAtAddresses.join(', ')}`}`,
      ...records.map((record) =>
        [
          `${record.ref} ${record.accountStatus} ${record.accountType} ${record.accountNumber}`,
          `${[record.title, record.firstName, record.lastName].filter(Boolean).join(' ')}`,
          `${record.companyName} (${record.companyType}) since ${record.startDate}`,
          `${record.numberOfPayments}/${record.repaymentPeriod} of ${record.payment.amount}`,
          `${record.balance.amount} of ${record.startBalance.amount} ${record.balance.currency}`,
        ].join(', '),
      ),
      ...searches.map((search) => `${search.companyName} ${search.records.map(({ date }) => date).join(', ')}`),
    ]
  }
})

describe('for every person the file makes sense', () => {
  const REFERENCE_DATE = '2026-01-01'
  const dates = ['1930-02-28', '1985-05-17', '2007-12-31', '2008-01-01', '2010-11-15']

  test.each(dates)('born on %s', (dateOfBirth) => {
    const bureauNames = ['equifax', 'experian', 'transunion']
    assert(
      property(subarray(bureauNames, { minLength: 1 }), text({ minLength: 1, maxLength: 20 }), (bureaus, lastName) => {
        const consumer = { ...consumerWith({ dateOfBirth }), bureaus, lastName }
        for (const scenario of SCENARIOS) checkReport(reportOf(scenario, consumer), bureaus)
      }),
      { numRuns: 40 },
    )
  })

  function checkReport(report: CreditReport, bureaus: string[]) {
    expect(CreditReport.safeParse(report).success).toBe(true)
    const { records } = report.consumerData
    for (const record of records) {
      expect(record.accountNumber).toMatch(/^\*{4,}\d{4}$/)
      expect(record.startDate < REFERENCE_DATE).toBe(true)
      expect(record.balance.amount).toBeGreaterThanOrEqual(0)
      expect(record.balance.amount > 0).toBe(record.accountStatus === 'open')
      if (record.startBalance.amount > 0) expect(record.balance.amount).toBeLessThanOrEqual(record.startBalance.amount)
      expect(record.bureaus.map(({ id }) => id)).toEqual(
        bureaus.filter((id) => record.bureaus.some((known) => known.id === id)),
      )
    }
    for (const { records: searches } of report.previousSearches.providers) {
      for (const { date } of searches) expect(new Date(date).toISOString()).toBe(date)
    }
    const identities = records.map(({ companyName, accountNumber }) => `${companyName} ${accountNumber}`)
    expect(new Set(identities).size).toBe(records.length)
  }
})
