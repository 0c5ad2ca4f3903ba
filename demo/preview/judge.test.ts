import { expect, test } from 'vitest'
import type { Journey } from '../journeys/journey.ts'
import { journeys } from '../journeys/journeys.ts'
import { judge, type Outcome } from './judge.ts'

const journey = journeys.find(({ id }) => id === 'rate-limited') as Journey
const asExpected: Outcome = {
  heading: journey.ends.heading,
  events: [{ name: 'error', detail: { code: 'rate-limited' } }],
  costCredits: 0,
  records: null,
}

test('a run that ends as it must has nothing to say', () => {
  expect(judge(journey, asExpected)).toEqual([])
})

const rows: [name: string, change: Partial<Outcome>, difference: RegExp][] = [
  ['another screen', { heading: 'Your credit report' }, /^screen: expected “Wait a few minutes/],
  ['a missing event', { events: [] }, /^events: expected “error”, found “”/],
  ['another error', { events: [{ name: 'error', detail: { code: 'network' } }] }, /^error code: .* found “network”/],
  ['a charge', { costCredits: 500 }, /^cost: expected 0, found 500/],
]

test.each(rows)('%s is named', (_name, change, difference) => {
  expect(judge(journey, { ...asExpected, ...change }).join('\n')).toMatch(difference)
})

test('the number of accounts counts where the journey names one', () => {
  const reporting = journeys.find(({ id }) => id === 'test003-allow') as Journey
  const outcome = { heading: reporting.ends.heading, events: [{ name: 'complete', detail: {} }], costCredits: 0 }
  expect(judge(reporting, { ...outcome, records: 3 })).toEqual([])
  expect(judge(reporting, { ...outcome, records: 4 })).toEqual(['accounts: expected 3, found 4'])
})
