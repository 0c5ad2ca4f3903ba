// Reports to look at and to test with. Every name is invented.
import type { AccountRecord, CreditReport, Residency } from '../contract/credit-report.ts'
import { type Account, readAccounts } from '../widget/report/accounts.ts'
import { readRecord } from '../widget/report/read-report.ts'

/** The day the samples are drawn up. */
export const SAMPLE_PREPARED_AT_MS = Date.UTC(2026, 10, 15, 9, 30)

const pounds = (amount: number) => ({ amount: Math.round(amount * 100), currency: 'GBP' })

export function sampleAccount(changes: Partial<AccountRecord> = {}): AccountRecord {
  return {
    title: 'Ms',
    firstName: 'Rowan',
    lastName: 'Ellery',
    accountNumber: '****5678',
    accountType: 'hire-purchase',
    accountStatus: 'open',
    companyType: 'finance-house',
    companyName: 'Larkfield Motor Finance',
    numberOfPayments: 48,
    repaymentPeriod: 48,
    payment: pounds(249.5),
    startBalance: pounds(11_976),
    balance: pounds(6_487),
    startDate: '2024-03-04',
    bureaus: [
      { id: 'equifax', ref: 'EQ-7F3K-2291' },
      { id: 'transunion', ref: 'TU-88120-LM' },
    ],
    ...changes,
  }
}

/** Accounts of which only so much is reported. */
export function accountsOf(records: readonly Partial<AccountRecord>[]): Account[] {
  return readAccounts(records.map((record) => readRecord(record)))
}

const card = sampleAccount({
  accountNumber: '************4417',
  accountType: 'credit-card',
  companyType: 'bank',
  companyName: 'Brackenbury Bank',
  numberOfPayments: 0,
  repaymentPeriod: 0,
  payment: pounds(32.5),
  startBalance: pounds(0),
  balance: pounds(1_299.99),
  startDate: '2019-09-21',
  bureaus: [
    { id: 'equifax', ref: 'EQ-7F3K-2292' },
    { id: 'experian', ref: 'EXP00417733' },
    { id: 'transunion', ref: 'TU-88121-LM' },
  ],
})

const mortgage = sampleAccount({
  accountNumber: '******9031',
  accountType: 'mortgage',
  companyType: 'building-society',
  companyName: 'Oakhollow Building Society',
  numberOfPayments: 300,
  repaymentPeriod: 300,
  payment: pounds(1_012.4),
  startBalance: pounds(212_000),
  balance: pounds(184_500),
  startDate: '2020-06-15',
  bureaus: [{ id: 'experian', ref: 'EXP00417790' }],
})

const secondCar = sampleAccount({
  accountNumber: '****2204',
  companyName: 'Harrow & Pell Motor Credit',
  payment: pounds(189),
  startBalance: pounds(6_804),
  balance: pounds(567),
  startDate: '2023-11-28',
  bureaus: [{ id: 'equifax', ref: 'EQ-7F3K-2293' }],
})

/** As the three agencies tell it: one leaves an account out, one has older balances. */
const four = [
  sampleAccount({
    companyName: 'Larkfield Motor Finance',
    accountNumber: '****8153',
    payment: pounds(232.29),
    startBalance: pounds(11_149.92),
    balance: pounds(8_827.02),
    startDate: '2025-01-09',
    bureaus: [
      { id: 'equifax', ref: 'EQU-8153000001' },
      { id: 'experian', ref: 'EXP-8153000002', differs: { balance: pounds(9_059.31) } },
      { id: 'transunion', ref: 'TRA-8153000003' },
    ],
  }),
  sampleAccount({
    ...card,
    companyName: 'Brackenbury Bank',
    accountNumber: '************5934',
    payment: pounds(117.84),
    balance: pounds(4_831.44),
    startDate: '2023-02-17',
    bureaus: [{ id: 'experian', ref: 'EXP-5934000001' }],
  }),
  sampleAccount({
    ...mortgage,
    companyName: 'Pennistone Home Loans',
    accountNumber: '******1088',
    payment: pounds(1_645.02),
    startBalance: pounds(311_688),
    balance: pounds(269_696.7),
    startDate: '2017-12-25',
    bureaus: [
      { id: 'equifax', ref: 'EQU-1088000001' },
      { id: 'transunion', ref: 'TRA-1088000002' },
    ],
  }),
  sampleAccount({
    companyName: 'Tidewell Vehicle Finance',
    accountNumber: '****2232',
    payment: pounds(171.28),
    startBalance: pounds(8_221.44),
    balance: pounds(4_453.28),
    startDate: '2024-01-20',
    bureaus: [
      { id: 'equifax', ref: 'EQU-2232000001' },
      { id: 'experian', ref: 'EXP-2232000002', differs: { balance: pounds(4_624.56) } },
      { id: 'transunion', ref: 'TRA-2232000003' },
    ],
  }),
]

