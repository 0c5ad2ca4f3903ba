// "Run all": every journey in a live tile, a few at a time.
import { computed, signal } from '@preact/signals'
import type { Journey } from '../journeys/journey.ts'
import { journeys } from '../journeys/journeys.ts'
import { chooseNext, type Tile } from './choose-next.ts'
import type { RunResult } from './run-journey.ts'
import { newLabel } from './state.ts'

export const tiles = signal<{ [journeyId: string]: Tile }>({})
const startedAtMs = signal<number | null>(null)
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
  tiles.value = { ...tiles.value, [journeyId]: { status: 'done', label, result, isShown: true } }
  startMore()
  const isOver = Object.values(tiles.value).every(({ status }) => status === 'done')
  if (isOver && startedAtMs.value !== null && tookMs.value === null) tookMs.value = Date.now() - startedAtMs.value
}

/** The tiles leave the page, and their widgets with them. Results stay; what was not finished has not begun. */
export function putAway(): void {
  const done = Object.entries(tiles.value).flatMap(([id, tile]) =>
    tile.status === 'done' ? [[id, { ...tile, isShown: false }] as const] : [],
  )
  tiles.value = Object.fromEntries(done)
}

function startMore(): void {
  const next = chooseNext(tiles.value)
  if (next.length === 0) return
  const started = next.map(({ id }) => [id, { status: 'running', label: newLabel() }])
  tiles.value = { ...tiles.value, ...Object.fromEntries(started) }
}
