import { describe, expect, test } from 'vitest'
import { answer, code, fault, now, on, resending, runs, sending, state, verifying } from '../../testing/check-flow.ts'
import { openChallenge } from './challenge.ts'
import { advanceCheck } from './check-steps.ts'
import { deadlineIn } from './deadline.ts'
import type { Fault } from './fault.ts'
import { type Ask, awaitCheck, type FlowEvent, noAnswers, type Screen, startFlow } from './flow.ts'

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
      'retry that cost no attempt was the code of an older text',
      verifying,
      answer({ status: 'retry', attemptsRemaining: 3 }),
      { name: 'code', busy: null, problems: [{ field: 'code', words: 'codeOld' }] },
    ],
    [
      'retry without a number leaves one, so that the consumer does not give up too early',
      verifying,
      answer({ status: 'retry' }),
      {
        challenge: { ...code.challenge, attemptsRemaining: 1 },
        problems: [{ field: 'code', words: 'codeWrong', values: { n: 1 } }],
      },
    ],
    [
      'so does one on the last attempt, which is no older code',
      { ...code, busy: 'verify', challenge: { ...code.challenge, attemptsRemaining: 1 } },
      answer({ status: 'retry' }),
      { problems: [{ field: 'code', words: 'codeWrong', values: { n: 1 } }] },
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
    const data = {
      creditReport: { score: 1 },
      summary: { total: 2 },
      agencies: [{ id: 'equifax', status: 'answered' }],
      opening: { expiresInSeconds: 600, attemptsRemaining: 3 },
    } as object
    const dataOf = (extra: object) => {
      const { screen } = advanceCheck(on(sending), answer({ status: 'complete', ...extra })).flow
      return screen.name === 'report' && screen.data
    }
    expect(dataOf(data)).toEqual(data)
    expect(dataOf({})).toStrictEqual({})
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
      'a browser that has lost its cookies does not read that a code has expired',
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
      const step = advanceCheck({ ...on(screen, false), answers: noAnswers }, event)
      expect(step.flow.screen).toEqual({ name: 'details', problems: [] })
      expect(step.ask).toBe(ask)
    }
  })

  test('where their draft survived it, the details can be changed', () => {
    expect(advanceCheck(on(code, false), { type: 'change-details' }).flow.screen.name).toBe('answers')
  })

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

describe('before anything is typed', () => {
  const details: Screen = { name: 'details', problems: [] }
  runs([
    ['nothing in progress changes nothing', details, answer({ status: 'none' }, false), details],
    [
      'a challenge in progress is resumed',
      details,
      answer(
        { status: 'authentication-required', challengeType: 'otp', challenge: { ...state, expiresInSeconds: 100 } },
        false,
      ),
      { name: 'code' },
    ],
    [
      'a proxy that is not there is reported at once',
      details,
      fault({ status: 404 }, 'sync'),
      { name: 'ended', why: 'unavailable' },
    ],
    ['so is an empty wallet', details, fault({ status: 402 }, 'sync'), { name: 'ended', why: 'unavailable' }],
    ['a server that is down may be back in time', details, fault({ status: 503 }, 'sync'), details],
  ])
})

