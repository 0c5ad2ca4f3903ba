import type { ScreenNamed } from '../flow/flow.ts'
import { useWords } from '../frame.ts'
import { Message } from './message.tsx'
import { Next } from './next.tsx'

/** The report is gone from this page; the check stays complete. */
export function ClosedScreen({ screen }: { screen: ScreenNamed<'closed'> }) {
  const words = useWords()
  return (
    <Message icon="done" title={words('closedTitle')}>
      <p class="lead">{words(screen.isIdle ? 'closedIdleLead' : 'closedLead')}</p>
      <Next creditReportId={screen.creditReportId} />
    </Message>
  )
}
