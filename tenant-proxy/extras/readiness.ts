// Optional for a check. Why none can be begun, as far as is known: said before the form is filled in and not after.
import type { Wallet } from '../../contract/wallet.ts'
import type { Extra } from '../check/extra.ts'
import type { Parts } from '../check/parts.ts'
import { Refusal } from '../check/refusal.ts'

/** How long an obstacle is taken to be there before the service is asked again. */
const RECHECK_AFTER_MS = 15_000

/** What only the lender can fix. */
const OBSTACLES = ['insufficient-funds', 'misconfigured'] as const
type Obstacle = (typeof OBSTACLES)[number]

export function createReadiness({ service, settings: { clock } }: Parts): Extra {
  let obstacle: Obstacle | null = null
  let seenAtMs = 0

  function see(value: Obstacle | null): void {
    obstacle = value
    seenAtMs = clock()
  }

  return {
    heard(began) {
      if ('refused' in began) {
        const refused = obstacleOf(began.refused)
        if (refused) see(refused)
      } else if (!began.test && began.wallet.cost > 0) {
        const { cost, balance } = began.wallet
        see(balance < cost ? 'insufficient-funds' : null)
      }
    },
    /** Asks the service only while there was an obstacle: nothing is asked for a lender that can be served. */
    async admit({ place }, operation) {
      if (operation !== 'current') return
      if (obstacle && clock() - seenAtMs >= RECHECK_AFTER_MS) {
        // Of two that ask at once, the second keeps to what is known.
        see(obstacle)
        see(await service.wallet().then(judge, obstacleOf))
      }
      // In test mode nothing is charged.
      if (obstacle === null || (place.test && obstacle === 'insufficient-funds')) return
      throw new Refusal(obstacle)
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
