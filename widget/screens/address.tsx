import type { ComponentChildren, TargetedEvent } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { namesABuilding } from '../../contract/building.ts'
import { ADDRESS_FIELDS, type AddressRules, addressLines, monthsCovered } from '../fields/address.ts'
import { today } from '../fields/date.ts'
import { type Field, isAsked } from '../fields/field.ts'
import type { Problem } from '../fields/problem.ts'
import { isBlank, keysOf, readInput, type Typed } from '../fields/typed.ts'
import type { Flow, ScreenNamed } from '../flow/flow.ts'
import { findProblemsAt, placeOf, rulesAt, withAddress } from '../flow/form-steps.ts'
import { FormField } from '../form/field.tsx'
import { Form, readForm } from '../form/form.tsx'
import { Link } from '../form/link.tsx'
import { useFrame, useWords } from '../frame.ts'
import type { Session } from '../session.ts'
import { showMonths } from '../strings/words.ts'
import { AnotherWay } from './another-way.tsx'
import { Removed } from './removed.tsx'
import { Waiting } from './waiting.tsx'

type Props = { session: Session; screen: ScreenNamed<'address'>; flow: Flow }

/** The fields a search asks for; what is wrong with any other needs the whole form. */
const SEARCHED: readonly Problem['field'][] = ['postcode', 'moved']

/**
 * The current address, or an earlier one: searched for when the lender offers that, and always possible to type in.
 */
export function Address({ session, screen, flow }: Props) {
  const { words, addressLookup } = useFrame()
  const [chunk, setChunk] = useState<typeof import('./find-address.tsx') | 'failed' | null>(null)
  const [address, setAddress] = useState<Typed>(flow.answers.addresses[screen.index] ?? {})
  const [found, setFound] = useState<Typed[] | null>(null)
  // Problems from before the search need not hold for the address that is found.
  const [outdated, setOutdated] = useState<Problem[] | null>(null)
  // As it was when the screen came: a form that is being filled in is not taken away.
  const [isOffered] = useState(addressLookup !== null || flow.findsAddresses)
  // A search starts with no more than these: a reload keeps them, but not what was chosen from a list.
  const building = { ...address, postcode: '', movedMonth: '', movedYear: '' }
  const [isTyping, setTyping] = useState(!isOffered || !isBlank(building))
  // Back leads to the search for who has come from there.
  const [hasSearched, setSearched] = useState(!isTyping)
  const lookup = addressLookup ?? session.check.value?.lookUp
  const isKnown = flow.fixed.addresses[screen.index] !== undefined
  const canSearch = isOffered && !isKnown && chunk !== 'failed'
  useEffect(() => {
    if (isTyping || chunk) return
    import('./find-address.tsx').then(setChunk, () => setChunk('failed'))
  }, [isTyping])
  const leave = (typed: Typed) => session.send({ type: 'back', typed })
  const recheck = (typed: Typed) => findProblemsAt(withAddress(flow, screen.index, typed), screen.index, today())
  const problems = screen.problems === outdated ? [] : screen.problems
  const searchAnew = () => setOutdated(screen.problems)
  const openSearch = (typed: Typed) => {
    setAddress(typed)
    searchAnew()
    setSearched(true)
    setTyping(false)
  }
  const title = screen.index === 0 ? 'addressTitle' : 'addressBeforeTitle'
  const isOneMore = screen.index > 0 && !screen.fromAnswers
  const lead = isOneMore && (
    <>
      {flow.historyMonths > 0 && (
        <p class="lead">
          {words('addressBeforeLead', {
            had: showMonths(words, monthsCovered(flow.answers.addresses.slice(0, screen.index), today())),
            needed: showMonths(words, flow.historyMonths),
          })}
        </p>
      )}
      <Removed session={session} flow={flow} />
    </>
  )
  const abroad = isOneMore ? (
    <Link onClick={() => session.send({ type: 'abroad' })}>{words('addressAbroad')}</Link>
  ) : (
    screen.index === 0 && <AnotherWay summary="liveAbroad" lead="liveAbroadLead" />
  )
  const searchAgain = (
    <>
      <Link onClick={({ currentTarget: { form } }) => openSearch(form ? readForm(form) : address)}>
        {words('findAddress')}
      </Link>
      <div>{abroad}</div>
    </>
  )
  if (isTyping || !canSearch || !lookup)
    return (
      <TypeAddress
        session={session}
        screen={screen}
        flow={flow}
        typed={address}
        problems={problems}
        title={title}
        lead={lead}
        after={canSearch && !hasSearched ? searchAgain : abroad}
        recheck={recheck}
        onBack={canSearch && hasSearched ? openSearch : leave}
      />
    )
  if (!chunk) return <Waiting title={words(title)} />
  return (
    <chunk.FindAddress
      title={title}
      place={placeOf('address', flow, today())}
      lead={lead}
      after={abroad}
      lookup={lookup}
      known={address}
      found={found}
      onFound={setFound}
      asksMoved={flow.historyMonths > 0}
      problems={problems}
      recheck={recheck}
      onSearch={searchAnew}
      onBack={({ postcode = '' }) => leave({ ...address, postcode })}
      onType={(typed) => {
        setAddress(typed)
        setTyping(true)
      }}
      onChoose={(typed) => {
        setAddress(typed)
        setTyping(recheck(typed).some(({ field }) => !SEARCHED.includes(field)))
        session.send({ type: 'address', typed, today: today() })
      }}
    />
  )
}