const trouble = [
  ...four,
  sampleAccount({
    companyName: 'Fennimore Card Services',
    accountType: 'credit-card',
    numberOfPayments: 0,
    accountStatus: 'default',
    balance: pounds(1_204.5),
    accountNumber: '****6620',
  }),
  sampleAccount({
    companyName: 'Wexcombe Loans',
    accountType: 'personal-loan',
    accountStatus: '3',
    balance: pounds(2_950),
    accountNumber: '****4471',
  }),
  sampleAccount({
    companyName: 'Silverbeck Bank',
    accountType: 'current-account',
    accountStatus: 'XQ',
    balance: pounds(310),
    accountNumber: '****9902',
  }),
]

const settledCar = sampleAccount({
  accountNumber: '****1190',
  accountStatus: 'settled',
  companyName: 'Tidewell Vehicle Finance',
  balance: pounds(0),
  startDate: '2018-02-09',
  bureaus: [{ id: 'experian', ref: 'EXP00409812' }],
})

const settledCard = sampleAccount({
  ...card,
  accountStatus: 'settled',
  balance: pounds(0),
  companyName: 'Ottercombe Cards',
  startDate: '2016-05-30',
})

const residencies: Residency[] = [
  {
    addressId: 'address-1',
    address: {
      type: 'uk',
      ukAddress: {
        subBuildingName: 'Flat 2',
        buildingNumber: '10',
        thoroughfare: 'Mill Lane',
        townOrCity: 'Leeds',
        postcode: 'LS1 4AP',
      },
      addressLine1: 'Flat 2, 10 Mill Lane, Leeds, LS1 4AP',
      lines: ['Flat 2', '10 Mill Lane', 'Leeds', 'LS1 4AP'],
    },
    yearsAtAddress: 2,
    monthsAtAddress: 4,
    isCurrent: true,
  },
  {
    addressId: 'address-2',
    address: {
      type: 'uk',
      ukAddress: {
        buildingName: 'Rose Cottage',
        thoroughfare: 'Church Street',
        townOrCity: 'Ilkley',
        postcode: 'LS29 9DS',
      },
      addressLine1: 'Rose Cottage, Church Street, Ilkley, LS29 9DS',
      lines: ['Rose Cottage', 'Church Street', 'Ilkley', 'LS29 9DS'],
    },
    yearsAtAddress: 5,
    monthsAtAddress: 0,
    isCurrent: false,
  },
]

const providers = [
  { companyName: 'Larkfield Motor Finance', records: [{ date: '2024-02-27T10:12:00.000Z' }] },
  {
    companyName: 'Merrowdown Car Finance',
    records: [
      { date: '2026-10-02T08:00:00.000Z' },
      { date: '2026-10-19T16:40:00.000Z' },
      { date: '2025-05-11T11:05:00.000Z' },
    ],
  },
  { companyName: 'Silverbeck Bank', records: [{ date: '2026-03-04T23:30:00.000Z' }] },
]

export function sampleReport(records: AccountRecord[], searches = providers): CreditReport {
  return {
    person: { title: 'Ms', firstName: 'Rowan', lastName: 'Ellery', dateOfBirth: '1988-03-27' },
    residencies,
    consumerData: { records },
    previousSearches: { providers: searches },
  }
}

