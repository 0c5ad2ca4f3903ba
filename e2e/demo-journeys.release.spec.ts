// Every journey of the preview's table, by hand.
import { journeys } from './journeys.ts'
import { testJourneys } from './play-journeys.ts'
import { expect, test } from './stack.ts'

testJourneys(journeys)

test('the table holds every scenario on every branch, and every refusal of the interface', () => {
  const ids = journeys.map(({ id }) => id)
  for (const scenario of ['test001', 'test002', 'test003', 'test004', 'default']) {
    for (const branch of ['allow', 'challenge', 'block']) expect(ids).toContain(`${scenario}-${branch}`)
  }
  const wanted = [
    ...['wrong-1', 'wrong-2', 'wrong-3', 'resend-1', 'resend-2', 'expired'],
    ...['insufficient-funds', 'insufficient-credits', 'rate-limited', 'unauthorized', 'forbidden'],
    ...['credit-report-not-found', 'challenge-not-found'],
    ...['offline', 'slow', 'malformed', 'fingerprint-blocked', 'current-lost'],
    ...['draft', 'locked', 'reopened', 'closed', 'known', 'hard-search', 'file-agency-away', 'file-no-file'],
  ]
  expect(ids).toEqual(expect.arrayContaining(wanted))
  expect(new Set(ids).size).toBe(ids.length)
})
