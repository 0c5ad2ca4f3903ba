import type { JSX } from 'preact'
import { showMobileNumber } from '../../contract/mobile-number.ts'
import { addressLines } from '../fields/address.ts'
import { readMonth, readNumber, today } from '../fields/date.ts'
import { readPerson } from '../fields/person.ts'
import { type Fields, sayProblem, typed } from '../fields/problem.ts'
import type { Flow, ScreenNamed } from '../flow/flow.ts'
import { Form, useField } from '../form/form.tsx'
import { useFrame, useWords } from '../frame.ts'
import type { Session } from '../session.ts'
import { showDay, showMonth } from '../strings/words.ts'

type Props = { session: Session; screen: ScreenNamed<'answers'>; answers: Flow['answers'] }

/** A rest before anything is sent: everything in one place, each answer one press from being changed. */
export function CheckAnswers({ session, screen, answers }: Props): JSX.Element {
  const { words, asksConsent } = useFrame()
  const person = readPerson(answers.person)
  const rows: [string, string | undefined][] = [
    [words('name'), [person.title, person.firstName, person.middleName, person.lastName].filter(Boolean).join(' ')],
    [words('dateOfBirth'), showDay(words, person.dateOfBirth)],
    [words('mobileNumber'), showMobileNumber(person.mobileNumber ?? '')],
    [words('email'), person.email],
  ]
  return (
    <Form
      title={words('checkTitle')}
      step={3}
      fields={{}}
      problems={screen.problems}
      recheck={() => []}
      submit="agree"
      onSubmit={(fields) => session.send({ type: 'submit', agreed: !asksConsent || typed(fields, 'consent') !== '' })}
      onBack={(fields) => session.send({ type: 'back', fields })}
    >
      <section class="card" part="card">
        <header>
          <strong>{words('detailsTitle')}</strong>
          <LinkButton
            label={words('change')}
            about={words('detailsTitle')}
            onClick={() => session.send({ type: 'change' })}
          />
        </header>
        <dl>
          {rows.map(([term, value]) => (
            <div>
              <dt>{term}</dt>
              <dd>{value || words('notGiven')}</dd>
            </div>
          ))}
        </dl>
      </section>
      {answers.addresses.map((address, index) => (
        <AddressCard session={session} address={address} index={index} />
      ))}
      <div class="legal">
        <slot name="search-notice">
          <p>{words('searchNotice')}</p>
        </slot>
        <slot name="privacy" />
        {asksConsent && <Consent />}
      </div>
    </Form>
  )
}

function AddressCard({ session, address, index }: { session: Session; address: Fields; index: number }): JSX.Element {
  const words = useWords()
  const title = words(index === 0 ? 'currentAddress' : 'previousAddress')
  const lines = addressLines(address)
  const about = `${title}, ${lines[0] ?? ''}`
  const year = readNumber(typed(address, 'movedYear'))
  const date = year ? showMonth(words, year, readMonth(typed(address, 'movedMonth'))) : ''
  return (
    <section class="card" part="card">
      <header>
        <strong>{title}</strong>
        {index > 0 && (
          <LinkButton
            label={words('remove')}
            about={about}
            onClick={() => session.send({ type: 'remove', address: index, today: today() })}
          />
        )}
        <LinkButton
          label={words('change')}
          about={about}
          onClick={() => session.send({ type: 'change', address: index })}
        />
      </header>
      <address>
        {lines.map((line) => (
          <span>{line}</span>
        ))}
      </address>
      {date && <p class="hint">{words('movedIn', { date })}</p>}
    </section>
  )
}

function LinkButton({ label, about, onClick }: { label: string; about: string; onClick: () => void }): JSX.Element {
  return (
    <button type="button" class="link" part="link" onClick={onClick}>
      {label}
      <span class="unseen"> {about}</span>
    </button>
  )
}

function Consent(): JSX.Element {
  const words = useWords()
  const { problem } = useField('consent')
  return (
    <div class={problem ? 'field wrong' : 'field'}>
      {problem && (
        <p class="error" part="error" id="consent-error">
          <span class="unseen">{words('errorPrefix')} </span>
          {sayProblem(words, problem)}
        </p>
      )}
      <label class="choice">
        <input
          type="checkbox"
          id="consent"
          name="consent"
          aria-describedby={problem && 'consent-error'}
          aria-invalid={problem ? 'true' : undefined}
        />
        <span>
          <slot name="consent" />
        </span>
      </label>
    </div>
  )
}
