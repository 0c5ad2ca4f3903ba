import { describe, expect, test } from 'vitest'
import { ERROR_STATUS } from '../../contract/error.ts'
import type { ChallengeState } from '../../contract/tenant-proxy.ts'
import type { Answer } from '../check/wire.ts'
import { openChallenge } from './challenge.ts'
import { advanceCheck } from './check-steps.ts'
import { type Clock, deadlineIn } from './deadline.ts'
import type { Fault } from './fault.ts'
import { type Ask, type Flow, type FlowEvent, type Screen, type ScreenNamed, startFlow } from './flow.ts'

const now: Clock = { monotonicMs: 1_000, wallMs: 1_000_000 }
const state: ChallengeState = {
  challengeId: 'c1',
  expiresInSeconds: 300,
  attemptsRemaining: 3,
  textsRemaining: 2,
  mobileNumberEnding: '123',
}
const answers = { person: { mobileNumber: '07700900123' }, addresses: [{ postcode: 'LS1 4AP' }], abroadBefore: false }
const on = (screen: Screen, hasAgreed = true): Flow => ({ ...startFlow(36), screen, answers, hasAgreed })
const sending: Screen = { name: 'sending' }
const code: ScreenNamed<'code'> = {
  name: 'code',
  challenge: openChallenge('r1', state, now, true),
  busy: null,
  problems: [],
  notice: null,
}
const verifying: Screen = { ...code, busy: 'verify' }
const resending: Screen = { ...code, busy: 'resend' }

const answer = (data: Answer['data'], fresh = true): FlowEvent => ({
  type: 'answered',
  answer: { meta: { test: true }, data },
  now,
  fresh,
})
const fault = (what: Partial<Fault>, during: Ask = 'generate'): FlowEvent => ({
  type: 'fault',
  fault: { code: 'x', status: 0, ...what },
  during,
  nowMs: 1_000_000,
})

type Row = [string, Screen, FlowEvent, Partial<Screen>, Ask?]

function runs(rows: Row[]): void {
  test.each(rows)('%s', (_name, screen, event, expected, ask) => {
    const step = advanceCheck(on(screen), event)
    expect(step.flow.screen).toMatchObject(expected)
    expect(step.ask).toBe(ask)
    // Whatever happens, what was typed stays.
    expect(step.flow.answers.addresses).toEqual(answers.addresses)
  })
}

describe('the five statuses', () => {
  runs([
    [
      'complete shows the report',
      sending,
      answer({ status: 'complete', creditReportId: 'r1' }),
      { name: 'report', creditReportId: 'r1' },
    ],
    [
      'authentication-required asks for the code',
      sending,
      answer({ status: 'authentication-required', challengeType: 'otp', creditReportId: 'r1', challenge: state }),
      { name: 'code' },
    ],
    [
      'blocked ends it',
      sending,
      answer({ status: 'blocked', creditReportId: 'r1' }),
      { name: 'ended', why: 'blocked' },
    ],
    [
      'retry says how many attempts are left',
      verifying,
      answer({ status: 'retry', attemptsRemaining: 2 }),
      { name: 'code', busy: null, problems: [{ field: 'code', words: 'codeWrong', values: { n: 2 } }] },
    ],
    [
      'retry without a number leaves one, so that nobody gives up too early',
      verifying,
      answer({ status: 'retry' }),
      {
        challenge: { ...code.challenge, attemptsRemaining: 1 },
        problems: [{ field: 'code', words: 'codeWrong', values: { n: 1 } }],
      },
    ],
    [
      'retry where no code was asked for is unavailable',
      sending,
      answer({ status: 'retry', attemptsRemaining: 2 }),
      { name: 'ended', why: 'unavailable' },
    ],
    ['failed ends it', verifying, answer({ status: 'failed' }), { name: 'ended', why: 'failed' }],
    ['complete after a code shows the report', verifying, answer({ status: 'complete' }), { name: 'report' }],
    ['an unknown status is unavailable', sending, answer({ status: 'pending' }), { name: 'ended', why: 'unavailable' }],
    [
      'an unknown challenge is unavailable',
      sending,
      answer({ status: 'authentication-required', challengeType: 'voice', challenge: state }),
      { name: 'ended', why: 'unavailable' },
    ],
    [
      'a challenge without its state is unavailable',
      sending,
      answer({ status: 'authentication-required', challengeType: 'otp' }),
      { name: 'ended', why: 'unavailable' },
    ],
  ])

  test('the proxy alone says whether this is a test, and whether it finds addresses', () => {
    const { flow } = advanceCheck(on(sending), answer({ status: 'none' }))
    expect([flow.test, flow.findsAddresses]).toEqual([true, false])
  })

  test('a report shows what came, and nothing else', () => {
    const data = { creditReport: { score: 1 }, summary: { total: 2 }, bureaus: { equifax: 'ok' } } as object
    const dataOf = (extra: object) => {
      const { screen } = advanceCheck(on(sending), answer({ status: 'complete', ...extra })).flow
      return screen.name === 'report' && screen.data
    }
    expect(dataOf(data)).toEqual(data)
    expect(dataOf({})).toStrictEqual({})
  })
})

