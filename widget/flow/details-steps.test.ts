import { expect, test } from 'vitest'
import { advanceDetails } from './details-steps.ts'
import { type FlowEvent, startFlow } from './flow.ts'

const today = '2026-11-15'
const sam = { firstName: 'Sam', lastName: 'Patel', day: '27', month: '3', year: '1985', mobileNumber: '07700900123' }
const follow = (...events: FlowEvent[]) =>
  events.reduce((flow, event) => advanceDetails(flow, event)?.flow ?? flow, startFlow(36))

test('good details lead to the address before anything else is loaded, and are kept', () => {
  const { screen, answers } = follow({ type: 'details', typed: sam, today })
  expect([screen, answers.person]).toEqual([{ name: 'address', index: 0, problems: [] }, sam])
})

test('bad ones stay, with what is wrong', () => {
  const { screen, answers } = follow({ type: 'details', typed: { ...sam, lastName: '' }, today })
  expect(screen).toMatchObject({ name: 'details', problems: [{ field: 'lastName' }] })
  expect(answers.person.firstName).toBe('Sam')
})

test('what the lender knows of the person is filled in; a later prefill replaces it until something is typed', () => {
  const first: FlowEvent = { type: 'prefill', prefill: { firstName: 'Ada', email: 'ada@example.com' } }
  const other: FlowEvent = { type: 'prefill', prefill: { firstName: 'Sam' } }
  expect(follow(first).answers.person).toEqual({ firstName: 'Ada', email: 'ada@example.com' })
  expect(follow(first, other).answers.person).toEqual({ firstName: 'Sam' })
  expect(follow({ type: 'details', typed: sam, today }, first).answers.person).toMatchObject({ firstName: 'Sam' })
})

test('details that come where an address is asked for change nothing', () => {
  const flow = follow({ type: 'details', typed: sam, today })
  const late: FlowEvent = { type: 'details', typed: { ...sam, firstName: 'Ada' }, today }
  expect(advanceDetails(flow, late)).toEqual({ flow })
})

test('what was typed stays, however often the page says what it knows', () => {
  const later = ['Ada', 'Eve'].map((firstName): FlowEvent => ({ type: 'prefill', prefill: { firstName } }))
  expect(follow({ type: 'details', typed: sam, today }, ...later).answers.person.firstName).toBe('Sam')
})

test('what belongs to another screen is left to the chunk', () => {
  expect(advanceDetails(startFlow(36), { type: 'address', typed: {}, today })).toBeNull()
})
