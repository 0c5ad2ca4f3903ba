import { expect, test } from 'vitest'
import { type Challenge, openChallenge } from './challenge.ts'
import { addMove, addUnanswered, type History } from './history.ts'

const open = openChallenge({ nowMs: 0, deviceVerified: true })
const asked: History = { asked: ['equifax'] }

test.each<[name: string, history: History, was: Partial<Challenge>, next: Partial<Challenge>, added: History]>([
  ['a text adds nothing', {}, {}, { sentAtMs: [0, 5] }, {}],
  ['a wrong code adds its time', {}, {}, { attempts: 1 }, { wrongCodesAtMs: [9] }],
  ['the next one its own', { wrongCodesAtMs: [4] }, { attempts: 1 }, { attempts: 2 }, { wrongCodesAtMs: [4, 9] }],
  ['the right code adds its time', {}, {}, { verifiedSend: 1 }, { verifiedAtMs: 9 }],
  ['once', { verifiedAtMs: 4 }, { verifiedSend: 1 }, { verifiedSend: 2 }, {}],
  [
    'a wrong code after it is one more',
    { verifiedAtMs: 4 },
    { verifiedSend: 1 },
    { verifiedSend: 1, attempts: 1 },
    { wrongCodesAtMs: [9] },
  ],
])('%s', (_name, history, was, next, added) => {
  const moved = addMove({ ...asked, ...history }, { was: { ...open, ...was }, next: { ...open, ...next }, nowMs: 9 })
  expect(moved).toEqual({ ...asked, ...history, ...added })
})

test('of the times that the agencies gave no report the newest ten are kept', () => {
  let history = asked
  for (let timeMs = 1; timeMs <= 12; timeMs += 1) history = addUnanswered(history, timeMs)
  expect(history).toEqual({ ...asked, unansweredAtMs: [3, 4, 5, 6, 7, 8, 9, 10, 11, 12] })
})
