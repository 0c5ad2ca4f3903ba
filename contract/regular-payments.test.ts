import { expect, test } from 'vitest'
import type { Money } from './money.ts'
import { addRegularPayments } from './regular-payments.ts'

const pounds = (amount: number): Money => ({ amount, currency: 'GBP' })
const open = (payment: Money | null) => ({ accountStatus: 'open', accountType: 'loan', payment })

const rows: [name: string, records: Parameters<typeof addRegularPayments>[0], expected: Money[]][] = [
  ['nothing on file is nothing to pay', [], []],
  ['open accounts are added up', [open(pounds(100)), open(pounds(50))], [pounds(150)]],
  ['a mortgage counts too', [{ ...open(pounds(900)), accountType: 'mortgage' }, open(pounds(1))], [pounds(901)]],
  ['late payments are still to be paid', [{ ...open(pounds(7)), accountStatus: 'in arrears' }], [pounds(7)]],
  [
    'what is settled, ended or unclear asks for nothing',
    ['settled', 'default', 'XX', null].map((accountStatus) => ({ ...open(pounds(9)), accountStatus })),
    [],
  ],
  ['a payment that is missing, nothing or negative is none', [open(null), open(pounds(0)), open(pounds(-5))], []],
  [
    'currencies are never added together, and the largest comes first',
    [open(pounds(1)), open({ amount: 3, currency: 'EUR' }), open(pounds(1))],
    [{ amount: 3, currency: 'EUR' }, pounds(2)],
  ],
]

test.each(rows)('%s', (_name, records, expected) => {
  expect(addRegularPayments(records)).toEqual(expected)
})