type TypeProps = Props & {
  typed: Typed
  title: 'addressTitle' | 'addressBeforeTitle'
  problems: Problem[]
  lead: ComponentChildren
  after: ComponentChildren
  recheck: (typed: Typed) => Problem[]
  onBack: (typed: Typed) => void
}

function TypeAddress(props: TypeProps) {
  const { session, screen, flow, typed, problems, title, lead, after, recheck, onBack } = props
  const words = useWords()
  const [split, setSplit] = useState('')
  const rules = rulesAt(flow, screen.index, today())
  const fixed = flow.fixed.addresses[screen.index] ?? {}

  // A browser fills "Flat 2" and "10 High Street" into street and district: there is no name for the number it could
  // fill.
  const onStreet = async ({ currentTarget: { form } }: TargetedEvent<HTMLInputElement>) => {
    const parts = form && (await splitBuilding(() => readForm(form)))
    if (!parts) return
    for (const [name, value] of Object.entries(parts)) {
      const input = form.elements.namedItem(name)
      if (input instanceof HTMLInputElement) input.value = value
    }
    // The building may be complete now.
    form.dispatchEvent(new Event('change'))
    setSplit(addressLines({ ...parts, thoroughfare: '', district: '' }).join(', '))
  }

  const submit = async (now: Typed) => {
    const parts = await splitBuilding(() => ({ ...fixed, ...now }))
    const shown = session.flow.value.screen
    // A second press may have been quicker.
    if (shown.name === 'address' && shown.index === screen.index)
      session.send({ type: 'address', typed: { ...now, ...parts }, today: today() })
  }

  return (
    <Form
      title={words(title)}
      place={placeOf('address', flow, today())}
      typed={typed}
      fixed={fixed}
      problems={problems}
      recheck={recheck}
      onSubmit={submit}
      onBack={onBack}
      after={after}
    >
      {lead}
      {keysOf(ADDRESS_FIELDS).map((name) => {
        const field: Field<AddressRules> = ADDRESS_FIELDS[name]
        if (!isAsked(field, typed, rules)) return null
        // The browser knows where they live now, and would offer that.
        const off = screen.index > 0 && { autocomplete: 'off' as const }
        if (name === 'district') return <FormField name={name} field={field} input={{ ...off, onChange: onStreet }} />
        if (name !== 'thoroughfare') return <FormField name={name} field={field} input={{ ...off }} />
        return (
          <>
            <FormField name={name} field={field} input={{ ...off, onChange: onStreet }} />
            <p class="suggestion" role="status">
              {split && words('streetSplit', { parts: split })}
            </p>
          </>
        )
      })}
    </Form>
  )
}

/**
 * Street and district taken apart, when they are the only places that say which building: a browser fills an address in
 * as two lines. Who types begins with the building, and needs none of this; without it the form asks for the building.
 */
async function splitBuilding(read: () => Typed): Promise<Typed | null> {
  const lines = () => (namesABuilding(read()) ? [] : [readInput(read(), 'thoroughfare'), readInput(read(), 'district')])
  if (!lines().some(Boolean)) return null
  const chunk = await import('../fields/split-street.ts').catch(() => null)
  // As they are now: the building may have been filled in meanwhile.
  const [street = '', district] = lines()
  return chunk?.splitStreet(street, district) ?? null
}
