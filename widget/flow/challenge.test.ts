import { expect, test } from 'vitest'
import { now, state } from '../../testing/check-flow.ts'
import { openChallenge } from './challenge.ts'
import { deadlineIn } from './deadline.ts'

test.each([
  ['a text that has just left', 300, true, 5, 30_000],
  ['one whose code lives shorter', 100, true, 2, 30_000],
  ['one that left ten seconds before a reload', 290, false, 0, 20_000],
  ['one that left long before', 100, false, 0, 0],
  ['one whose code lives longer than usual', 400, false, 0, 30_000],
])('%s: how long its code works, and when another may be asked for', (_name, expiresInSeconds, fresh, minutes, ms) => {
  const challenge = openChallenge('r1', { ...state, expiresInSeconds }, now, fresh)
  expect(challenge).toEqual({
    creditReportId: 'r1',
    challengeId: 'c1',
    deadline: deadlineIn(expiresInSeconds * 1_000, now),
    resendFrom: deadlineIn(ms, now),
    attemptsRemaining: 3,
    textsRemaining: 2,
    lifetimeMinutes: minutes,
    mobileNumberEnding: '123',
  })
})
