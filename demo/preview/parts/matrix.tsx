// "Run all": every journey in a live tile, a few at a time.
import { computed, signal } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { showCredits } from '../../../contract/money.ts'
import { GROUPS, type Journey, type JourneyGroup } from '../../journeys/journey.ts'
import { journeys } from '../../journeys/journeys.ts'
import { stageOf } from '../../stages.ts'
import { chooseNext, type Tile } from '../choose-next.ts'
import { hostAddress, hostOf, knobsOf } from '../frame.ts'
import { type RunResult, runJourney } from '../run-journey.ts'
import { defaults, type Settings } from '../settings.ts'
import { change, newLabel, restart, settings } from '../state.ts'

const tiles = signal<{ [journeyId: string]: Tile }>({})
const startedAtMs = signal<number | null>(null)
const tookMs = signal<number | null>(null)

const summary = computed(() => {
  const results = Object.values(tiles.value).flatMap((tile) => (tile.status === 'done' ? [tile.result] : []))
  return {
    total: journeys.length,
    done: results.length,
    passed: results.filter(({ passed }) => passed).length,
    costCredits: results.reduce((sum, { costCredits }) => sum + costCredits, 0),
  }
})

/** Starts over with every journey, or with one. */
function runAll(chosen: readonly Journey[] = journeys): void {
  if (chosen.length === journeys.length) {
    startedAtMs.value = Date.now()
    tookMs.value = null
  }
  tiles.value = { ...tiles.value, ...Object.fromEntries(chosen.map(({ id }) => [id, { status: 'waiting' }])) }
  startMore()
}

/** A tile's run has ended. A run that was started over meanwhile is not listened to. */
function finish(journeyId: string, label: string, result: RunResult): void {
  const tile = tiles.value[journeyId]
  if (tile?.status !== 'running' || tile.label !== label) return
  tiles.value = { ...tiles.value, [journeyId]: { status: 'done', label, result, isShown: true } }
  startMore()
  const isOver = Object.values(tiles.value).every(({ status }) => status === 'done')
  if (isOver && startedAtMs.value !== null && tookMs.value === null) tookMs.value = Date.now() - startedAtMs.value
}

/** The tiles leave the page, and their widgets with them. Results stay; what was not finished has not begun. */
function putAway(): void {
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

/** Every journey at once, each a real widget that drives itself. */
export function Matrix(): JSX.Element {
  useEffect(() => putAway, [])
  const { total, done, passed, costCredits } = summary.value
  const isRunning = Object.values(tiles.value).some(({ status }) => status !== 'done')
  const groups = Object.entries(GROUPS) as [JourneyGroup, string][]
  return (
    <main class="matrix" tabIndex={-1}>
      <div class="matrix-head">
        <div>
          <h2>Every flow</h2>
          <p role="status">
            {done === 0 && !isRunning
              ? `${total} flows, each a real widget talking to a real service.`
              : `${passed} of ${total} passed${done > passed ? `, ${done - passed} failed` : ''}${tookMs.value === null ? '' : ` in ${seconds(tookMs.value)}`}, ${costCredits.toLocaleString('en-GB')} credits (${showCredits(costCredits)})`}
          </p>
        </div>
        <button type="button" class="main" onClick={() => runAll()} disabled={isRunning}>
          {isRunning ? `${done} of ${total}` : 'Run all'}
        </button>
      </div>
      <progress value={done} max={total} aria-label="Flows done" />
      {groups.map(([group, title]) => (
        <section aria-labelledby={`group-${group}`}>
          <h3 id={`group-${group}`}>{title}</h3>
          <ul class="tiles">
            {journeys
              .filter((journey) => journey.group === group)
              .map((journey) => (
                <TileView key={journey.id} journey={journey} />
              ))}
          </ul>
        </section>
      ))}
    </main>
  )
}

function TileView({ journey }: { journey: Journey }): JSX.Element {
  const tile = tiles.value[journey.id]
  const result = tile?.status === 'done' ? tile.result : null
  const state = result ? (result.passed ? 'passed' : 'failed') : (tile?.status ?? 'idle')
  return (
    <li class={`tile ${state}`} data-journey={journey.id} data-state={state}>
      {/* To look at, not to use: the keyboard passes by. */}
      <div class="tile-window" inert>
        {tile && hasFrame(tile) ? <TileFrame key={tile.label} journey={journey} label={tile.label} /> : <i />}
      </div>
      <div class="tile-words">
        <h4>{journey.title}</h4>
        {result ? (
          <>
            <p>
              <b>{result.passed ? 'Pass' : 'Fail'}</b> {seconds(result.tookMs)}, {result.costCredits} credits
            </p>
            <p class="tile-events">{result.events.map(describeEvent).join(' → ') || 'no events'}</p>
            {result.differences.map((difference) => (
              <p class="tile-difference">{difference}</p>
            ))}
          </>
        ) : (
          <p>{state === 'running' ? 'Running' : state === 'waiting' ? 'Waiting' : journey.about}</p>
        )}
      </div>
      <div class="tile-actions">
        <button type="button" class="small" onClick={() => open(journey)}>
          Open
        </button>
        <button
          type="button"
          class="small"
          onClick={() => runAll([journey])}
          disabled={state === 'running' || state === 'waiting'}
        >
          Run
        </button>
      </div>
    </li>
  )
}

function hasFrame(tile: Tile): tile is Exclude<Tile, { status: 'waiting' }> {
  return tile.status === 'running' || (tile.status === 'done' && tile.isShown)
}

/** Journeys end in English words on a plain page, whatever the knobs say. */
const tileSettings: Settings = { ...defaults, person: 'no-one' }

function TileFrame({ journey, label }: { journey: Journey; label: string }): JSX.Element {
  const tile = useRef<HTMLIFrameElement>(null)
  useEffect(() => {
    let leave = () => {}
    // What is played in a frame that is gone never ends; nothing may wait for it.
    const left = new Promise<never>((_resolve, reject) => {
      leave = () => reject(new Error('left'))
    })
    const run = async () => {
      if (!tile.current) return
      const frame = tile.current
      const host = await hostOf(frame)
      host.apply(knobsOf(journey, { ...tileSettings, theme: settings.peek().theme }))
      finish(journey.id, label, await alone(journey, () => Promise.race([runJourney(frame, journey, label), left])))
    }
    run().catch((error: unknown) => {
      const differences = [error instanceof Error ? error.message : String(error)]
      finish(journey.id, label, { passed: false, differences, events: [], tookMs: 0, costCredits: 0 })
    })
    left.catch(() => {})
    return () => leave()
  }, [])
  return <iframe ref={tile} src={hostAddress(journey, label, tileSettings)} title={`The widget: ${journey.title}`} />
}

/** A lender has one clock at the service: another preview of this browser waits its turn to move it. */
function alone<Result>({ stage }: Journey, run: () => Promise<Result>): Promise<Result> {
  return stageOf(stage).isExclusive ? navigator.locks.request(`stage ${stage}`, run) : run()
}

function describeEvent({ name, detail }: RunResult['events'][number]): string {
  return detail.code ? `${name} ${detail.code}` : name
}

function open(journey: Journey): void {
  change({ journey: journey.id, view: 'stage' })
  restart()
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`
}
