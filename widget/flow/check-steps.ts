// The half of the flow that follows "Agree": what every answer, and every missing answer, leads to. The drawing is in
// `flow.ts`.
import { findCodeProblem, readCode } from '../fields/code.ts'
import { findBirthProblems, findMobileProblems, readDateOfBirth } from '../fields/person.ts'
import type { StringKey } from '../strings/en.ts'
import { openChallenge } from './challenge.ts'
import { type Clock, remainingMs } from './deadline.ts'
import { type Fault, isForeign, meaningOf } from './fault.ts'
import {
  type Ask,
  awaitCheck,
  details,
  emptied,
  type Flow,
  type FlowEvent,
  type ScreenNamed,
  type Step,
  send,
  show,
  startOver,
  withPerson,
} from './flow.ts'
import { findRefusedAnswers } from './refused-answers.ts'
import type { Answer } from './wire.ts'

type Data = Answer['data']
type CodeScreen = ScreenNamed<'code'>

/** The wait when the server is busy and does not say how long. */
const BUSY_WAIT_MS = 60_000

/** Advances the check by an event. */
export function advanceCheck(flow: Flow, event: FlowEvent): Step {
  const { screen } = flow
  switch (event.type) {
    case 'answered': {
      const { data, meta } = event.answer
      const { test, findsAddresses = false, bureaus = [] } = meta
      const isResumed = flow.isResumed && data.status === 'none'
      return takeAnswer({ ...flow, test, findsAddresses, bureaus, isResumed }, data, event.now, event.fresh)
    }
    case 'fault':
      return takeFault(flow, event.fault, event.during, event.nowMs)
    case 'again':
      return tryAgain(flow)
    case 'start-over':
      return startOver(flow)
    case 'idle':
      if (screen.name !== 'report') break
      // The typed answers go with it.
      return show(emptied(flow), lock(screen.creditReportId, true), 'lock')
    case 'seen':
      return screen.name === 'report' ? { flow, ask: 'see' } : { flow }
    case 'open': {
      if (screen.name !== 'locked' || screen.isBusy) break
      const problems = findBirthProblems(event.typed, event.today)
      if (problems.length > 0) return show(flow, { ...screen, problems, notice: null })
      return {
        ...show(flow, { ...screen, isBusy: true, problems: [], notice: null }, 'open'),
        proof: readDateOfBirth(event.typed),
      }
    }
    case 'close':
      if (screen.name !== 'report' && screen.name !== 'locked') break
      return show(emptied(flow), { name: 'closed', creditReportId: screen.creditReportId, state: 'closing' }, 'close')
    case 'closing':
      return show(flow, { name: 'closed', creditReportId: event.creditReportId, state: 'closing' })
    case 'closed':
      return screen.name === 'closed' ? show(flow, { ...screen, state: 'closed' }) : { flow }
    case 'closed-elsewhere':
      if (screen.name !== 'report' && screen.name !== 'locked') break
      return show(emptied(flow), { name: 'closed', creditReportId: screen.creditReportId, state: 'closed' })
    case 'mobile': {
      if (screen.name !== 'mobile') break
      const next = withPerson(flow, event.typed)
      const problems = findMobileProblems(next.answers.person, flow.mobile)
      return problems.length > 0 ? show(flow, { ...screen, problems }) : send(next)
    }
  }
  // While a new text is asked for, the code of an earlier one can be given: on a bad line that may take most of a
  // minute.
  if (screen.name !== 'code' || (screen.busy === 'verify' && event.type !== 'resent')) return { flow }
  const { challenge, busy } = screen
  switch (event.type) {
    case 'code': {
      const problem = findCodeProblem(event.code)
      if (problem) return show(flow, { ...screen, problems: [problem], notice: null })
      return {
        ...show(flow, { ...screen, busy: 'verify', problems: [], notice: null }, 'verify'),
        proof: readCode(event.code),
      }
    }
    case 'resend':
      if (busy || challenge.textsRemaining < 1) break
      return show(flow, { ...screen, busy: 'resend', problems: [], notice: null }, 'resend')
    case 'resent':
      return show(flow, {
        ...screen,
        challenge: openChallenge(challenge.creditReportId, event.challenge, event.now, true),
        busy: busy === 'verify' ? busy : null,
        notice: { words: 'resent' },
      })
    case 'time-up':
      // Only the server can say that a code has expired; the device's clock may be wrong.
      return { flow, ask: 'sync' }
    case 'change-details':
      // After a reload they are there if their draft is.
      return show(flow, flow.answers.addresses.length > 0 ? { name: 'answers', problems: [] } : details)
    case 'change-number':
      if (flow.fixed.person.mobileNumber) break
      // After a reload there is nothing to send again with another number.
      return show(flow, flow.hasAgreed ? { name: 'mobile', challenge, problems: [] } : details)
  }
  return { flow }
}

