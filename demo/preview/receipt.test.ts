import { expect, test } from 'vitest'
import type { WalletLine } from '../../contract/wallet.ts'
import { makeReceipts } from './receipt.ts'

let second = 0
const line = (change: Partial<WalletLine>): WalletLine => ({
  id: String(++second),
  kind: 'hold',
  purpose: 'report',
  credits: -500,
  creditReportId: 'report-1',
  createdAt: new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString(),
  ...change,
})
const hold = (id: string, change: Partial<WalletLine> = {}) => line({ id, ...change })
const settle = (holdId: string, kind: 'capture' | 'release', change: Partial<WalletLine> = {}) =>
  line({ kind, holdId, ...change })
const sms = { purpose: 'text', credits: -40 } as const

test('a report that was delivered and its text are charged', () => {
  const lines = [hold('h1'), hold('h2', sms), settle('h2', 'capture', sms), settle('h1', 'capture')]
  expect(makeReceipts(lines)).toMatchObject([
    {
      creditReportId: 'report-1',
      costCredits: 540,
      heldCredits: 0,
      lines: [
        { purpose: 'report', credits: 500, outcome: 'charged' },
        { purpose: 'text', credits: 40, outcome: 'charged' },
      ],
    },
  ])
})

test('a report that failed is given back; its delivered text is not', () => {
  const lines = [hold('h1'), hold('h2', sms), settle('h2', 'capture', sms), settle('h1', 'release')]
  expect(makeReceipts(lines)[0]).toMatchObject({ costCredits: 40, heldCredits: 0 })
})

test('what is not settled yet is held, not charged', () => {
  expect(makeReceipts([hold('h1')])[0]).toMatchObject({ costCredits: 0, heldCredits: 500 })
})

test('the newest check comes first, in whatever order the lines come', () => {
  const lines = [hold('h1'), hold('h2', { creditReportId: 'report-2' })]
  expect(makeReceipts(lines.toReversed()).map(({ creditReportId }) => creditReportId)).toEqual(['report-2', 'report-1'])
})

test('a top-up belongs to no check', () => {
  expect(makeReceipts([line({ kind: 'top-up', purpose: 'top-up' })])).toEqual([])
})
