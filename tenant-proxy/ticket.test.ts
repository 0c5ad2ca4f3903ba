import { expect, test } from 'vitest'
import { currentTicket, keepTickets, readTickets, showChallenge, type Ticket, withTicket } from './ticket.ts'

const ticket: Ticket = {
  creditReportId: 'r-1',
  challengeId: 'c-1',
  lastSentAtMs: 0,
  expiresAtMs: 300_000,
  attemptsRemaining: 3,
  textsRemaining: 2,
  isOpen: true,
}
const other = { ...ticket, creditReportId: 'r-2', lastSentAtMs: 10_000, expiresAtMs: 310_000 }

test.each([
  ['on the last millisecond', 299_999, 'r-1'],
  ['when the time is up', 300_000, undefined],
])('what a reload comes back to %s', (_when, nowMs, expected) => {
  expect(currentTicket([ticket], nowMs)?.creditReportId).toBe(expected)
})

test('a ticket outlives its challenge by the grace, and no longer', () => {
  expect(keepTickets([ticket], 599_999)).toEqual([ticket])
  expect(keepTickets([ticket], 600_000)).toEqual([])
})

test('tickets are kept by their last text, three at most', () => {
  const many = [1, 2, 3, 4].map((number) => ({ ...ticket, creditReportId: `r-${number}`, lastSentAtMs: number }))
  expect(keepTickets(many, 0).map(({ creditReportId }) => creditReportId)).toEqual(['r-4', 'r-3', 'r-2'])
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
  expect(showChallenge(ticket, nowMs)).toEqual({
    challengeId: 'c-1',
    expiresInSeconds,
    attemptsRemaining: 3,
    textsRemaining: 2,
  })
})

test.each(['', 'null', '{}', '[1]', '[{"creditReportId":1}]', '{"__proto__":[]}'])('%s holds no tickets', (text) => {
  expect(readTickets(text)).toEqual([])
})
