import { today } from '../fields/date.ts'
import { BIRTH_AGAIN, findBirthProblems } from '../fields/person.ts'
import type { ScreenNamed } from '../flow/flow.ts'
import { FormField } from '../form/field.tsx'
import { Form } from '../form/form.tsx'
import { Icon } from '../form/icon.tsx'
import { Link } from '../form/link.tsx'
import { useWords } from '../frame.ts'
import type { Session } from '../session.ts'
import type { StringKey } from '../strings/en.ts'
import { sayNotice, showTime } from '../strings/words.ts'
import { Message } from './message.tsx'
import { Next } from './next.tsx'
import { StartOver } from './start-over.tsx'

/** The check is complete. Who left the page, or came back in another tab, opens the report with the date of birth. */
export function LockedScreen({ session, screen }: { session: Session; screen: ScreenNamed<'locked'> }) {
  const words = useWords()
  const { isIdle, isBusy, untilMs, problems, notice } = screen
  return (
    <div class={isBusy ? 'outcome busy' : 'outcome'}>
      <Icon name="lock" />
      <Form
        title={words('lockedTitle')}
        typed={{}}
        problems={problems}
        recheck={(typed) => findBirthProblems(typed, today())}
        submit="openReport"
        onSubmit={(typed) => session.send({ type: 'open', typed, today: today() })}
        after={
          <section class="aside">
            <Next creditReportId={screen.creditReportId} isSecondary />
            <Link onClick={() => session.send({ type: 'close' })}>{words('closeReport')}</Link>
            <StartOver session={session} />
          </section>
        }
      >
        <p class="lead">
          {isIdle && words('lockedIdle')} {words('lockedLead')}
          {untilMs && ` ${words('lockedUntil', { time: showTime(words, untilMs) })}`}
        </p>
        <FormField name="dateOfBirth" field={BIRTH_AGAIN} />
        <p class="notice" role="status">
          {notice && sayNotice(words, notice)}
        </p>
      </Form>
    </div>
  )
}

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
      <StartOver session={session} />
    </Message>
  )
}