describe('a report that is left alone, closed, or met in another tab', () => {
  const report: Screen = { name: 'report', creditReportId: 'r1', data: { creditReport: {} }, preparedAtMs: 1 }
  const locked: Screen = {
    name: 'locked',
    creditReportId: 'r1',
    isIdle: true,
    isBusy: false,
    problems: [],
    notice: null,
  }
  const opening: Screen = { ...locked, isBusy: true }
  const closed: Screen = { name: 'closed', creditReportId: 'r1', state: 'closing' }
  const details: Screen = { name: 'details', problems: [] }
  const today = '2026-11-15'
  const birth = { day: '27', month: '3', year: '1985' }
  const shut = (attemptsRemaining?: number): FlowEvent =>
    answer({
      status: 'complete',
      creditReportId: 'r1',
      closed: true,
      ...(attemptsRemaining && { opening: { expiresInSeconds: 600, attemptsRemaining } }),
    })
  const whole = answer({ status: 'complete', creditReportId: 'r1', creditReport: {} })

  test.each<[string, Screen, FlowEvent, Partial<Screen>, string]>([
    ['idle locks it', report, { type: 'idle' }, locked, 'lock'],
    ['closing closes it', report, { type: 'close' }, closed, 'close'],
    ['also when it is locked', locked, { type: 'close' }, closed, 'close'],
  ])('%s, and what was typed is gone', (_name, screen, event, expected, ask) => {
    const step = advanceCheck(on(screen), event)
    expect(step.flow.screen).toEqual(expected)
    expect([step.flow.answers, step.flow.hasAgreed, step.ask]).toEqual([startFlow(36).answers, false, ask])
  })

  runs([
    ['in another tab it is locked', details, shut(3), { name: 'locked', isIdle: false, untilMs: 1_600_000 }],
    ['and one that was locked before says nothing of a wrong date', locked, shut(3), { name: 'locked', problems: [] }],
    ['what can never be opened is closed', details, shut(), { name: 'closed', state: 'closed' }],
    ['its time may be over when it is locked', locked, shut(), { name: 'closed', state: 'closed' }],
    ['half a date is not sent', locked, { type: 'open', typed: { day: '27' }, today }, { isBusy: false }],
    ['a date is sent', locked, { type: 'open', typed: birth, today }, { isBusy: true }, 'open'],
    ['once', opening, { type: 'open', typed: birth, today }, { isBusy: true }],
    ['the right one opens it', opening, whole, { name: 'report' }],
    ['nothing else does', locked, whole, { name: 'locked' }],
    [
      'a wrong one costs an attempt',
      opening,
      shut(2),
      {
        name: 'locked',
        isBusy: false,
        problems: [{ field: 'dateOfBirth', focus: 'day', words: 'openWrong', values: { n: 2 } }],
      },
    ],
    ['the last wrong one closes it', opening, shut(), { name: 'closed', state: 'closed' }],
    [
      'a line that is down says so',
      opening,
      fault({ code: 'offline' }, 'open'),
      { isBusy: false, notice: { words: 'offlineTitle' } },
    ],
    ['a server that is down too', opening, fault({ status: 500 }, 'open'), { notice: { words: 'notOpened' } }],
    [
      'and one that is busy says when',
      opening,
      fault({ code: 'rate-limited', status: 429, retryAfterMs: 5_000 }, 'open'),
      { notice: { words: 'waitUntil', timeMs: 1_005_000 } },
    ],
    ['the server knows that it is closed', closed, { type: 'closed' }, { name: 'closed', state: 'closed' }],
    ['or could not be reached', closed, fault({ code: 'offline' }, 'close'), { name: 'closed', state: 'unreached' }],
    ['a page that comes back to it', details, { type: 'closing', creditReportId: 'r1' }, closed],
    ['closing means nothing at the code', code, { type: 'close' }, code],
    ['nor does idling', code, { type: 'idle' }, code],
    ['nor that another tab has closed it', code, { type: 'closed-elsewhere' }, code],
    ['nor that another tab is closed', code, { type: 'closed' }, code],
    ['nor that it could not be closed', code, fault({ code: 'offline' }, 'close'), code],
    ['a date opens nothing that is open', report, { type: 'open', typed: birth, today }, report],
  ])

  test('while it is read it can be opened for longer, counted from when it was drawn up', () => {
    expect(advanceCheck(on(report), { type: 'seen' }).ask).toBe('see')
    const opening = { expiresInSeconds: 900, attemptsRemaining: 3 }
    const { flow } = advanceCheck(on(report), answer({ status: 'complete', creditReportId: 'r1', opening }))
    const sinceSeconds = (now.wallMs - 1) / 1_000
    expect(flow.screen).toEqual({
      ...report,
      data: { creditReport: {}, opening: { ...opening, expiresInSeconds: 900 + sinceSeconds } },
    })
  })

  test.each([report, locked])('closed in another tab, it is closed here, with all that was typed', (screen) => {
    const { flow } = advanceCheck(on(screen), { type: 'closed-elsewhere' })
    expect(flow.screen).toEqual({ ...closed, state: 'closed' })
    expect(flow.answers).toEqual(noAnswers)
  })

  test('the date goes with the request', () => {
    expect(advanceCheck(on(locked), { type: 'open', typed: birth, today }).proof).toBe('1985-03-27')
  })
})

