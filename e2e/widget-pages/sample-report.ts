// Reports in the shape of the contract, one per scenario.

const money = (amount: number) => ({ amount, currency: 'GBP' })

const kinds = {
  hp: {
    accountType: 'hire-purchase',
    companyName: 'Meridian Motor Finance',
    companyType: 'finance-house',
    start: 1_850_000,
    balance: 964_000,
  },
  card: { accountType: 'credit-card', companyName: 'Harbour Bank', companyType: 'bank', start: 0, balance: 42_317 },
  mortgage: {
    accountType: 'mortgage',
    companyName: 'Northern Building Society',
    companyType: 'building-society',
    start: 21_000_000,
    balance: 18_450_000,
  },
}

const scenarios: { [name: string]: (keyof typeof kinds)[] } = {
  test001: [],
  test002: ['hp'],
  test003: ['hp', 'card', 'mortgage'],
  test004: ['hp', 'card'],
  default: ['hp', 'hp', 'card', 'mortgage'],
}

export function sampleReport(scenario: string) {
  const isSettled = scenario === 'test004'
  const records = (scenarios[scenario] ?? scenarios.default ?? []).map((kind, index) => {
    const { start, balance, ...company } = kinds[kind]
    return {
      title: 'Ms',
      firstName: 'Sam',
      lastName: 'Patel',
      accountNumber: `****${4021 + index * 37}`,
      ...company,
      accountStatus: isSettled ? 'settled' : 'open',
      numberOfPayments: 48,
      repaymentPeriod: 48,
      payment: money(32_500),
      startBalance: money(start),
      balance: money(isSettled ? 0 : balance),
      startDate: `20${19 + index}-0${index + 3}-14`,
      bureaus: [
        { id: 'equifax', ref: `EQ-${1000 + index}` },
        { id: 'experian', ref: `EX-${2000 + index}` },
      ],
    }
  })
  const ukAddress = { buildingNumber: '10', thoroughfare: 'High Street', townOrCity: 'Leeds', postcode: 'LS1 4AP' }
  return {
    person: { title: 'Ms', firstName: 'Sam', lastName: 'Patel', dateOfBirth: '1985-03-27' },
    residencies: [
      {
        addressId: 'a1',
        address: {
          type: 'uk',
          ukAddress,
          addressLine1: '10 High Street, Leeds, LS1 4AP',
          lines: ['10 High Street', 'Leeds', 'LS1 4AP'],
        },
        yearsAtAddress: 4,
        monthsAtAddress: 2,
        isCurrent: true,
      },
    ],
    consumerData: { records },
    previousSearches: {
      providers:
        records.length > 0
          ? [{ companyName: 'Meridian Motor Finance', records: [{ date: '2026-03-04T10:00:00Z' }] }]
          : [],
    },
  }
}
