import type { ComponentChildren, JSX, TargetedEvent } from 'preact'
import { useEffect } from 'preact/hooks'
import { namesABuilding } from '../../contract/building.ts'
import { type Chunks, loadChunk } from '../chunks.ts'
import { addressLines, monthsCovered } from '../fields/address.ts'
import { today } from '../fields/date.ts'
import { type Fields, isBlank, type Problem, typed } from '../fields/problem.ts'
import { splitStreet } from '../fields/split-street.ts'
import { type Flow, type ScreenNamed, withAddress } from '../flow/flow.ts'
import { findProblemsAt } from '../flow/form-steps.ts'
import { Group, TextField } from '../form/field.tsx'
import { Form, readForm } from '../form/form.tsx'
import { useFrame, useWords } from '../frame.ts'
import type { Session } from '../session.ts'
import { useSignal } from '../signal.ts'
import { showMonths } from '../strings/words.ts'
import { Waiting } from './waiting.tsx'

type Props = { session: Session; screen: ScreenNamed<'address'>; flow: Flow }

/** Where the consumer lives, or lived before: searched for when the lender offers that, and always possible to type in. */
export function Address({ session, screen, flow }: Props): JSX.Element {
  const { words, addressLookup } = useFrame()
  const finder = useSignal<Chunks['find-address'] | 'failed' | null>(null)
  const address = useSignal<Fields>(flow.answers.addresses[screen.index] ?? {})
  const found = useSignal<Fields[] | null>(null)
  // What was wrong before the consumer went back to the search need not be wrong with what they find.
  const outdated = useSignal<Problem[] | null>(null)
  // Nothing but a postcode is where a search starts.
  const isTyping = useSignal(!addressLookup || !isBlank({ ...address.value, postcode: '' }))
  const chunk = finder.value
  const canSearch = addressLookup && chunk !== 'failed'
  useEffect(() => {
    if (isTyping.value || chunk) return
    loadChunk('find-address').then(
      (loaded) => {
        finder.value = loaded
      },
      () => {
        finder.value = 'failed'
      },
    )
  }, [isTyping.value])
  const leave = (fields: Fields) => session.send({ type: 'back', fields })
  const title = screen.index === 0 ? 'addressTitle' : 'addressBeforeTitle'
  const isOneMore = screen.index > 0 && !screen.fromAnswers
  const lead = isOneMore && flow.historyMonths > 0 && (
    <p class="lead">
      {words('addressBeforeLead', {
        had: showMonths(words, monthsCovered(flow.answers.addresses.slice(0, screen.index), today())),
        needed: showMonths(words, flow.historyMonths),
      })}
    </p>
  )
  const abroad = isOneMore && (
    <button type="button" class="link" part="link" onClick={() => session.send({ type: 'abroad' })}>
      {words('addressAbroad')}
    </button>
  )
  if (isTyping.value || !canSearch)
    return (
      <TypeAddress
        session={session}
        screen={screen}
        flow={flow}
        fields={address.value}
        problems={screen.problems === outdated.value ? [] : screen.problems}
        title={title}
        lead={lead}
        after={abroad}
        onBack={(fields) => {
          if (!canSearch || screen.fromAnswers) return leave(fields)
          address.value = fields
          outdated.value = screen.problems
          isTyping.value = false
        }}
      />
    )
  if (!chunk) return <Waiting title={words(title)} />
  return (
    <chunk.FindAddress
      title={title}
      lead={lead}
      after={abroad}
      lookup={addressLookup}
      known={address.value}
      found={found}
      onBack={({ postcode = '' }) => leave({ ...address.value, postcode })}
      onFound={(fields) => {
        const { movedMonth = '', movedYear = '' } = address.value
        address.value = { movedMonth, movedYear, ...fields }
        isTyping.value = true
      }}
    />
  )
}

type TypeProps = Props & {
  fields: Fields
  title: 'addressTitle' | 'addressBeforeTitle'
  problems: Problem[]
  lead: ComponentChildren
  after: ComponentChildren
  onBack: (fields: Fields) => void
}

function TypeAddress({ session, screen, flow, fields, problems, title, lead, after, onBack }: TypeProps): JSX.Element {
  const words = useWords()
  const split = useSignal('')

  // A browser fills "10 High Street" into the street: there is no name for the number it could fill.
  const onStreet = ({ currentTarget: street }: TargetedEvent<HTMLInputElement>) => {
    const form = street.form && readForm(street.form)
    const parts = form && splitBuilding(form)
    if (!parts) return
    for (const [name, text] of Object.entries(parts)) {
      const input = street.form?.elements.namedItem(name)
      if (input instanceof HTMLInputElement) input.value = text
    }
    split.value = addressLines({ ...parts, thoroughfare: '' }).join(', ')
  }

  return (
    <Form
      title={words(title)}
      step={2}
      fields={fields}
      problems={problems}
      recheck={(now) => findProblemsAt(withAddress(flow, screen.index, now), screen.index, today())}
      onSubmit={(now) => session.send({ type: 'address', fields: { ...now, ...splitBuilding(now) }, today: today() })}
      onBack={onBack}
      after={after}
    >
      {lead}
      <Group name="building" legend="building" hint="buildingHint">
        <div class="row">
          <TextField name="buildingNumber" width="w5" />
          <TextField name="buildingName" />
          <TextField name="subBuildingName" />
        </div>
      </Group>
      <TextField name="thoroughfare" input={{ autocomplete: 'address-line1', onChange: onStreet }} />
      <p class="suggestion" role="status">
        {split.value && words('streetSplit', { parts: split.value })}
      </p>
      <TextField name="district" optional input={{ autocomplete: 'address-line2' }} />
      <TextField name="townOrCity" input={{ autocomplete: 'address-level2' }} />
      <TextField name="postcode" width="w10" input={{ autocomplete: 'postal-code', autocapitalize: 'characters' }} />
      {flow.historyMonths > 0 && (
        <Group name="moved" legend="moved" hint="movedHint">
          <div class="row">
            <TextField name="movedMonth" width="w2" input={{ inputMode: 'numeric' }} />
            <TextField name="movedYear" width="w4" input={{ inputMode: 'numeric' }} />
          </div>
        </Group>
      )}
    </Form>
  )
}

/** The street line taken apart, when it is the only place that says which building. */
function splitBuilding(fields: Fields): Fields | null {
  return namesABuilding(fields) ? null : splitStreet(typed(fields, 'thoroughfare'))
}
