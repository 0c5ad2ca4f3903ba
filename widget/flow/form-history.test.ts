// Several addresses, prefills and drafts one after another: what each leaves of what was there before.
import { describe, expect, test } from 'vitest'
import { address, details, follow, followFrom, home, sam, today } from '../../testing/form-flow.ts'
import type { Prefill } from '../fields/answers.ts'
import { UK_MOBILE } from '../fields/person.ts'
import { type FormEvent, type Screen, startFlow } from './flow.ts'
import { advanceForm, rulesAt } from './form-steps.ts'

const prefill = (known: Prefill, by?: 'locked' | 'start'): FormEvent => ({ type: 'prefill', prefill: known, by })
const three = [details, address('2025', '1'), address('2024', '2'), address('2010', '3')]
const york = { buildingNumber: '1', townOrCity: 'York', postcode: 'YO1 7HH' }

describe('three addresses', () => {
  test('the one in the middle has to agree with the one after it and the one before', () => {
    expect(rulesAt(follow(...three), 1, today)).toEqual({
      today,
      historyMonths: 36,
      dateOfBirth: '1985-03-27',
      newer: home('2025', '1'),
      older: home('2010', '3'),
    })
  })

  test.each<[string, number, FormEvent]>([
    ['later than the one after it', 1, address('2026', '2')],
    ['earlier than the one before it', 1, address('2009', '2')],
    ['to the same door as the one after it', 1, address('2024', '1')],
  ])('a move %s is not accepted', (_what, index, moved) => {
    const { screen } = follow(...three, { type: 'change', address: index }, moved)
    expect(screen).toMatchObject({ name: 'address', index, problems: [{}] })
  })

  test('a change of one leaves the others as they are', () => {
    const changed = follow(...three, { type: 'change', address: 1 }, address('2023', '22'))
    expect(changed.answers.addresses).toEqual([home('2025', '1'), home('2023', '22'), home('2010', '3')])
    const first = follow(...three, { type: 'change', address: 0 }, address('2025', '11'))
    expect(first.answers.addresses).toEqual([home('2025', '11'), home('2024', '2'), home('2010', '3')])
  })

  test('one that is not there cannot be removed', () => {
    const flow = follow(...three)
    expect(advanceForm(flow, { type: 'remove', address: 3, today })).toEqual({ flow })
  })
})

test('an address that the lender knows, and has not fixed, is shown for the consumer to check', () => {
  const known = prefill({ addresses: [{ ...york, movedIn: '2010-01' }] })
  expect(follow(known, details).screen).toEqual({ name: 'address', index: 0, problems: [] })
})

test('whatever the lender knows later, and however often, what was typed stays', () => {
  const later = ['Ada', 'Eve'].map((firstName) => prefill({ firstName }))
  expect(follow(details, ...later).answers.person.firstName).toBe('Sam')
})

describe('a start', () => {
  const known = { lastName: 'Ash', dateOfBirth: '1985-03-07' }

  test('that the page waited for is taken, and what it says cannot be changed', () => {
    const flow = followFrom(startFlow(36, UK_MOBILE, 'awaited'), prefill(known, 'start'))
    expect([flow.start, flow.fixed.person.lastName]).toEqual(['here', 'Ash'])
  })

  test.each([
    ['without addresses asks for as many months as the page does', [], 36],
    ['with one asks for no more', [york], 0],
  ])('%s', (_what, addresses, historyMonths) => {
    expect(follow(prefill({ ...known, addresses }, 'start')).historyMonths).toBe(historyMonths)
  })
})

describe('a draft from before a reload', () => {
  const draft: FormEvent = {
    type: 'draft',
    draft: {
      id: 'd1',
      step: 'answers',
      index: 0,
      person: { ...sam, email: 'sam@example.com' },
      addresses: [home('2015', '1')],
      abroadBefore: false,
      about: '',
    },
    today,
    stays: false,
    resumes: false,
  }

  test.each([
    ['where an address is asked for', [details]],
    ['where the answers are shown', [details, address('2015', '9')]],
  ])('changes nothing %s', (_where, events) => {
    const flow = follow(...events)
    expect(advanceForm(flow, draft)).toEqual({ flow })
  })

  test('fills in the answers of a check that has gone further, and leads nowhere', () => {
    const expired: Screen = { name: 'expired' }
    const { screen, kept, answers } = followFrom({ ...startFlow(36), screen: expired }, draft)
    expect([screen, kept, answers.person.email]).toEqual([expired, null, 'sam@example.com'])
  })

  test('"Start again" is a round of its own, with new inputs', () => {
    expect(follow(draft, { type: 'start-again' }).round).toBe(1)
  })
})
