import type { ScreenNamed } from '../flow/flow.ts'
import { useWords } from '../frame.ts'
import type { Session } from '../session.ts'
import type { StringKey } from '../strings/en.ts'
import { Message } from './message.tsx'
import { Next } from './next.tsx'

const LEADS: { [state in ScreenNamed<'closed'>['state']]: StringKey } = {
  closing: 'closingLead',
  closed: 'closedLead',
  unreached: 'closedUnreached',
}

/** The report is closed for good; the check stays complete. */
export function ClosedScreen({ session, screen }: { session: Session; screen: ScreenNamed<'closed'> }) {
  const words = useWords()
  return (
    <Message icon="done" title={words('doneTitle')}>
      <p class="lead" role="status">
        {words(LEADS[screen.state])}
      </p>
      <Next creditReportId={screen.creditReportId} />
      <p>
        <button type="button" class="link" part="link" onClick={() => session.send({ type: 'start-over' })}>
          {words('startOver')}
        </button>
      </p>
    </Message>
  )
}
