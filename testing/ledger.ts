// The effect of each kind of line on a wallet. A balance is the sum of its lines; nothing else ever changes it.
//
//   top-up                 ──▶ balance
//   hold      balance      ──▶ held          a report was asked for, a text was sent
//   capture   held         ──▶ spent         it was delivered
//   release   held         ──▶ balance       it was not
//
// A hold is settled once: by its capture or by its release, for exactly what was held.
import type { LineKind } from '../contract/wallet.ts'

export type Balances = { balanceCredits: number; heldCredits: number; spentCredits: number }

export const EMPTY: Balances = { balanceCredits: 0, heldCredits: 0, spentCredits: 0 }

export function applyLine(wallet: Balances, { kind, credits }: { kind: LineKind; credits: number }): Balances {
  const { balanceCredits, heldCredits, spentCredits } = wallet
  switch (kind) {
    case 'top-up':
      return { ...wallet, balanceCredits: balanceCredits + credits }
    case 'hold':
      return { ...wallet, balanceCredits: balanceCredits - credits, heldCredits: heldCredits + credits }
    case 'capture':
      return { ...wallet, heldCredits: heldCredits - credits, spentCredits: spentCredits + credits }
    case 'release':
      return { ...wallet, balanceCredits: balanceCredits + credits, heldCredits: heldCredits - credits }
  }
}
