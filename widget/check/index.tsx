// Everything that follows "Agree", as a chunk of its own: it is fetched while the form is filled in.
import type { JSX } from 'preact'
import { loadChunk } from '../chunks.ts'
import type { Flow, FlowEvent, Step } from '../flow.ts'
import { useFrame } from '../frame.ts'
import type { Session } from '../session.ts'
import { enCheck } from '../strings/en-check.ts'
import { addEnglish } from '../strings/words.ts'
import { type Actions, type ActionsOptions, createActions } from './actions.ts'
import css from './check.css?inline'
import { CodeScreen } from './code-screen.tsx'
import { MobileScreen } from './mobile-screen.tsx'
import { OutcomeScreen } from './outcome-screen.tsx'
import { ReportScreen } from './report-screen.tsx'
import { advanceCheck } from './steps.ts'

addEnglish('check', enCheck)

export type Check = Actions & {
  advance(flow: Flow, event: FlowEvent): Step
  Screen: (props: CheckScreenProps) => JSX.Element | null
}

type CheckScreenProps = { session: Session; flow: Flow }

export function createCheck(options: ActionsOptions): Check {
  return { ...createActions(options), advance: advanceCheck, Screen: CheckScreen }
}

function CheckScreen({ session, flow }: CheckScreenProps): JSX.Element | null {
  useFrame().addStyles(css)
  const { screen } = flow
  switch (screen.name) {
    case 'code':
      // The report is fetched while the person waits for the text; a failure is met again, and told, when it matters.
      loadChunk('report').catch(() => undefined)
      return <CodeScreen session={session} screen={screen} test={flow.test} />
    case 'mobile':
      return <MobileScreen session={session} screen={screen} answers={flow.answers} />
    case 'report':
      return <ReportScreen session={session} screen={screen} test={flow.test} />
    case 'expired':
    case 'trouble':
      return <OutcomeScreen session={session} screen={screen} flow={flow} />
    case 'ended':
      return screen.why === 'underAge' ? null : <OutcomeScreen session={session} screen={screen} flow={flow} />
    default:
      return null
  }
}
