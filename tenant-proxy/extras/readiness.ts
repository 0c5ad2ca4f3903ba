// Optional for a check. Why none can be begun, as far as is known: said before the form is filled in and not after.
import type { Extra } from '../check/extra.ts'
import type { Parts } from '../check/parts.ts'
import { Refusal } from '../check/refusal.ts'
import { createAccountToken, examineAccount } from './account.ts'
import { type Diagnosis, writeDiagnosis } from './diagnosis.ts'

/** Time for which the service's answer holds. */
const HOLDS_MS = 15_000
/** A page does not wait longer for the first answer of the service. */
const PATIENCE_MS = 3_000

/** Faults that only the lender can fix. A service that is away is none: it may be back when the form is filled in. */
const OBSTACLES = ['insufficient-funds', 'misconfigured'] as const
type Obstacle = (typeof OBSTACLES)[number]

export type Readiness = Extra & {
  /**
   * Finds out for the first time what keeps checks from beginning, and tells it. `examine` is the doctor, where it
   * comes by itself.
   */
  begin(examine: (() => Promise<Diagnosis[]>) | null): void
  /** The doctor's findings count here too. */
  learn(found: readonly Diagnosis[]): void
  /** The fault that keeps every check from beginning, as the service says now; an answer holds for 15 seconds. */
  faults(): Promise<Diagnosis[]>
}

export function createReadiness({ settings, emit }: Pick<Parts, 'settings' | 'emit'>): Readiness {
  const { clock } = settings
  const accessToken = createAccountToken(settings)
  let obstacle: Obstacle | null = null
  /** No obstacle, as it may be back when the form is filled in; reported where it harms no consumer. */
  let isAway = false
  let seenAtMs = 0
  let looking: { atMs: number; found: Promise<Diagnosis[]> } | null = null
  let first: Promise<unknown> | null = null
  let reported: readonly string[] = []

  function see(value: Obstacle | null): void {
    obstacle = value
    seenAtMs = clock()
  }

  function learn(found: readonly Diagnosis[]): void {
    isAway = found.some(({ stops }) => stops === 'unavailable')
    see(OBSTACLES.find((each) => found.some(({ stops }) => stops === each)) ?? null)
  }

  function look(): Promise<Diagnosis[]> {
    if (looking === null || clock() - looking.atMs >= HOLDS_MS) {
      looking = { atMs: clock(), found: lookNow() }
    }
    return looking.found
  }

  async function lookNow(): Promise<Diagnosis[]> {
    const { found, token } = await examineAccount(accessToken, settings)
    const stopping = take(found)
    // A secret that was replaced, or a tenant that was changed, shows with the next token.
    if (token !== null && stopping.length > 0) accessToken.forget(token)
    return stopping
  }

  function take(found: readonly Diagnosis[]): Diagnosis[] {
    const stopping = found.filter(({ stops }) => stops !== undefined)
    learn(found)
    tell(stopping)
    return stopping
  }

  /** Each when it appears, and again when it has been away. */
  function tell(stopping: readonly Diagnosis[]): void {
    const words = stopping.map(writeDiagnosis)
    stopping.forEach(({ stops }, index) => {
      const problem = words[index] ?? ''
      // On stderr the doctor says it.
      if (reported.includes(problem) || (settings.doctor && settings.onEvent === undefined)) return
      if (stops === 'unavailable') emit({ type: stops, operation: 'current', reason: 'unreachable' })
      else if (stops === 'insufficient-funds') emit({ type: stops, operation: 'current' })
      else emit({ type: 'misconfigured', problem })
    })
    reported = words
  }

  return {
    learn,
    faults: look,
    begin(examine) {
      if (!settings.looksAhead || looking !== null) return
      if (examine) looking = { atMs: clock(), found: examine().then(take) }
      first = inTime(look())
    },
    async drain() {
      await looking?.found
    },
    heard(began) {
      isAway = 'refused' in began && began.refused instanceof Refusal && began.refused.code === 'unavailable'
      if ('refused' in began) {
        const refused = obstacleOf(began.refused)
        if (refused) see(refused)
      } else if (!began.test && began.wallet.cost > 0) {
        const { cost, balance } = began.wallet
        see(balance < cost ? 'insufficient-funds' : null)
      }
    },
    /** Asks again only while there is an obstacle: a lender that can be served is asked about once. */
    async admit({ place }, operation) {
      if (operation === 'steps' && isAway) await look()
      if (operation === 'steps' && isAway) throw new Refusal('unavailable')
      if (operation !== 'current') return
      await first
      if (obstacle && clock() - seenAtMs >= HOLDS_MS) {
        // Of two that ask at once, the second keeps to what is known.
        see(obstacle)
        looking = null
        await look()
      }
      // In test mode nothing is charged.
      if (obstacle === null || (place.test && obstacle === 'insufficient-funds')) return
      throw new Refusal(obstacle)
    },
  }
}

function inTime(found: Promise<unknown>): Promise<unknown> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, PATIENCE_MS)
    found.then(() => {
      clearTimeout(timer)
      resolve(null)
    })
  })
}

function obstacleOf(error: unknown): Obstacle | null {
  return (error instanceof Refusal && OBSTACLES.find((code) => code === error.code)) || null
}
