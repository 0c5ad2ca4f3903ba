import { describe, expect, test } from 'vitest'
import { read } from './problems.ts'
import { REPORT_STATES, ReportListItem, ReportListQuery, ReportListResponse } from './report-list.ts'
import { ReportState } from './report-state.ts'
import { sampleReport } from './samples.ts'

const meta = { request: { timeTakenMs: 2 } }
const common = {
  creditReportId: '019a8756-1b27-7c3e-9f21-5d0c4a7be813',
  reference: 'K7QM2F9H',
  externalReference: 'order-1042',
  test: false,
  createdAt: '2026-11-15T09:30:00.000Z',
}
const ended = { endedAt: '2026-11-15T09:31:12.000Z' }
const challenge = { challengeId: 'c1', attemptsRemaining: 2, textsRemaining: 1, expiresAt: '2026-11-15T09:35:00.000Z' }

const states = [
  { status: 'pending', ...common },
  { status: 'authentication-required', ...common, challengeType: 'otp', challenge },
  { status: 'complete', ...common, ...ended, challengeType: 'otp', creditReport: sampleReport },
  { status: 'blocked', reason: 'risk', ...common, ...ended },
  { status: 'failed', reason: 'attempts', ...common, ...ended, challengeType: 'otp' },
  { status: 'expired', reason: 'timeout', ...common, ...ended, challengeType: 'otp' },
] as const

describe('how a report stands', () => {
  test.each(states)('$status is read whole', (data) => {
    expect(read(ReportState, data)).toEqual({ ok: true, value: data })
  })

  test('every state is here', () => {
    expect(states.map(({ status }) => status)).toEqual(REPORT_STATES)
  })

  test('a complete report whose time is over comes without its content', () => {
    const data = { status: 'complete', ...common, ...ended, challengeType: 'none' }
    expect(read(ReportState, data).ok).toBe(true)
  })

  test.each([
    ['an open challenge that does not say what is left', { ...states[1], challenge: { challengeId: 'c1' } }],
    ['an end without its time', { ...states[3], endedAt: undefined }],
    ['a retry: here such a challenge is open', { ...states[1], status: 'retry' }],
  ])('%s is not read', (_says, data) => {
    expect(read(ReportState, data).ok).toBe(false)
  })
})

describe('a list of reports', () => {
  test('is read, and has nothing about the person', () => {
    const entry = { ...states[2], creditReport: sampleReport }
    const { creditReport: _person, ...kept } = entry
    expect(read(ReportListItem, entry)).toEqual({ ok: true, value: kept })
    const answer = { meta, data: { creditReports: [kept], nextAfter: kept.creditReportId } }
    expect(read(ReportListResponse, answer)).toEqual({ ok: true, value: answer })
  })

  test.each([
    [{}, { limit: 50 }],
    [{ limit: '7' }, { limit: 7 }],
    [
      { limit: '200', after: 'r1' },
      { limit: 200, after: 'r1' },
    ],
    [{ externalReference: ' order-1042 ' }, { externalReference: 'order-1042', limit: 50 }],
  ])('%j asks for %j', (query, expected) => {
    expect(read(ReportListQuery, query)).toEqual({ ok: true, value: expected })
  })

  test.each(['0', '201', '1.5', 'ten', '-1', '', '1e2', ' 1'])('a limit of %j is refused by name', (limit) => {
    expect(read(ReportListQuery, { limit })).toEqual({
      ok: false,
      problems: [{ path: 'limit', expected: 'must be a whole number from 1 to 200' }],
    })
  })

  test('an empty cursor is refused', () => {
    expect(read(ReportListQuery, { after: '' })).toMatchObject({ ok: false, problems: [{ path: 'after' }] })
  })
})