describe('every error, before the code', () => {
  runs([
    ['401 ends the session', sending, fault({ status: 401 }), { name: 'trouble', why: 'session' }],
    [
      '402 is unavailable',
      sending,
      fault({ status: 402, code: 'insufficient-funds' }),
      { name: 'ended', why: 'unavailable' },
    ],
    [
      'the other 402 too',
      sending,
      fault({ status: 402, code: 'insufficient-credits' }),
      { name: 'ended', why: 'unavailable' },
    ],
    ['403 reads the same', sending, fault({ status: 403 }), { name: 'ended', why: 'unavailable' }],
    ['404 too', sending, fault({ status: 404 }), { name: 'ended', why: 'unavailable' }],
    [
      '429 says when',
      sending,
      fault({ status: 429, retryAfterMs: 5_000 }),
      { name: 'trouble', why: 'busy', retryAtMs: 1_005_000 },
    ],
    ['429 without a time is a minute', sending, fault({ status: 429 }), { name: 'trouble', retryAtMs: 1_060_000 }],
    ['500 can be tried again', sending, fault({ status: 500 }), { name: 'trouble', why: 'broken' }],
    ['a time-out too', sending, fault({ code: 'timeout' }), { name: 'trouble', why: 'broken' }],
    ['garbage too', sending, fault({ code: 'garbled-answer' }), { name: 'trouble', why: 'broken' }],
    ['offline says so', sending, fault({ code: 'offline' }), { name: 'trouble', why: 'offline' }],
    [
      'a blocked fingerprint says so',
      sending,
      fault({ code: 'fingerprint-blocked' }),
      { name: 'trouble', why: 'device' },
    ],
    [
      '400 about nothing we asked can be tried again',
      sending,
      fault({ status: 400, message: 'body: is odd' }),
      { name: 'trouble', why: 'broken' },
    ],
    [
      '400 lands on the person’s inputs',
      sending,
      fault({ status: 400, message: 'lastName: is required; dateOfBirth: must be a real date' }),
      {
        name: 'details',
        fromAnswers: true,
        problems: [{ field: 'lastName' }, { field: 'dateOfBirth', focus: 'day' }],
      } as Partial<Screen>,
    ],
    [
      'one complaint is enough',
      sending,
      fault({ status: 400, message: 'lastName: is required' }),
      { name: 'details', problems: [{ field: 'lastName' }] } as Partial<Screen>,
    ],
    [
      'also about an address',
      sending,
      fault({ status: 400, message: 'addresses[0].ukAddress.postcode: must be a UK postcode' }),
      { name: 'address', index: 0, problems: [{ field: 'postcode' }] } as Partial<Screen>,
    ],
    [
      'a mobile number that is wrong is said to be',
      sending,
      fault({ status: 400, message: 'mobileNumber: must be a mobile number' }),
      { name: 'details', problems: [{ field: 'mobileNumber', words: 'notAccepted' }] } as Partial<Screen>,
    ],
    [
      '400 lands on the address it is about',
      sending,
      fault({
        status: 400,
        message: 'addresses[1].ukAddress.postcode: must be a UK postcode; addresses[1].ukAddress: needs at least one',
      }),
      {
        name: 'address',
        index: 1,
        problems: [{ field: 'postcode' }, { field: 'building', focus: 'buildingNumber' }],
      } as Partial<Screen>,
    ],
  ])
})

test('a mobile number that was left out is needed after all, and only that is said so', () => {
  const flow: Flow = { ...on(sending), answers: { ...answers, person: {} } }
  const message = 'lastName: is required; mobileNumber: must be a mobile number'
  expect(advanceCheck(flow, fault({ status: 400, message })).flow.screen).toMatchObject({
    problems: [
      { field: 'lastName', words: 'notAccepted' },
      { field: 'mobileNumber', words: 'mobileNumberNeeded' },
    ],
  })
})

