// Every way a check can stop or pause, as one table: an icon, a heading, what it means, and what can be done.
import { useEffect, useState } from 'preact/hooks'
import { spacedReference } from '../../contract/short-reference.ts'
import type { Flow, ScreenNamed } from '../flow/flow.ts'
import type { IconName } from '../form/icon.tsx'
import { useFrame } from '../frame.ts'
import type { Session } from '../session.ts'
import type { StringKey } from '../strings/en.ts'
import { showTime } from '../strings/words.ts'
import { Action, Message } from './message.tsx'

/** The words are `…Title` and `…Lead`; an action is there where something can be done. */
type Row = [icon: IconName, action?: StringKey]

const outcomes = {
  expired: ['clock', 'resend'],
  blocked: ['stop'],
  failed: ['stop'],
  unavailable: ['stop'],
  busy: ['clock', 'tryAgain'],
  offline: ['alert', 'tryAgain'],
  unreached: ['alert', 'tryAgain'],
  broken: ['alert', 'tryAgain'],
  device: ['alert', 'tryAgain'],
  session: ['clock', 'sessionAction'],
  cookies: ['alert', 'tryAgain'],
} satisfies { [why: string]: Row }

type Outcome = Exclude<ScreenNamed<'expired' | 'ended' | 'trouble'>, { why: 'underAge' }>
type Props = { session: Session; screen: Outcome; flow: Flow }

/** The agencies are asked once the person is confirmed, so a check that ends before that has left nothing. */
function isUnsearched(screen: Outcome): boolean {
  if (screen.name === 'expired') return true
  // Any other answer is about a check that the server has begun.
  return screen.name === 'ended' && (screen.why !== 'unavailable' || !screen.creditReportId)
}

export function OutcomeScreen({ session, screen, flow }: Props) {
  const { words, signInUrl } = useFrame()
  const isSignedOut = screen.name === 'trouble' && screen.fault.status === 401
  const isStale = screen.name === 'trouble' && screen.fault.code === 'start-refused'
  const why = screen.name === 'expired' ? screen.name : screen.why
  const [icon, action]: Row = outcomes[why]
  const retryAtMs = screen.name === 'trouble' ? screen.retryAtMs : undefined
  const reference =
    screen.name === 'ended' ? screen.creditReportId : screen.name === 'trouble' ? screen.fault.requestId : ''
  // Sooner than the server said it would only be refused again.
  const [isWaiting, setWaiting] = useState(retryAtMs !== undefined)
  useEffect(() => {
    if (!retryAtMs) return
    const stop = () => setWaiting(false)
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
  const isBegun = why === 'unreached' && flow.isResumed
  const lead: StringKey = isStale
    ? 'staleLead'
    : lost
      ? 'expiredLeadNew'
      : isBegun
        ? 'unreachedLeadBegun'
        : why === 'cookies' && window.parent !== window
          ? 'cookiesLeadFramed'
          : `${why}Lead`
  return (
    <Message icon={icon} title={words(`${why}Title`)}>
      <p class="lead">{words(lead, retryAtMs ? { time: showTime(words, retryAtMs) } : undefined)}</p>
      {isUnsearched(screen) && <p>{words('notSearched')}</p>}
      {screen.name === 'ended' && reference && (
        <p>
          {words('askLender')} <strong class="reference">{spacedReference(reference)}</strong>
        </p>
      )}
      {screen.name === 'trouble' && reference && <p class="hint reference">{words('reference', { id: reference })}</p>}
      {isSignedOut && (
        <>
          <p>{words('signInLead')}</p>
          {signInUrl && (
            <p>
              <a class="link" href={signInUrl} target="_blank" rel="noopener">
                {words('signIn')}
              </a>
            </p>
          )}
        </>
      )}
      {action && (
        <Action isWaiting={isWaiting} onClick={() => (isStale ? location.reload() : session.send({ type: 'again' }))}>
          {words(lost || isStale ? 'startAgain' : action)}
        </Action>
      )}
      <slot name="alternative-route">{why === 'unavailable' && !reference && <p>{words('askForAnotherWay')}</p>}</slot>
    </Message>
  )
}
