// Whether the lender's wallet is known to be too low for another check, so that a consumer is told before the form and not after it.
import type { Wallet } from '../contract/wallet.ts'

/** How long a wallet that was too low is taken to be so before the service is asked again. */
const RECHECK_AFTER_MS = 15_000

export type Funds = {
  /** What the service said with a check that it began: its price, and what is left. */
  note(wallet: { cost: number; balance: number }): void
  /** The service has refused a check for want of credits. */
  noteRefusal(): void
  /** Asks the service only while the wallet was last seen too low: nothing is asked for a lender that can pay. */
  areShort(): Promise<boolean>
}

export function createFunds({ askWallet, clock }: { askWallet: () => Promise<Wallet>; clock: () => number }): Funds {
  let isShort = false
  let seenAtMs = 0

  function see(value: boolean): void {
    isShort = value
    seenAtMs = clock()
  }

  return {
    note({ cost, balance }) {
      if (cost > 0) see(balance < cost)
    },
    noteRefusal: () => see(true),
    async areShort() {
      if (isShort && clock() - seenAtMs >= RECHECK_AFTER_MS) {
        // Of two that ask at once, the second keeps to what is known.
        see(true)
        // Whoever cannot be asked has not said no.
        const wallet = await askWallet().catch(() => null)
        see(wallet !== null && wallet.balanceCredits < wallet.reportPriceCredits)
      }
      return isShort
    },
  }
}
