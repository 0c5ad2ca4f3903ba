import { useEffect, useState } from 'preact/hooks'
import { SENDS_MAX } from '../../contract/limits.ts'
import { readClock, remainingMs } from '../flow/deadline.ts'
import type { Flow, ScreenNamed } from '../flow/flow.ts'
import { Link } from '../form/link.tsx'
import { useWords } from '../frame.ts'
import type { Session } from '../session.ts'
import { AnotherWay } from './another-way.tsx'
import { sayDuration } from './countdown.tsx'
import { StartOver } from './start-over.tsx'

type Props = { session: Session; screen: ScreenNamed<'code'>; flow: Flow }

/** Another text, another number, other details, another person, and what to do when no text arrives. */
export function Resend({ session, screen, flow }: Props) {
  const words = useWords()
  const { textsRemaining, resendFrom } = screen.challenge
  const { answers, fixed } = flow
  const isNumberFixed = Boolean(fixed.person.mobileNumber)
  // If the draft did not survive a reload, or the lender has fixed everything, there is nothing to change.
  const isFixed = isNumberFixed && Boolean(fixed.person.lastName && fixed.person.year) && fixed.addresses.length > 0
  const mayChange = answers.addresses.length > 0 && !isFixed
  const [waitSeconds, setWaitSeconds] = useState(0)

  useEffect(() => {
    let timer = 0
    const tick = () => {
      const leftMs = remainingMs(resendFrom, readClock())
      setWaitSeconds(Math.ceil(leftMs / 1000))
      if (leftMs > 0) timer = window.setTimeout(tick, leftMs % 1000 || 1000)
    }
    tick()
    return () => clearTimeout(timer)
  }, [resendFrom])

  const isOver = textsRemaining < 1
  const waiting = isOver || waitSeconds > 0 || screen.busy !== null
  const hint = () => {
    if (isOver) return screen.notice?.words !== 'noTexts' && words('noTexts')
    if (waitSeconds > 0) return words('resendWait', { time: sayDuration(words, waitSeconds) })
    return textsRemaining < SENDS_MAX - 1 && words('textsLeft', { n: textsRemaining })
  }
  return (
    <section class="aside">
      <p class="hint">
        {words('helpTitle')} {words('helpLead')}
      </p>
      {/* It stays when there are no more texts: a person who pressed it would lose their place with it. */}
      <button
        type="button"
        class="button secondary"
        part="button-secondary"
        aria-disabled={waiting}
        aria-describedby="resend-wait"
        onClick={() => !waiting && session.send({ type: 'resend' })}
      >
        {words('resend')}
      </button>
      <p class="hint" id="resend-wait">
        {hint()}
      </p>
      <div class="links">
        {!isNumberFixed && <Link onClick={() => session.send({ type: 'change-number' })}>{words('changeNumber')}</Link>}
        {mayChange && <Link onClick={() => session.send({ type: 'change-details' })}>{words('changeDetails')}</Link>}
      </div>
      <StartOver session={session} />
      {isNumberFixed && <AnotherWay summary="knownWrong" lead="knownWrongLead" />}
    </section>
  )
}