describe('every error, at the code', () => {
  runs([
    [
      '410 asks whether it is over',
      verifying,
      fault({ status: 410 }, 'verify'),
      { notice: { words: 'codeOld' } },
      'sync',
    ],
    ['404 asks as well', verifying, fault({ status: 404 }, 'verify'), { name: 'code' }, 'sync'],
    [
      '410 to a new text asks too',
      resending,
      fault({ status: 410 }, 'resend'),
      { notice: { words: 'codeNotSent' } },
      'sync',
    ],
    ['401 comes back to the code', verifying, fault({ status: 401 }, 'verify'), { name: 'trouble', why: 'session' }],
    ['403 is unavailable', verifying, fault({ status: 403 }, 'verify'), { name: 'ended', why: 'unavailable' }],
    [
      'a lost answer asks how things stand',
      verifying,
      fault({ code: 'network' }, 'verify'),
      { name: 'code', busy: null, notice: { words: 'codeNotChecked' } },
      'sync',
    ],
    [
      'a lost resend too',
      resending,
      fault({ status: 503 }, 'resend'),
      { name: 'code', notice: { words: 'codeNotSent' } },
      'sync',
    ],
    [
      '429 with a time waits for it',
      verifying,
      fault({ status: 429, retryAfterMs: 9_000 }, 'verify'),
      { name: 'code', notice: { words: 'waitUntil', timeMs: 1_009_000 } },
    ],
    [
      'and without one waits a minute',
      verifying,
      fault({ status: 429 }, 'verify'),
      { name: 'code', busy: null, notice: { words: 'waitUntil', timeMs: 1_060_000 } },
    ],
    [
      'a new text that may be asked for later is',
      resending,
      fault({ status: 429, retryAfterMs: 9_000 }, 'resend'),
      { name: 'code', busy: null, notice: { words: 'waitUntil', timeMs: 1_009_000 } },
    ],
    ['429 without one means no more texts', resending, fault({ status: 429 }, 'resend'), { name: 'code', busy: null }],
    [
      '402 on a resend leaves the code usable',
      resending,
      fault({ status: 402 }, 'resend'),
      { name: 'code', busy: null },
    ],
    ['a background question that failed changes nothing', code, fault({ code: 'network' }, 'sync'), code],
  ])

  test.each([402, 429])('after %i no more texts are offered, which is said', (status) => {
    const { screen } = advanceCheck(on(resending), fault({ status }, 'resend')).flow
    expect(screen).toMatchObject({ challenge: { textsRemaining: 0 }, notice: { words: 'noTexts' } })
  })
})

