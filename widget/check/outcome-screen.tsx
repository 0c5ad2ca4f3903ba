// Every way a check can stop or pause, as one table: an icon, a heading, what it means, and what can be done.

import type { ComponentChildren, JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import type { Flow, ScreenNamed } from '../flow.ts'
import { useWords } from '../frame.ts'
import { Heading } from '../screens/heading.tsx'
import { Icon, type IconName } from '../screens/icon.tsx'
import type { Session } from '../session.ts'
import { useSignal } from '../signal.ts'
import type { StringKey } from '../strings/en.ts'
import { showTime } from '../strings/words.ts'

/** The words are `…Title` and `…Lead`; an action is there where something can be done. */
type Outcome = [icon: IconName, action?: StringKey]

const outcomes = {
  expired: ['clock', 'resend'],
  blocked: ['stop'],
  failed: ['stop'],
  unavailable: ['stop'],
  underAge: ['stop', 'underAgeAction'],
  busy: ['clock', 'tryAgain'],
  offline: ['alert', 'tryAgain'],
  broken: ['alert', 'tryAgain'],
  device: ['alert', 'tryAgain'],
  session: ['clock', 'sessionAction'],
} satisfies { [why: string]: Outcome }

type Props = { session: Session; screen: ScreenNamed<'expired' | 'ended' | 'trouble'>; flow: Flow }

export function OutcomeScreen({ session, screen, flow }: Props): JSX.Element {
  const words = useWords()
  const why = screen.name === 'expired' ? screen.name : screen.why
  const [icon, action]: Outcome = outcomes[why]
  const retryAtMs = screen.name === 'trouble' ? screen.retryAtMs : undefined
  const reference =
    screen.name === 'ended' ? screen.creditReportId : screen.name === 'trouble' ? screen.fault.requestId : ''
  // Sooner than the server said it would only be refused again.
  const isWaiting = useSignal(retryAtMs !== undefined)
  useEffect(() => {
    if (!retryAtMs) return
    const stop = () => {
      isWaiting.value = false
    }
    const timer = setTimeout(stop, retryAtMs - Date.now())
    // A timer may stand still while the device sleeps; its clock does not.
    const look = () => Date.now() < retryAtMs || stop()
    document.addEventListener('visibilitychange', look)
    return () => {
      clearTimeout(timer)
      document.removeEventListener('visibilitychange', look)
    }
  }, [retryAtMs])
  const lost = screen.name === 'expired' && !flow.hasAgreed
  return (
    <Message icon={icon} title={words(`${why}Title`)}>
      <p class="lead">
        {words(lost ? 'expiredLeadNew' : `${why}Lead`, retryAtMs ? { time: showTime(words, retryAtMs) } : undefined)}
      </p>
      {reference && <p class="hint reference">{words('reference', { id: reference })}</p>}
      {action && (
        <Action isWaiting={isWaiting.value} onClick={() => session.send({ type: 'again' })}>
          {words(lost ? 'startAgain' : action)}
        </Action>
      )}
      <slot name="alternative-route" />
    </Message>
  )
}

type MessageProps = { icon: IconName; title: string; children: ComponentChildren }

export function Message({ icon, title, children }: MessageProps): JSX.Element {
  return (
    <div class={`outcome ${icon}`}>
      <Icon name={icon} />
      <Heading>{title}</Heading>
      {children}
    </div>
  )
}

type ActionProps = { isWaiting?: boolean; onClick: () => void; children: ComponentChildren }

export function Action({ isWaiting = false, onClick, children }: ActionProps): JSX.Element {
  return (
    <div class="actions">
      <button
        type="button"
        class="button"
        part="button"
        aria-disabled={isWaiting}
        onClick={() => isWaiting || onClick()}
      >
        {children}
      </button>
    </div>
  )
}
