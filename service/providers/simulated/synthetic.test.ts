import { assert, property, subarray, string as text } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CreditReport } from '../../../contract/credit-report.ts'
import { GenerateRequest } from '../../../contract/generate.ts'
import { SCENARIOS, type Scenario } from '../../../contract/tenant-proxy.ts'
import { mergeReport } from '../../reports/merge.ts'
import { scenarioOf, simulateBureau } from './synthetic.ts'

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