describe('at the code', () => {
  runs([
    ['six digits are sent', code, { type: 'code', code: '123 456' }, { name: 'code', busy: 'verify' }, 'verify'],
    [
      'five are not',
      code,
      { type: 'code', code: '12345' },
      { name: 'code', busy: null, problems: [{ words: 'codeLength' }] } as Partial<Screen>,
    ],
    ['a second press while checking does nothing', verifying, { type: 'code', code: '123456' }, verifying],
    ['a new text is asked for once', code, { type: 'resend' }, { name: 'code', busy: 'resend' }, 'resend'],
    [
      'the last text too',
      { ...code, challenge: { ...code.challenge, textsRemaining: 1 } },
      { type: 'resend' },
      { busy: 'resend' },
      'resend',
    ],
    ['not twice at a time', resending, { type: 'resend' }, resending],
    ['a code is checked meanwhile', resending, { type: 'code', code: '123456' }, { busy: 'verify' }, 'verify'],
    ['or the number changed', resending, { type: 'change-number' }, { name: 'mobile' }],
    [
      'the text that comes then does not end the check of the code',
      verifying,
      { type: 'resent', challenge: state, now },
      { busy: 'verify', notice: { words: 'resent' } },
    ],
    [
      'nor does one that does not come',
      verifying,
      fault({ status: 410 }, 'resend'),
      { name: 'code', busy: 'verify', notice: { words: 'codeNotSent' } },
    ],
    [
      'which is said for what it is when the code was wrong meanwhile',
      code,
      fault({ status: 503 }, 'resend'),
      { notice: { words: 'codeNotSent' } },
      'sync',
    ],
    ['expiry asks the server', code, { type: 'time-up' }, code, 'sync'],
    ['the server says that it has expired', code, answer({ status: 'expired' }, false), { name: 'expired' }],
    [
      'a check completed meanwhile shows its report',
      code,
      answer({ status: 'complete', creditReportId: 'r1' }, false),
      { name: 'report', creditReportId: 'r1' },
    ],
    [
      'a browser that has lost its cookies is not told that a code has expired',
      code,
      answer({ status: 'none' }, false),
      { name: 'trouble', why: 'session', fault: { code: 'none', status: 0 } },
    ],
    [
      'not even in the last millisecond',
      { ...code, challenge: { ...code.challenge, deadline: deadlineIn(1, now) } },
      answer({ status: 'none' }, false),
      { name: 'trouble', why: 'session' },
    ],
    [
      'one that comes back long after its time is',
      { ...code, challenge: { ...code.challenge, deadline: now } },
      answer({ status: 'none' }, false),
      { name: 'expired' },
    ],
    ['details can be changed', code, { type: 'change-details' }, { name: 'answers' }],
    ['another number can be given', code, { type: 'change-number' }, { name: 'mobile' }],
    [
      'expired starts over with the same answers',
      { name: 'expired' },
      { type: 'again' },
      { name: 'sending' },
      'generate',
    ],
    [
      'trouble tries again',
      { name: 'trouble', why: 'broken', fault: { code: 'x', status: 500 } },
      { type: 'again' },
      { name: 'sending' },
      'generate',
    ],
    ['failed is for good', { name: 'ended', why: 'failed' }, { type: 'again' }, { name: 'ended', why: 'failed' }],
  ])

  test('no texts left means none is asked for', () => {
    const spent: Screen = { ...code, challenge: openChallenge('r1', { ...state, textsRemaining: 0 }, now, false) }
    expect(advanceCheck(on(spent), { type: 'resend' })).toEqual({ flow: on(spent) })
  })

  test('a resend renews the time and says so', () => {
    const later = { monotonicMs: 100_000, wallMs: 1_100_000 }
    const { screen } = advanceCheck(on(resending), {
      type: 'resent',
      challenge: { ...state, textsRemaining: 1 },
      now: later,
    }).flow
    expect(screen).toMatchObject({
      busy: null,
      notice: { words: 'resent' },
      challenge: { textsRemaining: 1, lifetimeMinutes: 5, deadline: { monotonicMs: 400_000 } },
    })
  })

  test('how things stand does not take away what is being said', () => {
    const wrong: Screen = { ...code, problems: [{ field: 'code', words: 'codeWrong' }] }
    const { screen } = advanceCheck(
      on(wrong),
      answer({ status: 'authentication-required', challengeType: 'otp', challenge: state }, false),
    ).flow
    expect(screen).toMatchObject({ problems: wrong.problems })
  })

  test('a session that ended at the code carries on at the code', () => {
    const ended = advanceCheck(on(verifying), fault({ status: 401 }, 'verify')).flow
    const step = advanceCheck(ended, { type: 'again' })
    expect(step.flow.screen).toMatchObject({ name: 'code', challenge: { challengeId: 'c1' } })
    expect(step.ask).toBe('sync')
  })

  test('after a reload there are no answers, so starting again means filling in again', () => {
    const trouble: Screen = { name: 'trouble', why: 'broken', fault: { code: 'x', status: 500 } }
    const rows: [Screen, FlowEvent, Ask?][] = [
      // Forgotten, or a reload would bring it back.
      [{ name: 'expired' }, { type: 'again' }, 'forget'],
      [trouble, { type: 'again' }],
      [code, { type: 'change-number' }],
      [code, { type: 'change-details' }],
    ]
    for (const [screen, event, ask] of rows) {
      const step = advanceCheck(on(screen, false), event)
      expect(step.flow.screen).toEqual({ name: 'details', problems: [] })
      expect(step.ask).toBe(ask)
    }
  })

  test.each([
    ['a text that has just left', 300, true, 5, 30_000],
    ['one whose code lives shorter', 100, true, 2, 30_000],
    ['one that left ten seconds before a reload', 290, false, 0, 20_000],
    ['one that left long before', 100, false, 0, 0],
    ['one whose code lives longer than usual', 400, false, 0, 30_000],
  ])(
    '%s: how long its code works, and when another may be asked for',
    (_name, expiresInSeconds, fresh, minutes, ms) => {
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
    },
  )

  test('a number that is no mobile is not sent to', () => {
    const mobile: Screen = { name: 'mobile', challenge: openChallenge('r1', state, now, true), problems: [] }
    expect(advanceCheck(on(mobile), { type: 'mobile', typed: { mobileNumber: '0113' } }).flow.screen).toMatchObject({
      problems: [{ field: 'mobileNumber' }],
    })
    expect(advanceCheck(on(mobile), { type: 'mobile', typed: { mobileNumber: '07700900456' } }).ask).toBe('generate')
  })

  test('nor is one that is given where none was asked for', () => {
    const late: FlowEvent = { type: 'mobile', typed: { mobileNumber: '07700900456' } }
    expect(advanceCheck(on(code), late)).toEqual({ flow: on(code) })
  })

  test('nor is it what a later code would be sent to', () => {
    const flow = on({ name: 'mobile', challenge: openChallenge('r1', state, now, true), problems: [] })
    const tried = advanceCheck(flow, { type: 'mobile', typed: { mobileNumber: '0113' } }).flow
    expect(tried.answers).toEqual(flow.answers)
  })
})

