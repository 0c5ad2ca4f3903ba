import { useSignal, useSignalEffect } from '@preact/signals'
import type { JSX } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { stageOf } from '../../stages.ts'
import { hostAddress, hostOf, knobsOf, readFrameMessage } from '../frame.ts'
import { WIDTHS_PX } from '../settings.ts'
import { change, events, journey, logEvent, restart, settings, stageLabel } from '../state.ts'
import { Segments } from './choice.tsx'
import { TimeTravel } from './time-travel.tsx'

const PACE_MS = 450
const widths = [
  [320, '320'],
  [390, '390'],
  [768, '768'],
  [0, 'Full'],
] as const

/** The widget on its page, with everything that can be done to it. */
export function Stage(): JSX.Element {
  const frame = useRef<HTMLIFrameElement>(null)
  /** The page a flow is played on: none, or another since. */
  const playedAt = useSignal('')
  const { title, about, stage } = journey.value
  const { widthPx } = settings.value
  const address = hostAddress(journey.value, stageLabel.value, settings.value)
  const isPlaying = playedAt.value === address

  useEffect(() => {
    const listen = (message: MessageEvent) => {
      const event = message.source === frame.current?.contentWindow ? readFrameMessage(message) : null
      if (event) logEvent(event)
    }
    window.addEventListener('message', listen)
    return () => window.removeEventListener('message', listen)
  }, [])

  const apply = async () => {
    const knobs = knobsOf(journey.peek(), settings.peek())
    if (frame.current) (await hostOf(frame.current)).apply(knobs)
  }
  useSignalEffect(() => {
    knobsOf(journey.value, settings.value)
    if (frame.current?.contentWindow?.previewHost) void apply()
  })

  const play = () => {
    // A flow that a person has begun, or that has ended, cannot be played on.
    if (events.value.some(({ name }) => name !== 'ready')) restart()
    playedAt.value = hostAddress(journey.value, stageLabel.value, settings.value)
  }
  useEffect(() => {
    if (!isPlaying || !frame.current) return
    perform(frame.current).finally(() => {
      if (playedAt.value === address) playedAt.value = ''
    })
  }, [isPlaying, address])

  return (
    <main class="stage" tabIndex={-1}>
      <div class="stage-head">
        <div>
          <h2>{title}</h2>
          <p>
            {about} <small>{stageOf(stage).about}</small>
          </p>
        </div>
        <div class="stage-actions">
          <button type="button" class="main" onClick={play} disabled={isPlaying}>
            {isPlaying ? 'Playing' : 'Play it'}
          </button>
          <button type="button" onClick={restart}>
            Start over
          </button>
        </div>
      </div>
      <div class="stage-tools">
        <Segments label="Width" value={widthPx} options={widths} onChoose={(chosen) => change({ widthPx: chosen })} />
        <span class="slider">
          <input
            type="range"
            aria-label="Width in pixels"
            min={WIDTHS_PX.min}
            max={WIDTHS_PX.max}
            value={widthPx || WIDTHS_PX.max}
            onInput={({ currentTarget }) => change({ widthPx: Number(currentTarget.value) })}
          />
          <output>{widthPx ? `${widthPx} px` : 'full width'}</output>
        </span>
        <TimeTravel frame={frame} />
      </div>
      <div class="stage-floor">
        <iframe
          key={address}
          ref={frame}
          src={address}
          title="The widget on its page"
          onLoad={apply}
          style={{ width: widthPx ? `${widthPx}px` : '100%' }}
        />
      </div>
    </main>
  )
}

async function perform(frame: HTMLIFrameElement): Promise<void> {
  const { person, addressCount } = settings.value
  try {
    const host = await hostOf(frame)
    await host.play(journey.value, { person: person === 'no-one' ? 'sam' : person, addressCount, paceMs: PACE_MS })
  } catch {
    // A person took over by hand.
  }
}
