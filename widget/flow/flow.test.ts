import { expect, test } from 'vitest'
import { on, sending } from '../../testing/check-flow.ts'
import { UK_MOBILE } from '../fields/person.ts'
import { emptied, type Flow, type Screen, type ScreenName, send, startFlow, startOver } from './flow.ts'

test('a flow begins with nothing: no answer, no agreement, no round, and what the page asks for', () => {
  const nothing = { person: {}, addresses: [], abroadBefore: false }
  expect(startFlow(36)).toEqual({
    screen: { name: 'details', problems: [] },
    answers: nothing,
    known: nothing,
    fixed: nothing,
    start: 'none',
    test: false,
    findsAddresses: false,
    bureaus: [],
    historyMonths: 36,
    mobile: UK_MOBILE,
    removed: null,
    kept: null,
    isResumed: false,
    hasAgreed: false,
    shown: '',
    round: 0,
  })
})

test('what is sent is no longer what a reload waits for', () => {
  const step = send({ ...on(sending), isResumed: true })
  expect([step.flow.screen, step.flow.isResumed, step.ask]).toEqual([{ name: 'sending' }, false, 'generate'])
})

test.each<[Flow['start'], Flow['start']]>([
  ['none', 'none'],
  ['awaited', 'awaited'],
  ['here', 'awaited'],
])('emptied, a page whose start is %s has it %s', (start, after) => {
  expect(emptied(startFlow(36, UK_MOBILE, start)).start).toBe(after)
})

test('emptied, a flow keeps what the lender decides and nothing of the consumer', () => {
  const lenders = { test: true, findsAddresses: true, bureaus: ['equifax'] }
  const flow: Flow = { ...on(sending), ...lenders, shown: 'words', round: 3, isResumed: true, kept: 'Patel' }
  expect(emptied(flow)).toEqual({ ...startFlow(36), ...lenders })
})

test.each<[ScreenName, Screen, 'forget' | undefined]>([
  ['details', { name: 'details', problems: [] }, undefined],
  ['address', { name: 'address', index: 0, problems: [] }, undefined],
  ['answers', { name: 'answers', problems: [] }, undefined],
  ['sending', sending, 'forget'],
  ['expired', { name: 'expired' }, 'forget'],
])('starting over from %s begins a new round, and the server forgets what was sent', (_name, screen, ask) => {
  const step = startOver({ ...on(screen), round: 2 })
  expect([step.flow.screen.name, step.flow.round, step.ask]).toEqual(['details', 3, ask])
})