const OLD_CODE = { field: 'code', words: 'codeOld' } as const

function takeAnswer(flow: Flow, data: Data, now: Clock, fresh: boolean): Step {
  const { screen } = flow
  const { status, creditReportId = '', challenge, creditReport, summary, agencies, opening } = data
  const onCode = screen.name === 'code' ? screen : null
  switch (status) {
    case 'complete':
      if (data.closed) return takeClosed(flow, data, now)
      if (screen.name === 'report' && !screen.isLeft && screen.creditReportId === creditReportId)
        return show(flow, { ...screen, data: { ...screen.data, ...openLater(opening, screen.preparedAtMs, now) } })
      // Only who has just given the date of birth sees it again, whatever an older server answers.
      if (screen.name === 'locked' && !screen.isBusy) return { flow }
      return show(flow, {
        name: 'report',
        creditReportId,
        data: {
          ...(creditReport && { creditReport }),
          ...(summary && { summary }),
          ...(agencies && { agencies }),
          ...(opening && { opening }),
        },
        preparedAtMs: now.wallMs,
      })
    case 'authentication-required':
      if (data.challengeType !== 'otp' || !challenge) break
      return show(flow, {
        busy: null,
        problems: [],
        notice: null,
        ...onCode,
        name: 'code',
        challenge: openChallenge(creditReportId, challenge, now, fresh),
      })
    case 'retry': {
      if (!onCode) break
      const attemptsRemaining = data.attemptsRemaining ?? 1
      // A wrong code costs an attempt; the true code of an older text does not.
      const isOld = (data.attemptsRemaining ?? 0) >= onCode.challenge.attemptsRemaining
      return show(flow, {
        ...onCode,
        challenge: { ...onCode.challenge, attemptsRemaining },
        busy: null,
        problems: [isOld ? OLD_CODE : { field: 'code', words: 'codeWrong', values: { n: attemptsRemaining } }],
      })
    }
    case 'blocked':
    case 'failed':
      return show(flow, { name: 'ended', why: status, creditReportId })
    case 'expired':
      return show(flow, { name: 'expired' })
    case 'none':
      // Nothing in progress, as is to be expected before the code. After it, this browser no longer knows of the check:
      // its time is long over, or its cookies were cleared.
      if (!onCode) return isWithoutForm(flow) ? show({ ...flow, isResumed: false }, details) : { flow }
      return show(
        flow,
        remainingMs(onCode.challenge.deadline, now) > 0
          ? { name: 'trouble', why: 'session', fault: { code: status, status: 0 } }
          : { name: 'expired' },
      )
  }
  return show(flow, { name: 'ended', why: 'unavailable', creditReportId })
}

/** There was no form until the server had answered: nothing is in its way any more. */
function isWithoutForm({ screen, isResumed, hasAgreed }: Flow): boolean {
  const isEnded = screen.name === 'ended' && screen.why === 'unavailable' && !screen.creditReportId
  return !hasAgreed && (isResumed || isEnded)
}

/** The check is complete; its report has to be opened, or is closed for good. */
function takeClosed(flow: Flow, { creditReportId = '', opening }: Data, now: Clock): Step {
  const { screen } = flow
  if (!opening) return show(flow, { name: 'closed', creditReportId, state: 'closed' })
  const before = screen.name === 'locked' ? screen : lock(creditReportId, false)
  return show(flow, {
    ...before,
    untilMs: now.wallMs + opening.expiresInSeconds * 1_000,
    isBusy: false,
    // A date was given, and this is no report.
    problems: before.isBusy
      ? [{ field: 'dateOfBirth', focus: 'day', words: 'openWrong', values: { n: opening.attemptsRemaining } }]
      : before.problems,
  })
}

/** The time in which the report can be opened again, counted from when it was drawn up. */
function openLater(opening: Data['opening'], preparedAtMs: number, now: Clock): Pick<Data, 'opening'> {
  const sinceSeconds = (now.wallMs - preparedAtMs) / 1_000
  return opening ? { opening: { ...opening, expiresInSeconds: opening.expiresInSeconds + sinceSeconds } } : {}
}

function lock(creditReportId: string, isIdle: boolean): ScreenNamed<'locked'> {
  return { name: 'locked', creditReportId, isIdle, isBusy: false, problems: [], notice: null }
}

