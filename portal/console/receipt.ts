import type { StoredLine } from '../../service/ledger/ledger.ts'

/** One thing a check cost, or did not. */
export type Receipt = { atMs: number; item: string; outcome: string; chargedCredits: number }

const ITEMS = { 'top-up': 'Top-up', report: 'Credit report', match: 'Match of person and number' } as const

/** The settlement of each hold of one check: the report first, then each text in the order they were sent. */
export function writeReceipt(lines: readonly StoredLine[]): Receipt[] {
  const oldestFirst = lines.toReversed()
  const settled = new Map(oldestFirst.flatMap((line) => (line.holdId === null ? [] : [[line.holdId, line] as const])))
  const givenBack = lines.reduce((sum, { kind, credits }) => sum + (kind === 'top-up' ? credits : 0), 0)
  let texts = 0
  return oldestFirst
    .filter(({ kind }) => kind === 'hold')
    .sort((one, other) => Number(one.purpose !== 'report') - Number(other.purpose !== 'report'))
    .map(({ id, purpose, credits, createdAtMs }) => {
      const { kind: end, agencies } = settled.get(id) ?? {}
      const isPartial = agencies && agencies.delivered < agencies.asked
      const delivered = isPartial ? `Delivered by ${agencies.delivered} of ${agencies.asked} agencies` : 'Delivered'
      if (purpose === 'text') texts += 1
      return {
        atMs: createdAtMs,
        item: purpose === 'text' ? `Text message ${texts}` : ITEMS[purpose],
        outcome: end === 'capture' ? delivered : end === 'release' ? 'Not delivered, given back' : 'In progress, held',
        chargedCredits: end === 'capture' ? credits - (isPartial ? givenBack : 0) : 0,
      }
    })
}

export function receiptCredits(receipt: readonly Receipt[]): number {
  return receipt.reduce((sum, { chargedCredits }) => sum + chargedCredits, 0)
}
