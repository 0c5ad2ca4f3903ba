import type { ReadonlySignal } from '@preact/signals'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Flow, Screen, ScreenName } from '../flow/flow.ts'
import { Link } from '../form/link.tsx'
import { type Frame, FrameContext, useFrame, useWords } from '../frame.ts'
import type { Session } from '../session.ts'
import { LOCALES } from '../strings/locales.ts'
import { Details } from './details.tsx'
import { Action, Message } from './message.tsx'
import { Waiting } from './waiting.tsx'

/** The element's inside: the screen the flow is on, within what every screen shares. */
export function App({ session, frame }: { session: Session; frame: ReadonlySignal<Frame | null> }) {
  const shared = frame.value
  const flow = session.flow.value
  const { screen, test, round } = flow
  const check = session.check.value
  const place = placeOf(screen)
  const shown = useRef({ place, isReturn: false })
  if (shown.current.place !== place) shown.current = { place, isReturn: place < shown.current.place }
  const root = useRef<HTMLDivElement>(null)
  // The screen after a wait comes long after the press: the page below must not jump then.
  const box = root.current
  if (box && screen.name === 'sending' && !box.style.minBlockSize) box.style.minBlockSize = `${box.offsetHeight}px`
  else if (box && PRESSED.includes(screen.name)) box.style.minBlockSize = ''
  // Once the reader moves on the room is given back: a code is much shorter than a form.
  useEffect(() => {
    const gone = new AbortController()
    const giveBack = () => root.current?.style.removeProperty('min-block-size')
    for (const type of ['wheel', 'touchmove', 'keydown'])
      addEventListener(type, giveBack, { signal: gone.signal, passive: true })
    return () => gone.abort()
  }, [])
  if (!shared) return null
  const { words } = shared
  return (
    <FrameContext.Provider value={shared}>
      <div
        class="root fs-exclude ph-no-capture rr-block amp-block mp-block nr-block highlight-block"
        part="root"
        ref={root}
        lang={words.locale}
        {...recordersKeepOut}
      >
        <div class="panel" part="panel">
          <LanguageSwitch />
          {test && (
            <p class="strip" part="strip">
              {words('testStrip')}
            </p>
          )}
          {/* The key makes each screen arrive anew, and take focus. */}
          <div
            class={shown.current.isReturn ? 'screen returning' : 'screen'}
            key={`${round} ${screen.name} ${screen.name === 'address' && screen.index}`}
          >
            {flow.kept !== null && check && <check.Kept session={session} />}
            <CurrentScreen session={session} flow={flow} />
          </div>
          <slot name="help" />
        </div>
      </div>
    </FrameContext.Provider>
  )
}

/** Screens that a press brings at once, and ends, which have nothing below them to keep in place. */
const PRESSED: readonly ScreenName[] = [
  'details',
  'address',
  'answers',
  'mobile',
  'locked',
  'closed',
  'ended',
  'expired',
  'trouble',
]

/** After as many addresses as anyone is asked for. */
const ANSWERS_PLACE = 100

/** The position of a screen on the way: the next one arrives from one side, the one before from the other. */
function placeOf(screen: Screen): number {
  if (screen.name === 'details') return -1
  if (screen.name === 'address') return screen.index
  return screen.name === 'answers' ? ANSWERS_PLACE : ANSWERS_PLACE + 1
}

function CurrentScreen({ session, flow }: { session: Session; flow: Flow }) {
  const { screen } = flow
  const check = session.check.value
  switch (screen.name) {
    case 'details':
      // The form shows what the lender knows as text.
      if (flow.start === 'awaited' || (session.isLocked && !check)) return <Loading session={session} />
      return <Details session={session} screen={screen} flow={flow} />
    case 'ended':
      if (screen.why === 'underAge') return <UnderAge session={session} />
  }
  return check ? <check.Screen session={session} flow={flow} /> : <Loading session={session} />
}

/** Every other screen is loaded while the first is filled in; on a slow line the consumer may be there first. */
function Loading({ session }: { session: Session }) {
  const words = useWords()
  const [isFailed, setFailed] = useState(false)
  const load = () => {
    setFailed(false)
    session.begin().then((isLoaded) => setFailed(!isLoaded))
  }
  useEffect(load, [])
  if (!isFailed) return <Waiting title={words('loading')} />
  return (
    <Message icon="alert" title={words('brokenTitle')}>
      <Action onClick={load}>{words('tryAgain')}</Action>
    </Message>
  )
}

// Session recorders leave out what carries their mark.
const recordersKeepOut = {
  'data-private': '',
  'data-hj-suppress': '',
  'data-dd-privacy': 'hidden',
  'data-cs-mask': '',
  'data-clarity-mask': 'true',
  'data-sentry-block': '',
  'data-recording-disable': '',
  'data-openreplay-hidden': '',
  'data-dtrum-mask': '',
}

/** The languages the lender offers, each by its own name. Nothing typed is lost with a change. */
function LanguageSwitch() {
  const { words, locales, chooseLocale } = useFrame()
  if (locales.length < 2) return null
  return (
    <fieldset class="languages" part="languages" aria-label={words('language')}>
      {locales.map((tag) => (
        <Link lang={tag} aria-pressed={tag === words.locale} onClick={() => chooseLocale(tag)}>
          {LOCALES[tag].name}
        </Link>
      ))}
    </fieldset>
  )
}

/** Nothing was sent, and nothing has to be loaded to say so. */
function UnderAge({ session }: { session: Session }) {
  const words = useWords()
  return (
    <Message icon="stop" title={words('underAgeTitle')}>
      <p class="lead">{words('underAgeLead')}</p>
      <Action onClick={() => session.send({ type: 'change' })}>{words('underAgeAction')}</Action>
      <slot name="alternative-route" />
    </Message>
  )
}