function takeFault(flow: Flow, fault: Fault, during: Ask, nowMs: number): Step {
  const { screen } = flow
  const isUnavailable = meaningOf(fault).start === 'unavailable'
  if (during === 'sync' || (during === 'begin' && !isAwaited(flow))) {
    // A form that cannot be sent is not worth filling in. Otherwise a failed background request changes nothing: the
    // next may succeed.
    return isUnavailable && screen.name === 'details' ? show(flow, { name: 'ended', why: 'unavailable' }) : { flow }
  }
  if (during === 'close') return screen.name === 'closed' ? show(flow, { ...screen, state: 'unreached' }) : { flow }
  if (screen.name === 'locked')
    return show(flow, {
      ...screen,
      isBusy: false,
      notice:
        meaningOf(fault).code === 'wait'
          ? { words: 'waitUntil', timeMs: comeBackAt(fault, nowMs) }
          : { words: fault.code === 'offline' ? 'offlineTitle' : 'notOpened' },
    })
  // The code being checked may be the right one, after which there is nothing to send.
  if (during === 'resend' && screen.name === 'code' && screen.busy === 'verify')
    return show(flow, { ...screen, notice: { words: 'codeNotSent' } })
  return screen.name === 'code'
    ? takeFaultOnCode(flow, screen, fault, during, nowMs)
    : takeFaultOnStart(flow, fault, during, nowMs)
}

/** There is nothing to fill in before the server has said how things stand. */
function isAwaited({ screen, start }: Flow): boolean {
  return screen.name === 'sending' || screen.name === 'trouble' || start === 'awaited'
}

function takeFaultOnStart(flow: Flow, fault: Fault, during: Ask, nowMs: number): Step {
  const start = during === 'begin' && isForeign(fault) ? 'unreached' : meaningOf(fault).start
  switch (start) {
    case 'refused': {
      const refused = findRefusedAnswers(fault, flow.answers.person)
      return show(flow, refused ? { ...refused, fromAnswers: true } : { name: 'trouble', why: 'broken', fault })
    }
    case 'unavailable':
      return show(flow, { name: 'ended', why: start })
    case 'expired':
      return show(flow, { name: start })
    case 'busy':
      return show(flow, { name: 'trouble', why: start, fault, retryAtMs: comeBackAt(fault, nowMs) })
    case 'session':
    case 'cookies':
    case 'offline':
    case 'unreached':
    case 'device':
    case 'broken':
      return show(flow, { name: 'trouble', why: start, fault })
  }
}

function takeFaultOnCode(flow: Flow, screen: CodeScreen, fault: Fault, during: Ask, nowMs: number): Step {
  const { challenge } = screen
  const meaning = meaningOf(fault).code
  switch (meaning) {
    case 'stay':
      // The code may or may not have been counted, so the server is asked for the state.
      return show(flow, { ...screen, busy: null, notice: { words: stayWords(fault, during) } }, 'sync')
    case 'ask':
      // The server decides whether the check has ended.
      return show(
        flow,
        { ...screen, busy: null, notice: { words: during === 'resend' ? 'codeNotSent' : 'codeOld' } },
        'sync',
      )
    case 'unavailable':
      return show(flow, { name: 'ended', why: meaning })
    case 'session':
      return show(flow, { name: 'trouble', why: meaning, fault, challenge })
    case 'wait':
      // Without a time to come back at, it is the texts of this challenge that are used up.
      if (during === 'resend' && fault.retryAfterMs === undefined) return endTexts(flow, screen)
      return show(flow, {
        ...screen,
        busy: null,
        notice: { words: 'waitUntil', timeMs: comeBackAt(fault, nowMs) },
      })
    case 'no-texts':
      return endTexts(flow, screen)
  }
}

function stayWords(fault: Fault, during: Ask): StringKey {
  if (fault.code === 'offline') return 'codeOffline'
  return during === 'resend' ? 'codeNotSent' : 'codeNotChecked'
}

function endTexts(flow: Flow, screen: CodeScreen): Step {
  const challenge = { ...screen.challenge, textsRemaining: 0 }
  return show(flow, { ...screen, challenge, busy: null, notice: { words: 'noTexts' } })
}

function tryAgain(flow: Flow): Step {
  const { screen } = flow
  if (screen.name === 'trouble' && screen.challenge)
    return show(flow, { name: 'code', challenge: screen.challenge, busy: null, problems: [], notice: null }, 'sync')
  if (screen.name !== 'expired' && screen.name !== 'trouble') return { flow }
  if (flow.hasAgreed) return send(flow)
  if (flow.isResumed) return { flow: awaitCheck(flow), ask: 'begin' }
  // A reload would only bring it back.
  return show(flow, details, screen.name === 'expired' ? 'forget' : undefined)
}

function comeBackAt({ retryAfterMs = BUSY_WAIT_MS }: Fault, nowMs: number): number {
  return nowMs + retryAfterMs
}
