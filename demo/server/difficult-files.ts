// Credit files that are no pleasure to show: put in place of the synthetic report on its way from service to proxy.
import type { AccountRecord, Agency, CreditReport } from '../../contract/credit-report.ts'

/** A report about another person. */
type Change = (report: CreditReport) => object

/** The answer about a complete check. */
type Described = { creditReport: CreditReport; agencies: Agency[] }

const LATE_STATUSES = [
  '3 payments late',
  'in arrears',
  'default',
  'arrangement to pay',
  'debt passed to another company',
  'repossession',
  'default satisfied',
]
const TYPES = ['hire-purchase', 'credit-card', 'mortgage', 'personal-loan', 'mobile-phone', 'current-account']
const MANY = 300
const FOREVER = 'Featherstonehaugh & Cholmondeley Consolidated Motor and General Finance (Nominees) '.repeat(3)

export const DIFFICULT_FILES = {
  arrears: (report) =>
    withRecords(report, LATE_STATUSES.length, (index) => ({
      accountStatus: LATE_STATUSES[index] ?? '',
      companyName: `Lender ${index + 1}`,
    })),
  hundreds: (report) =>
    withRecords(report, MANY, (index) => ({
      accountType: TYPES[index % TYPES.length] ?? '',
      accountStatus: index % 3 === 2 ? 'settled' : 'open',
      companyName: `Lender ${index + 1}`,
      balance: { amount: index % 3 === 2 ? 0 : 10_000 + ((index * 791_900) % 1_100_000), currency: 'GBP' },
      startDate: `${2008 + (index % 18)}-${String(1 + (index % 12)).padStart(2, '0')}-11`,
    })),
  gaps: (report) => ({
    person: null,
    previousSearches: { providers: [{ companyName: null, records: [{ date: 'yesterday' }] }] },
    consumerData: {
      records: [
        { accountNumber: '****0001' },
        { accountNumber: '****0002', companyName: FOREVER, balance: null, bureaus: null },
        { accountNumber: '', companyName: '<b>Bold & Sons</b>', accountStatus: 'DF', startDate: '2031-02-30' },
        { ...firstOf(report), accountType: 'ÿ-unheard-of', balance: { amount: -999_999_999_999, currency: '??' } },
      ],
    },
  }),
} satisfies { [name: string]: Change }

/** The same answer with its report changed, where it has one. */
export async function changeReport(response: Response, change: (data: Described) => void): Promise<Response> {
  const text = await response.text()
  const { status } = response
  const headers = new Headers(response.headers)
  for (const name of ['Content-Length', 'Content-Encoding']) headers.delete(name)
  if (!text.includes('"creditReport":')) return new Response(text, { status, headers })
  const body = JSON.parse(text)
  change(body.data)
  return new Response(JSON.stringify(body), { status, headers })
}

function withRecords(report: CreditReport, length: number, change: (index: number) => Partial<AccountRecord>) {
  const records = Array.from({ length }, (_, index) => ({
    ...firstOf(report),
    accountNumber: `****${1_000 + index}`,
    ...change(index),
  }))
  return { ...report, consumerData: { records } }
}

function firstOf({ consumerData }: CreditReport): AccountRecord | undefined {
  return consumerData.records[0]
}
