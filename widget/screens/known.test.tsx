// @vitest-environment happy-dom
import { signal } from '@preact/signals'
import { cleanup, render, screen } from '@testing-library/preact'
import { afterEach, describe, expect, test } from 'vitest'
import { code } from '../../testing/check-flow.ts'
import { stillSession } from '../../testing/still-session.ts'
import type { Prefill } from '../fields/answers.ts'
import { PERSON_FIELDS } from '../fields/person.ts'
import { keysOf } from '../fields/typed.ts'
import { type Flow, startFlow } from '../flow/flow.ts'
import { advanceForm, placeOf } from '../flow/form-steps.ts'
import { type Frame, PLAIN_FRAME } from '../frame.ts'
import { enCheck } from '../strings/en-check.ts'
import { addEnglish } from '../strings/words.ts'
import { Address } from './address.tsx'
import { App } from './app.tsx'
import { CodeScreen } from './code.tsx'
import { Details } from './details.tsx'

addEnglish(enCheck)

afterEach(cleanup)

function flowOf(prefill: Prefill, start: Flow['start'] = 'none'): Flow {
  const event = { type: 'prefill', prefill, by: 'locked' } as const
  return advanceForm(startFlow(36, undefined, start), event)?.flow ?? startFlow(36)
}

const frame = signal<Frame>({ ...PLAIN_FRAME, mayFocus: () => false })
const labels = () => screen.getAllByRole('textbox').map(({ id }) => id)
const texts = () => screen.getAllByRole('definition').map(({ textContent }) => textContent)

test('what is locked is text; what is missing or not right is asked for', () => {
  const flow = flowOf({ firstName: 'Samira', lastName: '%', dateOfBirth: '1985-03-07', mobileNumber: '0113 496 0000' })
  render(<Details session={stillSession(flow)} screen={{ name: 'details', problems: [] }} flow={flow} />)
  expect(texts()).toEqual(['Samira', '7 March 1985'])
  const locked = ['firstName', 'dateOfBirth']
  const asked = keysOf(PERSON_FIELDS).filter((name) => name !== 'title' && !locked.includes(name))
  expect(labels()).toEqual(asked)
})

test('the same for an address, which cannot be searched for', () => {
  const flow = {
    ...flowOf({ addresses: [{ buildingNumber: '1', thoroughfare: 'High Street', postcode: 'YO1 7HH' }] }),
    findsAddresses: true,
  }
  render(<Address session={stillSession(flow)} screen={{ name: 'address', index: 0, problems: [] }} flow={flow} />)
  expect(texts()).toEqual(['1', 'High Street', 'YO1 7HH'])
  expect(labels()).toEqual(['district', 'townOrCity', 'movedMonth', 'movedYear'])
  expect(screen.queryByText(/find/i)).toBeNull()
})

describe('where the details come from', () => {
  const known = { firstName: 'Sam', lastName: 'Ash', dateOfBirth: '1985-03-07', mobileNumber: '07700 900123' }
  const show = (flow: Flow) => render(<App session={stillSession(flow)} frame={frame} />)
  const hasText = (text: string) => screen.queryByText(text, { exact: false }) !== null

  test('is said on the first screen, with a way out that is not offered for a number that cannot be changed', () => {
    show(flowOf(known))
    expect(hasText('These details come from the company you came from')).toBe(true)
    expect(hasText('Something wrong?')).toBe(true)
    expect(hasText('I do not have a UK mobile')).toBe(false)
    expect(document.querySelectorAll('slot[name=alternative-route]')).toHaveLength(1)
  })

  test('is not said of what the consumer types', () => {
    show(startFlow(36))
    expect(hasText('These details come from')).toBe(false)
    expect(hasText('Something wrong?')).toBe(false)
    expect(hasText('I do not have a UK mobile')).toBe(true)
  })

  test('a number that has to be typed keeps its own way out, and the lender’s words are there once', () => {
    const { mobileNumber: _, ...others } = known
    show(flowOf(others))
    expect(hasText('Something wrong?')).toBe(true)
    expect(hasText('I do not have a UK mobile')).toBe(true)
    expect(document.querySelectorAll('slot[name=alternative-route]')).toHaveLength(1)
  })

  test('at the code: whom to tell, and nothing to change that is fixed', () => {
    const home = { buildingNumber: '1', townOrCity: 'York', postcode: 'YO1 7HH', movedIn: '2010-01' }
    const flow = { ...flowOf({ ...known, addresses: [home] }), screen: code, hasAgreed: true }
    render(<CodeScreen session={stillSession(flow)} screen={code} flow={flow} />)
    expect(hasText('Something wrong?')).toBe(true)
    expect(screen.queryByText(/^Change/)).toBeNull()
  })
})

test.each([
  ['nothing', {}, 'none', ['1 of 4', '2 of 4', '3 of 4', '4 of 4']],
  ['an address with its date', { movedIn: '2010-01' }, 'none', ['1 of 3', '2 of 3', '2 of 3', '3 of 3']],
  ['an address that is asked for its date', {}, 'locked', ['1 of 4', '2 of 4', '3 of 4', '4 of 4']],
] as const)('the steps count on without a gap where the lender has fixed %s', (_what, moved, by, expected) => {
  const home = { buildingNumber: '1', townOrCity: 'York', postcode: 'YO1 7HH', ...moved }
  const flow = by === 'none' && !('movedIn' in moved) ? startFlow(36) : flowOf({ addresses: [home] })
  const places = (['details', 'address', 'answers', 'code'] as const).map((name) => placeOf(name, flow, '2026-11-15'))
  expect(places.map(({ step, total }) => `${step} of ${total}`)).toEqual(expected)
})

test('until the start has said who it is about, nothing is asked for', () => {
  const flow = flowOf({}, 'awaited')
  render(<App session={stillSession(flow)} frame={frame} />)
  expect(screen.queryAllByRole('textbox')).toEqual([])
  expect(screen.getByRole('heading').textContent).toBe('One moment')
})
