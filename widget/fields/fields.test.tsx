// @vitest-environment happy-dom
// Every field is known in every place: a new one needs an example here, and the rest follows from the table.
import { signal } from '@preact/signals'
import { act, cleanup, render, screen, within } from '@testing-library/preact'
import { afterEach, describe, expect, test } from 'vitest'
import { type Flow, type ScreenNamed, startFlow } from '../flow/flow.ts'
import { findRefusedAnswers } from '../flow/refused-answers.ts'
import { Address } from '../screens/address.tsx'
import { CheckAnswers } from '../screens/answers.tsx'
import { Details } from '../screens/details.tsx'
import type { Session } from '../session.ts'
import { enCheck } from '../strings/en-check.ts'
import { addEnglish, createWords } from '../strings/words.ts'
import { ADDRESS_FIELDS } from './address.ts'
import { type Answers, readPrefill, toConsumerDetails } from './answers.ts'
import type { Field } from './field.ts'
import { PERSON_FIELDS } from './person.ts'
import { type AddressWireField, keysOf, type PersonWireField, type Typed } from './typed.ts'

addEnglish(enCheck)

/** The value sent, the line in "Check your answers", and the content of its inputs. */
type Example = { sent: string; shown: string; typed: Typed }
const same = (name: Exclude<PersonWireField, 'dateOfBirth'>, text: string): Example => ({
  sent: text,
  shown: text,
  typed: { [name]: text },
})

const PERSON: { [name in PersonWireField]: Example } = {
  title: same('title', 'Dr'),
  firstName: same('firstName', 'Sam'),
  middleName: same('middleName', 'Jo'),
  lastName: same('lastName', 'Patel'),
  dateOfBirth: { sent: '1985-03-27', shown: '27 March 1985', typed: { day: '27', month: '3', year: '1985' } },
  mobileNumber: { sent: '+447700900123', shown: '07700 900123', typed: { mobileNumber: '+447700900123' } },
  email: same('email', 'sam@example.com'),
}
const ADDRESS: { [name in AddressWireField]: string } = {
  subBuildingName: 'Flat 3',
  buildingName: 'Mill House',
  buildingNumber: '22',
  thoroughfare: 'Weir Street',
  district: 'Ambleside',
  townOrCity: 'Leeds',
  postcode: 'LS1 4AP',
}

const known = Object.fromEntries(keysOf(PERSON).map((name) => [name, PERSON[name].sent]))
const answers: Answers = readPrefill({ ...known, addresses: [{ ...ADDRESS, movedIn: '2015-09' }] })
const flow: Flow = { ...startFlow(36), answers }
const session: Session = {
  flow: signal(flow),
  check: signal(null),
  send: () => undefined,
  isLocked: false,
  touch: () => undefined,
  isTouched: () => false,
  begin: async () => true,
  tellFault: () => undefined,
  sync: () => undefined,
  end: () => undefined,
}
const words = createWords('en-GB')
const sent = toConsumerDetails(answers, 'session-1')

afterEach(() => {
  act(() => cleanup())
})

const labelled = (label: string) => new RegExp(`^${label}( \\(optional\\))?$`)
const inputOf = (name: keyof Typed & Parameters<typeof words>[0]) =>
  screen.getByLabelText<HTMLInputElement>(labelled(words(name)))

describe.each(keysOf(PERSON))('%s', (name) => {
  const { sent: wire, shown, typed } = PERSON[name]
  const field: Field<never> = PERSON_FIELDS[name]

  test('is asked for, filled in with what the lender knows', () => {
    expect(answers.person).toMatchObject(typed)
    render(<Details session={session} screen={{ name: 'details', problems: [] }} flow={flow} />)
    for (const input of keysOf(field.inputs)) {
      expect(inputOf(input).value).toBe(typed[input])
      expect(inputOf(input).autocomplete).not.toBe('off')
    }
  })

  test('says that it is missing, or that it may be left out', () => {
    expect(Boolean(field.missing)).not.toBe(Boolean(field.isOptional))
  })

  test('is shown before anything is sent', () => {
    render(<CheckAnswers session={session} screen={{ name: 'answers', problems: [] }} flow={flow} />)
    expect(screen.getByText(new RegExp(shown))).toBeDefined()
  })

  test('is sent', () => expect(sent[name]).toBe(wire))

  test('shows what a server says against it, at its own input', () => {
    const refused = findRefusedAnswers({ code: 'validation-error', status: 400, message: `${name}: is not accepted` })
    expect(refused?.name).toBe('details')
    const [problem] = refused?.problems ?? []
    expect(problem?.field).toBe(name)
    expect(keysOf(field.inputs)).toContain(problem?.focus ?? problem?.field)
  })
})

describe.each(keysOf(ADDRESS))('%s of an address', (name) => {
  test('is asked for, filled in with what the lender knows', () => {
    const state: ScreenNamed<'address'> = { name: 'address', index: 0, problems: [] }
    render(<Address session={session} screen={state} flow={flow} />)
    expect(inputOf(name).value).toBe(ADDRESS[name])
  })

  test('is shown before anything is sent', () => {
    const { container } = render(
      <CheckAnswers session={session} screen={{ name: 'answers', problems: [] }} flow={flow} />,
    )
    const card = container.querySelector<HTMLElement>('address')
    expect(card && within(card).getByText(new RegExp(ADDRESS[name]))).toBeDefined()
  })

  test('is sent', () => expect(sent.addresses[0]?.ukAddress[name]).toBe(ADDRESS[name]))

  test('shows what a server says against it, at its own input', () => {
    const message = `addresses[0].ukAddress.${name}: is not accepted`
    const refused = findRefusedAnswers({ code: 'validation-error', status: 400, message })
    expect(refused).toMatchObject({ name: 'address', index: 0 })
    const [problem] = refused?.problems ?? []
    expect(problem?.focus ?? problem?.field).toBe(name)
    expect(Object.keys(ADDRESS_FIELDS)).toContain(problem?.field)
  })
})
