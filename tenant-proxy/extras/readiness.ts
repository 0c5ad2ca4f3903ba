// Why no check can be begun, as far as is known: a consumer hears so before the form and not after it.
import type { Wallet } from '../../contract/wallet.ts'
import { Refusal } from '../check/refusal.ts'

/** How long an obstacle is taken to be there before the service is asked again. */
const RECHECK_AFTER_MS = 15_000

/** What only the lender can fix. */
const OBSTACLES = ['insufficient-funds', 'misconfigured'] as const
type Obstacle = (typeof OBSTACLES)[number]

export type Readiness = {
  /** What the service said with a check that it began: its price, and what is left. */
  noteWallet(wallet: { cost: number; balance: number }): void
  /** A check was refused. */
  noteRefusal(error: unknown): void
  /** Asks the service only while there was an obstacle: nothing is asked for a lender that can be served. */
  findObstacle(): Promise<Obstacle | null>
}

type ReadinessOptions = { askWallet: () => Promise<Wallet>; clock: () => number }

export function createReadiness({ askWallet, clock }: ReadinessOptions): Readiness {
  let obstacle: Obstacle | null = null
  let seenAtMs = 0

  function see(value: Obstacle | null): void {
    obstacle = value
    seenAtMs = clock()
  }

  return {
    noteWallet({ cost, balance }) {
      if (cost > 0) see(balance < cost ? 'insufficient-funds' : null)
    },
    noteRefusal(error) {
      const refused = obstacleOf(error)
      if (refused) see(refused)
    },
    async findObstacle() {
      if (obstacle && clock() - seenAtMs >= RECHECK_AFTER_MS) {
        // Of two that ask at once, the second keeps to what is known.
        see(obstacle)
        see(await askWallet().then(judge, obstacleOf))
      }
      return obstacle
    },
  }
}

function judge({ balanceCredits, reportPriceCredits }: Wallet): Obstacle | null {
  return balanceCredits < reportPriceCredits ? 'insufficient-funds' : null
}

/** A failed wallet call is not an obstacle. */
function obstacleOf(error: unknown): Obstacle | null {
  return (error instanceof Refusal && OBSTACLES.find((code) => code === error.code)) || null
}