describe('every error code of the contract', () => {
  const codes = Object.entries(ERROR_STATUS)

  test.each(codes)('%s leaves nobody waiting', (name, status) => {
    const started = advanceCheck(on(sending), fault({ code: name, status })).flow.screen
    expect(started.name).not.toBe('sending')
    for (const [screen, during] of [
      [verifying, 'verify'],
      [resending, 'resend'],
    ] as const) {
      const { screen: after } = advanceCheck(on(screen), fault({ code: name, status }, during)).flow
      if (after.name === 'code') expect(after.busy).toBeNull()
    }
  })

  test.each([
    ['a newer code goes by its status', 429, { name: 'trouble', why: 'busy' }],
    ['a gateway’s own status is trouble at the lender’s end', 502, { name: 'trouble', why: 'broken' }],
    ['a status nobody expects is too', 418, { name: 'trouble', why: 'broken' }],
  ])('%s', (_name, status, screen) => {
    expect(advanceCheck(on(sending), fault({ code: 'news', status })).flow.screen).toMatchObject(screen)
  })
})

describe('before anything is typed', () => {
  const details: Screen = { name: 'details', problems: [] }
  runs([
    ['nothing under way changes nothing', details, answer({ status: 'none' }, false), details],
    [
      'a challenge under way is resumed',
      details,
      answer(
        { status: 'authentication-required', challengeType: 'otp', challenge: { ...state, expiresInSeconds: 100 } },
        false,
      ),
      { name: 'code' },
    ],
    [
      'a proxy that is not there is told at once',
      details,
      fault({ status: 404 }, 'sync'),
      { name: 'ended', why: 'unavailable' },
    ],
    ['so is an empty wallet', details, fault({ status: 402 }, 'sync'), { name: 'ended', why: 'unavailable' }],
    ['a server that is down may be back in time', details, fault({ status: 503 }, 'sync'), details],
  ])
})

describe('closing the report', () => {
  const report: Screen = { name: 'report', creditReportId: 'r1', data: { creditReport: {} }, preparedAtMs: 1 }

  test.each([true, false])('forgets the report and what was typed, here and on the server (idle: %s)', (isIdle) => {
    const step = advanceCheck(on(report), { type: 'close', isIdle })
    expect(step.flow.screen).toEqual({ name: 'closed', creditReportId: 'r1', isIdle })
    expect(step.flow.answers).toEqual(startFlow(36).answers)
    expect(step.flow.hasAgreed).toBe(false)
    expect(step.ask).toBe('forget')
  })

  test('means nothing on any other screen', () => {
    expect(advanceCheck(on(code), { type: 'close', isIdle: true })).toEqual({ flow: on(code) })
  })
})

test('somebody else starts again with an empty form, and the server forgets the check', () => {
  const step = advanceCheck(on(code), { type: 'start-over' })
  expect([step.flow.screen.name, step.ask]).toEqual(['details', 'forget'])
  expect(step.flow.answers.addresses).toEqual([])
})

test.each([[{ code: 'cookies-required', status: 403 }], [{ code: 'cookies-off', status: 0 }]])(
  'a browser without cookies is told so: %j',
  (what) => {
    const step = advanceCheck(on(sending), fault(what))
    expect(step.flow.screen).toMatchObject({ name: 'trouble', why: 'cookies' })
  },
)
