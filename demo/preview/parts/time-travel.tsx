import { computed, useSignal } from '@preact/signals'
import type { JSX, RefObject } from 'preact'
import { CHALLENGE_LIFETIME_MS } from '../../../contract/limits.ts'
import { ProxyReport } from '../../../contract/tenant-proxy.ts'
import { endpointOf, stageOf } from '../../stages.ts'
import { moveClock } from '../api.ts'
import { events, journey, stageLabel } from '../state.ts'

const LIFETIME_SECONDS = CHALLENGE_LIFETIME_MS / 1000

/** Moments after the last text. At five minutes sharp the code still counts; a moment later it does not. */
const JUMPS = [
  { title: '4:59', seconds: LIFETIME_SECONDS - 1 },
  { title: '5:00', seconds: LIFETIME_SECONDS },
  { title: '5:01', seconds: LIFETIME_SECONDS + 1 },
] as const
const SHORT_HOP_SECONDS = 31

const TURNS = ['challenged', 'complete', 'failed', 'expired', 'blocked']
const isWaiting = computed(() => events.value.findLast(({ name }) => TURNS.includes(name))?.name === 'challenged')

/** Moves the clocks of service and proxy while a code is awaited; the widget asks how things stand, and follows. */
export function TimeTravel({ frame }: { frame: RefObject<HTMLIFrameElement | null> }): JSX.Element {
  const trouble = useSignal('')
  const { stage } = journey.value
  const isLive = stageOf(stage).mount === 'own'

  const travel = async (seconds: () => Promise<number>) => {
    try {
      await moveClock(stage, Math.max(0, await seconds()))
      frame.current?.contentDocument?.dispatchEvent(new Event('visibilitychange'))
      trouble.value = ''
    } catch (error) {
      trouble.value = error instanceof Error ? error.message : String(error)
    }
  }

  return (
    <fieldset class="travel" disabled={!isWaiting.value || isLive}>
      <legend>Jump to</legend>
      {JUMPS.map(({ title, seconds }) => (
        <button type="button" onClick={() => travel(async () => seconds - (await elapsedSeconds()))}>
          {title}
        </button>
      ))}
      <button type="button" onClick={() => travel(async () => SHORT_HOP_SECONDS)}>
        +{SHORT_HOP_SECONDS} s
      </button>
      <small role="status">{trouble.value || hint(isLive)}</small>
    </fieldset>
  )
}

function hint(isLive: boolean): string {
  if (isLive) return 'only in test mode'
  return isWaiting.value ? 'after the last text' : 'once a code is awaited'
}

/** The time since the last text was sent, as the proxy knows it. */
async function elapsedSeconds(): Promise<number> {
  const response = await fetch(`${endpointOf(journey.value, stageLabel.value)}/current`, { cache: 'no-store' })
  const { data } = ProxyReport.parse(await response.json())
  return LIFETIME_SECONDS - Math.round(data.challenge?.expiresInSeconds ?? LIFETIME_SECONDS)
}
