import type { Journey } from '../journeys/journey.ts'
import { journeys } from '../journeys/journeys.ts'
import { stageOf } from '../stages.ts'
import type { RunResult } from './run-journey.ts'

export type Tile =
  | { status: 'waiting' }
  | { status: 'running'; label: string }
  /** `isShown` while the widget that ran is still there to look at. */
  | { status: 'done'; label: string; result: RunResult; isShown: boolean }

const AT_ONCE = 4

/** Which waiting journeys may start now. The slowest go first, so that the whole takes no longer than it must. */
export function chooseNext(tiles: { [journeyId: string]: Tile }): Journey[] {
  const running = journeys.filter(({ id }) => tiles[id]?.status === 'running')
  const chosen: Journey[] = []
  for (const journey of inOrder) {
    const active = [...running, ...chosen]
    if (active.length >= AT_ONCE) break
    if (tiles[journey.id]?.status !== 'waiting') continue
    const isBlocked = stageOf(journey.stage).isExclusive && active.some(({ stage }) => stage === journey.stage)
    if (!isBlocked) chosen.push(journey)
  }
  return chosen
}

/** On these the widget tries more than once, or a person waits. */
const SLOW_STAGES = ['cut', 'malformed', 'service-down']

const inOrder = journeys.toSorted((one, other) => patience(other) - patience(one))

function patience({ stage }: Journey): number {
  if (stage === 'slow') return 2
  return stageOf(stage).isExclusive || SLOW_STAGES.includes(stage) ? 1 : 0
}
