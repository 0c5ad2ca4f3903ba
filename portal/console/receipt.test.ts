import { expect, test } from 'vitest'
import type { StoredLine } from '../../service/ledger/ledger.ts'
import { receiptCredits, writeReceipt } from './receipt.ts'

let atMs = 0
function line(kind: StoredLine['kind'], purpose: StoredLine['purpose'], credits: number, id: string): StoredLine {
  atMs += 1
  const settles = kind === 'capture' || kind === 'release'
  return {
    id: settles ? `${kind}_${id}` : id,
    kind,
    purpose,
    credits,
    creditReportId: 'r',
    externalReference: null,
    holdId: settles ? id : null,
    agencies: null,
    createdAtMs: atMs,
    reason: null,
  }
}

/** As the store lists them: newest first. */
const newestFirst = (...lines: StoredLine[]) => lines.toReversed()
const summary = (lines: StoredLine[]) => {
  const receipt = writeReceipt(lines)
  return [
    ...receipt.map(({ item, outcome, chargedCredits }) => `${item}: ${outcome}, ${chargedCredits}`),
    receiptCredits(receipt),
  ]
}

test('a report that was delivered after two texts, one of them lost', () => {
  const lines = newestFirst(
    line('hold', 'report', 500, 'report'),
    line('hold', 'text', 40, 'text1'),
    line('release', 'text', 40, 'text1'),
    line('hold', 'text', 40, 'text2'),
    line('capture', 'report', 500, 'report'),
    line('capture', 'text', 40, 'text2'),
  )
  expect(summary(lines)).toEqual([
    'Credit report: Delivered, 500',
    'Text message 1: Not delivered, given back, 0',
    'Text message 2: Delivered, 40',
    540,
  ])
})

test('a check that failed costs its texts and no report', () => {
  const lines = newestFirst(
    line('hold', 'text', 40, 'text1'),
    line('hold', 'report', 500, 'report'),
    line('capture', 'text', 40, 'text1'),
    line('release', 'report', 500, 'report'),
  )
  expect(summary(lines)).toEqual(['Credit report: Not delivered, given back, 0', 'Text message 1: Delivered, 40', 40])
})

test('one in progress has cost nothing yet', () => {
  expect(summary(newestFirst(line('hold', 'report', 500, 'report')))).toEqual([
    'Credit report: In progress, held, 0',
    0,
  ])
})
