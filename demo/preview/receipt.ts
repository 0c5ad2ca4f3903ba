import type { WalletLine } from '../../contract/wallet.ts'

/** The cost of one check, and the reason for each part. */
export type Receipt = {
  creditReportId: string
  startedAt: string
  lines: ReceiptLine[]
  costCredits: number
  /** Still reserved for something in progress. */
  heldCredits: number
}

type ReceiptLine = {
  purpose: 'report' | 'match' | 'text'
  credits: number
  outcome: 'charged' | 'given back' | 'held'
}

/** The ledger, check by check, newest first. A hold is what its settling line made of it. */
export function makeReceipts(lines: readonly WalletLine[]): Receipt[] {
  const oldestFirst = lines.toSorted((one, other) => one.createdAt.localeCompare(other.createdAt))
  const settled = new Map(
    oldestFirst.flatMap(({ holdId, kind }) => (holdId === undefined ? [] : [[holdId, kind] as const])),
  )
  const receipts = new Map<string, Receipt>()
  for (const { id, kind, purpose, credits, creditReportId, createdAt } of oldestFirst) {
    if (creditReportId === undefined) continue
    // The share of the agencies that did not answer.
    const givenBack = kind === 'top-up' ? receipts.get(creditReportId) : undefined
    if (givenBack) givenBack.costCredits -= credits
    if (kind !== 'hold' || purpose === 'top-up') continue
    const receipt = receipts.get(creditReportId) ?? {
      creditReportId,
      startedAt: createdAt,
      lines: [],
      costCredits: 0,
      heldCredits: 0,
    }
    const outcome = outcomeOf(settled.get(id))
    receipt.lines.push({ purpose, credits: Math.abs(credits), outcome })
    if (outcome === 'charged') receipt.costCredits += Math.abs(credits)
    if (outcome === 'held') receipt.heldCredits += Math.abs(credits)
    receipts.set(creditReportId, receipt)
  }
  return [...receipts.values()].reverse()
}

function outcomeOf(settledBy: WalletLine['kind'] | undefined): ReceiptLine['outcome'] {
  if (settledBy === 'capture') return 'charged'
  return settledBy === 'release' ? 'given back' : 'held'
}
