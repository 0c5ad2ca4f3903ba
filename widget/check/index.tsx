// Everything that follows "Agree", as a chunk of its own: it is fetched while the form is filled in.
import type { JSX } from 'preact'
import { advanceCheck } from '../flow/check-steps.ts'
import { useFrame } from '../frame.ts'
import { ClosedScreen } from '../screens/closed.tsx'
import { CodeScreen } from '../screens/code.tsx'
import { MobileScreen } from '../screens/mobile.tsx'
import { OutcomeScreen } from '../screens/outcome.tsx'
import { ReportScreen } from '../screens/report.tsx'
import type { Check } from '../session.ts'
import { enCheck } from '../strings/en-check.ts'
import { addEnglish } from '../strings/words.ts'
import css from '../style/check.css?inline'
import { type ActionsOptions, createActions } from './actions.ts'

addEnglish(enCheck)

export function createCheck(options: ActionsOptions): Check {
  return { ...createActions(options), advance: advanceCheck, Screen: CheckScreen }
}

function CheckScreen({ session, flow }: Parameters<Check['Screen']>[0]): JSX.Element | null {
  useFrame().addStyles(css)
  const { screen } = flow
  switch (screen.name) {
    case 'code':
      // The report is fetched while the person waits for the text; a failure is met again, and told, when it matters.
      import('../report/index.tsx').catch(() => undefined)
      return <CodeScreen session={session} screen={screen} test={flow.test} />
    case 'mobile':
      return <MobileScreen session={session} screen={screen} flow={flow} />
    case 'report':
      return <ReportScreen session={session} screen={screen} test={flow.test} />
    case 'closed':
      return <ClosedScreen screen={screen} />
    case 'expired':
    case 'trouble':
      return <OutcomeScreen session={session} screen={screen} flow={flow} />
    case 'ended':
      return screen.why === 'underAge' ? null : <OutcomeScreen session={session} screen={screen} flow={flow} />
    // Drawn by the form. Every state is named here or above, so that a new one does not compile until it is drawn.
    case 'details':
    case 'address':
    case 'answers':
    case 'sending':
      return null
  }
}
