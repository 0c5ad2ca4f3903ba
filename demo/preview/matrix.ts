// "Run all": every journey in a live tile, a few at a time.
import { computed, signal } from '@preact/signals'
import type { Journey } from '../journeys/journey.ts'
import { journeys } from '../journeys/journeys.ts'
import { stageOf } from '../stages.ts'
import type { RunResult } from './run-journey.ts'
import { newLabel } from './state.ts'

const AT_ONCE = 4

export type Tile =
  | { status: 'waiting' }
  | { status: 'running'; label: string }
  | { status: 'done'; label: string; result: RunResult }

export const tiles = signal<{ [journeyId: string]: Tile }>({})
export const startedAtMs = signal<number | null>(null)
export const tookMs = signal<number | null>(null)

export const summary = computed(() => {
  const results = Object.values(tiles.value).flatMap((tile) => (tile.status === 'done' ? [tile.result] : []))
  return {
    total: journeys.length,
    done: results.length,
    passed: results.filter(({ passed }) => passed).length,
    costCredits: results.reduce((sum, { costCredits }) => sum + costCredits, 0),
  }
})

/** Starts over with every journey, or with one. */
export function runAll(chosen: readonly Journey[] = journeys): void {
  if (chosen.length === journeys.length) {
    startedAtMs.value = Date.now()
    tookMs.value = null
  }
  tiles.value = { ...tiles.value, ...Object.fromEntries(chosen.map(({ id }) => [id, { status: 'waiting' }])) }
  startMore()
}

/** A tile's run has ended. A run that was started over meanwhile is not listened to. */
export function finish(journeyId: string, label: string, result: RunResult): void {
  const tile = tiles.value[journeyId]
  if (tile?.status !== 'running' || tile.label !== label) return
  tiles.value = { ...tiles.value, [journeyId]: { status: 'done', label, result } }
  startMore()
  const isOver = Object.values(tiles.value).every(({ status }) => status === 'done')
  if (isOver && startedAtMs.value !== null && tookMs.value === null) tookMs.value = Date.now() - startedAtMs.value
}

function startMore(): void {
  const next = chooseNext(tiles.value)
  if (next.length === 0) return
  const started = next.map(({ id }) => [id, { status: 'running', label: newLabel() }])
  tiles.value = { ...tiles.value, ...Object.fromEntries(started) }
}

/** Which waiting journeys may start now. The slowest go first, so that the whole takes no longer than it must. */
export function chooseNext(now: { [journeyId: string]: Tile }): Journey[] {
  const running = journeys.filter(({ id }) => now[id]?.status === 'running')
  const chosen: Journey[] = []
  for (const journey of inOrder) {
    const active = [...running, ...chosen]
    if (active.length >= AT_ONCE) break
    if (now[journey.id]?.status !== 'waiting') continue
    const isBlocked = stageOf(journey.stage).isExclusive && active.some(({ stage }) => stage === journey.stage)
    if (!isBlocked) chosen.push(journey)
  }
  return chosen
}

const inOrder = journeys.toSorted((one, other) => patience(other) - patience(one))

function patience({ stage }: Journey): number {
  if (stage === 'slow') return 2
  return stageOf(stage).isExclusive || ['cut', 'malformed', 'service-down', 'wrong-secret'].includes(stage) ? 1 : 0
}
