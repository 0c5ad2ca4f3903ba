// Everything that follows the first screen, as a chunk of its own: it is fetched while that is filled in.
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { suggestEmail } from '../fields/suggest-email.ts'
import { advanceCheck } from '../flow/check-steps.ts'
import { advanceForm, placeOf } from '../flow/form-steps.ts'
import { Link } from '../form/link.tsx'
import { type AddressLookup, useFrame, useWords } from '../frame.ts'
import { proxyUrl } from '../own-url.ts'
import { Address } from '../screens/address.tsx'
import { CheckAnswers } from '../screens/answers.tsx'
import { CodeScreen, MobileScreen } from '../screens/code.tsx'
import { ClosedScreen, LockedScreen } from '../screens/locked.tsx'
import { OutcomeScreen } from '../screens/outcome.tsx'
import { ReportScreen } from '../screens/report.tsx'
import { Waiting } from '../screens/waiting.tsx'
import { dropSecondPress } from '../second-press.ts'
import type { Check, Session } from '../session.ts'
import css from '../style/check.css?inline'
import { type ActionsOptions, createActions } from './actions.ts'
import { findLastStop, keepTabs } from './tab-stops.ts'

// The doctor uses these too, and takes them from here: shared by import they would become files of their own.
export { isKnown } from '../flow/fault.ts'
export { proxyUrl } from '../own-url.ts'
export { versionHeaders } from './api.ts'
export { FINGERPRINT_TAG, readMarker } from './fingerprint.ts'
export { randomKey } from './idempotency.ts'
export { isTrustedSource } from './trusted-source.ts'

export function createCheck(options: ActionsOptions): Check {
  const { begin, carryOut, keepTyped } = createActions(options)
  return {
    begin,
    carryOut,
    advance: (flow, event) => advanceForm(flow, event) ?? advanceCheck(flow, event),
    lookUp: lookupAt(options.endpoint),
    suggestEmail,
    placeOf,
    attend(root, signal) {
      dropSecondPress(root, signal)
      keepTyped(root, signal)
      keepTabs(root, signal)
    },
    findLastStop,
    Kept,
    Screen: CheckScreen,
  }
}

/** The search of the lender's own server. */
function lookupAt(endpoint: string): AddressLookup {
  return async (postcode, signal) => {
    const url = proxyUrl(endpoint, `/addresses?postcode=${encodeURIComponent(postcode)}`)
    const response = url && (await fetch(url, { cache: 'no-store', mode: 'same-origin', signal }))
    if (!response?.ok) throw new Error('no addresses')
    const { data } = await response.json()
    return data.addresses
  }
}

function Kept({ session }: { session: Session }): JSX.Element {
  const { words, addStyles } = useFrame()
  addStyles(css)
  return (
    <p class="notice" role="status">
      {words('kept')} <Link onClick={() => session.send({ type: 'start-again' })}>{words('startAgain')}</Link>
    </p>
  )
}

function CheckScreen({ session, flow }: Parameters<Check['Screen']>[0]): JSX.Element | null {
  useFrame().addStyles(css)
  const { screen } = flow
  switch (screen.name) {
    case 'address':
      return <Address session={session} screen={screen} flow={flow} />
    case 'answers':
      return <CheckAnswers session={session} screen={screen} flow={flow} />
    case 'sending':
      return <Sending isResumed={flow.isResumed} />
    case 'code':
      return <CodeScreen session={session} screen={screen} flow={flow} />
    case 'mobile':
      return <MobileScreen session={session} screen={screen} flow={flow} />
    case 'report':
      return <ReportScreen session={session} screen={screen} test={flow.test} />
    case 'locked':
      return <LockedScreen session={session} screen={screen} />
    case 'closed':
      return <ClosedScreen session={session} screen={screen} />
    case 'expired':
    case 'trouble':
      return <OutcomeScreen session={session} screen={screen} flow={flow} />
    case 'ended':
      return screen.why === 'underAge' ? null : <OutcomeScreen session={session} screen={screen} flow={flow} />
    // Drawn by the script. Every state is named here or above, so that a new one does not compile until it is drawn.
    case 'details':
      return null
  }
}

const SLOW_AFTER_MS = 15_000

function Sending({ isResumed }: { isResumed: boolean }) {
  const words = useWords()
  const [isSlow, setSlow] = useState(false)
  useEffect(() => {
    const timer = setTimeout(setSlow, SLOW_AFTER_MS, true)
    return () => clearTimeout(timer)
  }, [])
  return (
    <Waiting title={words(isResumed ? 'stillSendingTitle' : 'sendingTitle')}>
      <p class="lead">{words('sendingLead')}</p>
      <p role="status" class="notice">
        {isSlow && `${words('slowTitle')}. ${words('slowLead')}`}
      </p>
    </Waiting>
  )
}
