import { expect, test } from 'vitest'
import {
  closeTickets,
  currentTicket,
  doneTicket,
  type EndedTicket,
  endTicket,
  expiresAt,
  keepTickets,
  type OpenTicket,
  showChallenge,
  type Ticket,
  withTicket,
} from './ticket.ts'

const ticket: OpenTicket = {
  status: 'open',
  creditReportId: 'r-1',
  challengeId: 'c-1',
  lastSentAtMs: 0,
  expiresAtMs: 300_000,
  attemptsRemaining: 3,
  textsRemaining: 2,
}
const other = { ...ticket, creditReportId: 'r-2', lastSentAtMs: 10_000, expiresAtMs: 310_000 }

const ended: EndedTicket = { creditReportId: 'r-1', status: 'failed', endedAtMs: 0 }
const complete: EndedTicket = { ...ended, status: 'complete' }
const MINUTE_MS = 60_000

test.each([
  ['an open check, even past its time: only the service can say that it is over', ticket, 310_000, null, 'r-1'],
  ['an open check a quarter of an hour after its time: it may be complete', ticket, 20 * MINUTE_MS, null, 'r-1'],
  ['an end, on the last millisecond of its quarter of an hour', ended, 15 * MINUTE_MS - 1, null, 'r-1'],
  ['nothing a millisecond later', ended, 15 * MINUTE_MS, null, undefined],
  ['nothing that was closed', { ...complete, isClosed: true }, 0, null, undefined],
  ['nothing when another check is asked for', ticket, 0, 'r-2', undefined],
  ['the check that is asked for', ticket, 0, 'r-1', 'r-1'],
] as const)('a reload comes back to %s', (_what, only, nowMs, asked, expected) => {
  expect(currentTicket([only], nowMs, asked)?.creditReportId).toBe(expected)
})

test.each([
  ['an open check', ticket, 65 * MINUTE_MS],
  ['a failed one, which is then not the latest', ended, 60 * MINUTE_MS],
  ['a completed one', complete, 60 * MINUTE_MS],
] as const)('%s is kept for its time and no longer', (_what, only, untilMs) => {
  expect(keepTickets([only], untilMs - 1)).toEqual([only])
  expect(keepTickets([only], untilMs)).toEqual([])
})

test('what is closed is shown no more, and stays the latest check', () => {
  const closed = closeTickets([ticket, complete, ended], false)
  expect(closed.map(({ status }) => status)).toEqual(['open', 'complete', 'failed'])
  expect(currentTicket(closed.slice(1), 0, null)).toBeNull()
  expect(currentTicket(closeTickets([ticket], true), 0, null)).toBeNull()
  expect(closed.some(({ isForgotten }) => isForgotten)).toBe(false)
  expect(closeTickets([complete], true)).toEqual([{ ...complete, isClosed: true, isForgotten: true }])
})

test.each<[string, Ticket[], string | null, string | undefined]>([
  ['the latest, if it was completed', [complete, ticket], null, 'r-1'],
  ['not one before it', [other, complete], null, undefined],
  ['the one that is asked for', [other, complete], 'r-1', 'r-1'],
  ['a closed one', [{ ...complete, isClosed: true }], null, 'r-1'],
  ['no forgotten one', [{ ...complete, isForgotten: true }], null, undefined],
  ['none', [], null, undefined],
])('the completed check is %s', (_what, tickets, asked, expected) => {
  expect(doneTicket(tickets, asked)?.creditReportId).toBe(expected)
})

test('an end keeps what names the check, and nothing else of it', () => {
  const end = { status: 'complete', endedAtMs: 7 } as const
  expect(endTicket({ ...ticket, externalReference: 'a-1' }, end)).toEqual({
    ...end,
    creditReportId: 'r-1',
    challengeId: 'c-1',
    externalReference: 'a-1',
  })
  expect(endTicket({ creditReportId: 'r-1' }, end)).toEqual({ ...end, creditReportId: 'r-1' })
})

test('a challenge ends when the service says, or as was known before', () => {
  expect([expiresAt(1_000, 60, 5), expiresAt(1_000, 0, 5), expiresAt(1_000, null, 5)]).toEqual([61_000, 1_000, 5])
})

test('tickets are kept by their last text, three at most', () => {
  const many = [1, 2, 3, 4].map((number) => ({ ...ticket, creditReportId: `r-${number}`, lastSentAtMs: number }))
  expect(keepTickets(many, 0).map(({ creditReportId }) => creditReportId)).toEqual(['r-4', 'r-3', 'r-2'])
})

test('an ended check counts from its end', () => {
  const mixed = [
    { ...ended, creditReportId: 'r-1', endedAtMs: 5 },
    { ...ticket, creditReportId: 'r-2', lastSentAtMs: 7 },
    { ...complete, creditReportId: 'r-3', endedAtMs: 9 },
  ]
  expect(keepTickets(mixed, 10).map(({ creditReportId }) => creditReportId)).toEqual(['r-3', 'r-2', 'r-1'])
})

test('a changed ticket takes the place of its older self', () => {
  expect(withTicket([ticket, other], { ...ticket, attemptsRemaining: 1 })).toEqual([
    { ...ticket, attemptsRemaining: 1 },
    other,
  ])
})

test.each([
  [0, 300],
  [1, 300],
  [299_001, 1],
  [400_000, 0],
])('at %s ms there are %s seconds left', (nowMs, expiresInSeconds) => {
  const shown = { challengeId: 'c-1', expiresInSeconds, attemptsRemaining: 3, textsRemaining: 2 }
  expect(showChallenge(ticket, nowMs)).toStrictEqual(shown)
  const mobileNumberEnding = '123'
  expect(showChallenge({ ...ticket, mobileNumberEnding }, nowMs)).toStrictEqual({ ...shown, mobileNumberEnding })
})