const XSS = '<img src=x onerror="window.hacked=1">'

/** One of each kind of trouble a bureau can send. */
const odd = sampleReport(
  [
    sampleAccount({
      companyName: XSS,
      accountType: `</script>${XSS}`,
      accountStatus: '"><svg onload=alert(1)>',
      bureaus: [{ id: XSS, ref: XSS }],
    }),
    sampleAccount({ companyName: 'שלום אשראי', accountStatus: 'in-arrears', balance: pounds(-12) }),
    sampleAccount({
      companyName: 'Acme Loans Ltd',
      accountType: 'DEBT_CONSOLIDATION',
      accountNumber: '****7777',
      startDate: '2021-02-31',
    }),
    sampleAccount({
      companyName: 'ACME LOANS',
      accountType: 'constructor',
      accountNumber: '*****7777',
      accountStatus: '8',
      startDate: '',
    }),
    sampleAccount({
      companyName: 'A'.repeat(120),
      accountStatus: 'settled',
      balance: pounds(43.21),
      accountNumber: '',
    }),
    sampleAccount({
      companyName: '',
      accountType: '',
      accountStatus: '',
      balance: { amount: 5000, currency: 'JPY' },
      bureaus: [],
    }),
    sampleAccount({ companyName: 'Not a currency', balance: { amount: -999_999_999_999, currency: '??' } }),
  ],
  [
    { companyName: XSS, records: [{ date: 'yesterday' }] },
    { companyName: 'Never searched', records: [] },
  ],
)

const TYPES = ['hire-purchase', 'credit-card', 'mortgage', 'personal-loan', 'mobile-phone', 'current-account']
const LENDERS = ['Larkfield', 'Brackenbury', 'Oakhollow', 'Tidewell', 'Fennimore', 'Silverbeck', 'Wexcombe']

/** A report of any length, the same every time. */
export function longReport(length: number): CreditReport {
  const at = <Item>(items: readonly Item[], index: number) => items[index % items.length] ?? items[0]
  const records = Array.from({ length }, (_, index) =>
    sampleAccount({
      companyName: `${at(LENDERS, index)} Finance ${index + 1}`,
      accountType: at(TYPES, index) ?? '',
      accountStatus: index % 3 === 2 ? 'settled' : 'open',
      accountNumber: `****${String(1000 + index)}`,
      balance: pounds(index % 3 === 2 ? 0 : 100 + ((index * 7919) % 11_000)),
      startDate: `${2008 + (index % 18)}-${String(1 + (index % 12)).padStart(2, '0')}-${String(1 + (index % 28)).padStart(2, '0')}`,
      bureaus: [
        { id: 'equifax', ref: `EQ-${index}` },
        { id: 'experian', ref: `EXP-${index}` },
      ],
    }),
  )
  const searches = Array.from({ length: Math.ceil(length / 5) }, (_, index) => ({
    companyName: `${at(LENDERS, index)} Searches ${index + 1}`,
    records: [
      { date: `2026-0${1 + (index % 9)}-10T09:00:00.000Z` },
      { date: `2025-0${1 + (index % 9)}-20T09:00:00.000Z` },
    ],
  }))
  return sampleReport(records, searches)
}

export const samples: { [name: string]: () => CreditReport } = {
  default: () => sampleReport([sampleAccount(), card, mortgage, secondCar, settledCar]),
  four: () =>
    sampleReport(
      four,
      providers.map((provider) => ({
        ...provider,
        records: provider.records.map(({ date }) => ({ date: date.replace('2026', '2025') })),
      })),
    ),
  trouble: () => sampleReport([...trouble, settledCar, settledCard]),
  single: () => sampleReport([sampleAccount()]),
  settled: () => sampleReport([settledCar, settledCard], []),
  empty: () => sampleReport([], []),
  odd: () => odd,
  'long-15': () => longReport(15),
  'long-40': () => longReport(40),
  'long-500': () => longReport(500),
}
