import { useRef } from 'preact/hooks'
import { addressLines } from '../fields/address.ts'
import { readMonth, readNumber, today } from '../fields/date.ts'
import type { Field } from '../fields/field.ts'
import { type PersonRules, personFields } from '../fields/person.ts'
import { keysOf, readInput, type Typed } from '../fields/typed.ts'
import type { Flow, ScreenNamed } from '../flow/flow.ts'
import { placeOf } from '../flow/form-steps.ts'
import { describedBy, Help } from '../form/field.tsx'
import { Form, useInput } from '../form/form.tsx'
import { useFrame, useWords } from '../frame.ts'
import type { Session } from '../session.ts'
import type { StringKey } from '../strings/en.ts'
import { showMonth, type Words } from '../strings/words.ts'
import { Notice, readShown } from './notice.tsx'
import { Removed } from './removed.tsx'

type Props = { session: Session; screen: ScreenNamed<'answers'>; flow: Flow }

/** A rest before anything is sent: everything in one place, each answer one press from being changed. */
export function CheckAnswers({ session, screen, flow }: Props) {
  const { words, asksConsent } = useFrame()
  const legal = useRef<HTMLDivElement>(null)
  const { answers } = flow
  const rows = personRows(flow, words)
  return (
    <Form
      title={words('checkTitle')}
      place={placeOf('answers', flow, today())}
      typed={{}}
      problems={screen.problems}
      recheck={() => []}
      submit="agree"
      onSubmit={(typed) =>
        session.send({
          type: 'submit',
          agreed: !asksConsent || readInput(typed, 'consent') !== '',
          shown: legal.current ? readShown(legal.current) : '',
        })
      }
      onBack={(typed) => session.send({ type: 'back', typed })}
    >
      <Removed session={session} flow={flow} />
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
          {[...rows].map(([label, values]) => (
            <div>
              <dt>{words(label)}</dt>
              <dd>{values.filter(Boolean).join(' ') || words('notGiven')}</dd>
            </div>
          ))}
        </dl>
      </section>
      {answers.addresses.map((address, index) => (
        <AddressCard
          session={session}
          address={address}
          index={index}
          isFixed={flow.fixed.addresses[index] !== undefined}
        />
      ))}
      {answers.abroadBefore && (
        <section class="card" part="card">
          <header>
            <strong>{words('previousAddress')}</strong>
            <LinkButton
              label={words('change')}
              about={`${words('previousAddress')}, ${words('outsideUk')}`}
              onClick={() => session.send({ type: 'change', address: answers.addresses.length })}
            />
          </header>
          <p>{words('outsideUk')}</p>
        </section>
      )}
      <div class="legal" ref={legal}>
        <Notice bureaus={flow.bureaus} />
        {asksConsent && <Consent />}
      </div>
    </Form>
  )
}

/** Every field of the table, by the label of its row. */
function personRows({ answers: { person }, mobile }: Flow, words: Words): Map<StringKey, string[]> {
  const rows = new Map<StringKey, string[]>()
  const fields = personFields({ mobile })
  for (const name of keysOf(fields)) {
    const { row = name, show, wire }: Field<PersonRules> = fields[name]
    const value = show
      ? show(person, words)
      : Object.values(wire)
          .map((read) => read(person))
          .join(' ')
    rows.set(row, [...(rows.get(row) ?? []), value])
  }
  return rows
}

type CardProps = { session: Session; address: Typed; index: number; isFixed: boolean }

function AddressCard({ session, address, index, isFixed }: CardProps) {
  const words = useWords()
  const title = words(index === 0 ? 'currentAddress' : 'previousAddress')
  const lines = addressLines(address)
  const about = `${title}, ${lines[0] ?? ''}`
  const year = readNumber(readInput(address, 'movedYear'))
  const date = year ? showMonth(words, year, readMonth(readInput(address, 'movedMonth'))) : ''
  return (
    <section class="card" part="card">
      <header>
        <strong>{title}</strong>
        {index > 0 && !isFixed && (
          <LinkButton
            label={words('remove')}
            about={about}
            onClick={() => session.send({ type: 'remove', address: index, today: today() })}
          />
        )}
        {!isFixed && (
          <LinkButton
            label={words('change')}
            about={about}
            onClick={() => session.send({ type: 'change', address: index })}
          />
        )}
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

function LinkButton({ label, about, onClick }: { label: string; about: string; onClick: () => void }) {
  return (
    <button type="button" class="link" part="link" onClick={onClick}>
      {label}
      <span class="unseen"> {about}</span>
    </button>
  )
}

function Consent() {
  const { problem } = useInput('consent')
  return (
    <div class="field">
      <Help id="consent" hint={undefined} problem={problem} />
      <label class="choice">
        <input
          type="checkbox"
          id="consent"
          name="consent"
          aria-describedby={describedBy('consent', undefined, problem && 'consent')}
          aria-invalid={problem ? 'true' : undefined}
        />
        <span>
          <slot name="consent" />
        </span>
      </label>
    </div>
  )
}
