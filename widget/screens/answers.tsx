import type { ComponentChildren } from 'preact'
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
import { Link } from '../form/link.tsx'
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
      <Card title={words('detailsTitle')} onChange={() => session.send({ type: 'change' })}>
        <dl>
          {[...rows].map(([label, values]) => (
            <div>
              <dt>{words(label)}</dt>
              <dd>{values.filter(Boolean).join(' ') || words('notGiven')}</dd>
            </div>
          ))}
        </dl>
      </Card>
      {answers.addresses.map((address, index) => (
        <AddressCard
          session={session}
          address={address}
          index={index}
          isFixed={flow.fixed.addresses[index] !== undefined}
        />
      ))}
      {answers.abroadBefore && (
        <Card
          title={words('previousAddress')}
          line={words('outsideUk')}
          onChange={() => session.send({ type: 'change', address: answers.addresses.length })}
        >
          <p>{words('outsideUk')}</p>
        </Card>
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

type AddressProps = { session: Session; address: Typed; index: number; isFixed: boolean }

function AddressCard({ session, address, index, isFixed }: AddressProps) {
  const words = useWords()
  const title = words(index === 0 ? 'currentAddress' : 'previousAddress')
  const lines = addressLines(address)
  const year = readNumber(readInput(address, 'movedYear'))
  const date = year ? showMonth(words, year, readMonth(readInput(address, 'movedMonth'))) : ''
  return (
    <Card
      title={title}
      line={lines[0]}
      onRemove={index > 0 && !isFixed && (() => session.send({ type: 'remove', address: index, today: today() }))}
      onChange={!isFixed && (() => session.send({ type: 'change', address: index }))}
    >
      <address>
        {lines.map((line) => (
          <span>{line}</span>
        ))}
      </address>
      {date && <p class="hint">{words('movedIn', { date })}</p>}
    </Card>
  )
}

type CardProps = {
  title: string
  /** Its first line, which tells cards of one title apart. */
  line?: string | undefined
  onRemove?: false | (() => void)
  onChange: false | (() => void)
  children: ComponentChildren
}

function Card({ title, line, onRemove, onChange, children }: CardProps) {
  const words = useWords()
  const act = (label: StringKey, onClick: CardProps['onChange'] = false) =>
    onClick && (
      <Link onClick={onClick}>
        {words(label)}
        <span class="unseen"> {[title, line].filter(Boolean).join(', ')}</span>
      </Link>
    )
  return (
    <section class="card" part="card">
      <header>
        <strong>{title}</strong>
        {act('remove', onRemove)}
        {act('change', onChange)}
      </header>
      {children}
    </section>
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