test('a number that the lender has fixed is not changed', () => {
  const flow = { ...on(code), fixed: { ...startFlow(36).fixed, person: { mobileNumber: '+447700900999' } } }
  expect(advanceCheck(flow, { type: 'change-number' })).toEqual({ flow })
})

describe('a page that was reloaded after its check had begun', () => {
  const awaited = awaitCheck({ ...on(sending, false) })
  const foreign = { code: 'http-403', status: 403 }

  test('waits for the answer, and tries again for that alone', () => {
    const { flow } = advanceCheck(awaited, fault({ code: 'network' }, 'begin'))
    const again = advanceCheck(flow, { type: 'again' })
    expect([again.flow.screen, again.flow.isResumed, again.ask]).toEqual([{ name: 'sending' }, true, 'begin'])
  })

  test.each<[string, Partial<Fault>, Partial<Screen>]>([
    ['a line that is cut', { code: 'network' }, { name: 'trouble', why: 'unreached' }],
    ['no answer in time', { code: 'timeout' }, { name: 'trouble', why: 'unreached' }],
    ['an answer to another request', { code: 'garbled-answer' }, { name: 'trouble', why: 'unreached' }],
    ['502 of a gateway', { code: 'http-502', status: 502 }, { name: 'trouble', why: 'unreached' }],
    ['403 of a captive portal', foreign, { name: 'trouble', why: 'unreached' }],
    ['404 of another server', { code: 'http-404', status: 404 }, { name: 'trouble', why: 'unreached' }],
    ['503 of the proxy', { code: 'unavailable', status: 503 }, { name: 'trouble', why: 'broken' }],
    ['402 of the proxy', { code: 'insufficient-funds', status: 402 }, { name: 'ended', why: 'unavailable' }],
    ['a sign-in in front', { code: 'http-401', status: 401 }, { name: 'trouble', why: 'session' }],
    ['a limit in front', { code: 'http-429', status: 429 }, { name: 'trouble', why: 'busy' }],
    ['no connection', { code: 'offline' }, { name: 'trouble', why: 'offline' }],
  ])('%s has its screen, and no form comes back', (_name, what, expected) => {
    expect(advanceCheck(awaited, fault(what, 'begin')).flow).toMatchObject({ screen: expected, isResumed: true })
  })

  test('the same faults leave a form alone that is being filled in', () => {
    const flow = on({ name: 'address', index: 0, problems: [] }, false)
    expect(advanceCheck(flow, fault(foreign, 'begin'))).toEqual({ flow })
  })

  test('an answer ends the wait: a code that expires later leads to the form', () => {
    const { flow } = advanceCheck(awaited, answer({ status: 'expired' }, false))
    expect([flow.screen.name, flow.isResumed]).toEqual(['expired', false])
    expect(advanceCheck(flow, { type: 'again' })).toMatchObject({
      flow: { screen: { name: 'details' } },
      ask: 'forget',
    })
  })

  const noFault: Fault = { code: 'network', status: 0 }
  test.each<[string, Screen, boolean, boolean, string, boolean]>([
    ['asks for the details when there is none', sending, true, false, 'details', false],
    ['but not when its answers can be sent again', sending, true, true, 'sending', true],
    ['nor when it was not reloaded', sending, false, false, 'sending', false],
    [
      'also when it could not be reached before',
      { name: 'trouble', why: 'unreached', fault: noFault },
      true,
      false,
      'details',
      false,
    ],
  ])('%s', (_name, screen, isResumed, hasAgreed, name, isStillResumed) => {
    const { flow } = advanceCheck({ ...on(screen, hasAgreed), isResumed }, answer({ status: 'none' }, false))
    expect([flow.screen.name, flow.isResumed]).toEqual([name, isStillResumed])
  })
})

test('another person starts again with an empty form, and the server forgets the check', () => {
  const step = advanceCheck(on(code), { type: 'start-over' })
  expect([step.flow.screen.name, step.ask]).toEqual(['details', 'forget'])
  expect(step.flow.answers.addresses).toEqual([])
})
