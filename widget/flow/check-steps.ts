// The half of the flow that follows "Agree": what every answer, and every missing answer, leads to. The drawing is in `flow.ts`.
import type { Answer } from '../build/reading.ts'
import { findCodeProblem, readCode } from '../fields/code.ts'
import { findMobileProblems } from '../fields/person.ts'
import { openChallenge } from './challenge.ts'
import type { Clock } from './deadline.ts'
import type { Fault } from './fault.ts'
import {
  type Ask,
  details,
  type Flow,
  type FlowEvent,
  type Notice,
  type ScreenNamed,
  type Step,
  send,
  show,
  withPerson,
} from './flow.ts'
import { findRefusedAnswers } from './refused-answers.ts'

type Data = Answer['data']
type CodeScreen = ScreenNamed<'code'>

/** How long to wait when the server is busy and does not say. */
const BUSY_WAIT_MS = 60_000
/** The lender's side cannot serve this check; why is the lender's business, so all of them read the same. */
const NOT_AVAILABLE_STATUSES = [402, 403, 404, 405]

/** Where an event of the check leads. */
export function advanceCheck(flow: Flow, event: FlowEvent): Step {
  const { screen } = flow
  switch (event.type) {
    case 'answered':
      return takeAnswer({ ...flow, test: event.answer.meta.test }, event.answer.data, event.now, event.fresh)
    case 'fault':
      return takeFault(flow, event.fault, event.during, event.nowMs)
    case 'again':
      return tryAgain(flow)
    case 'mobile': {
      if (screen.name !== 'mobile') break
      const next = withPerson(flow, event.typed)
      const problems = findMobileProblems(next.answers.person)
      return problems.length > 0 ? show(flow, { ...screen, problems }) : send(next)
    }
  }
  // While a new text is asked for, the code of an earlier one can be given: on a bad line that may take most of a minute.
  if (screen.name !== 'code' || (screen.busy === 'verify' && event.type !== 'resent')) return { flow }
  const { challenge, busy } = screen
  switch (event.type) {
    case 'code': {
      const problem = findCodeProblem(event.text)
      if (problem) return show(flow, { ...screen, problems: [problem], notice: null })
      return {
        ...show(flow, { ...screen, busy: 'verify', problems: [], notice: null }, 'verify'),
        code: readCode(event.text),
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
    case 'change-number':
      // After a reload there is nothing to send again with another number.
      return show(flow, flow.hasAgreed ? { name: 'mobile', challenge, problems: [] } : details)
  }
  return { flow }
}

function takeAnswer(flow: Flow, data: Data, now: Clock, fresh: boolean): Step {
  const { screen } = flow
  const { status, creditReportId = '', challenge, creditReport, summary } = data
  const onCode = screen.name === 'code' ? screen : null
  switch (status) {
    case 'complete':
      return show(flow, {
        name: 'report',
        creditReportId,
        data: { ...(creditReport && { creditReport }), ...(summary && { summary }) },
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
      return show(flow, {
        ...onCode,
        challenge: { ...onCode.challenge, attemptsRemaining },
        busy: null,
        problems: [{ field: 'code', words: 'codeWrong', values: { n: attemptsRemaining } }],
      })
    }
    case 'blocked':
    case 'failed':
      return show(flow, { name: 'ended', why: status, creditReportId })
    case 'none':
      // Nothing under way. On the code screen that means it has run out; before that it is what we expect.
      return onCode ? show(flow, { name: 'expired' }) : { flow }
  }
  return show(flow, { name: 'ended', why: 'unavailable', creditReportId })
}

function takeFault(flow: Flow, fault: Fault, during: Ask, nowMs: number): Step {
  const { screen } = flow
  const { code, status } = fault
  const isHopeless = NOT_AVAILABLE_STATUSES.includes(status)
  if (during === 'sync') {
    // Nobody should fill in a form that cannot be sent. Otherwise a question in the background changes nothing: the next may get through.
    return isHopeless && screen.name === 'details' ? show(flow, { name: 'ended', why: 'unavailable' }) : { flow }
  }
  // The code being checked may be the right one, after which there is nothing to send.
  if (during === 'resend' && screen.name === 'code' && screen.busy === 'verify')
    return show(flow, { ...screen, notice: { words: 'codeNotSent' } })
  if (status === 410) return show(flow, { name: 'expired' })
  if (screen.name === 'code') return takeFaultOnCode(flow, screen, fault, during, nowMs)

  const refused = findRefusedAnswers(fault)
  if (refused) return show(flow, { ...refused, fromAnswers: true })
  if (isHopeless) return show(flow, { name: 'ended', why: 'unavailable' })
  if (status === 401) return show(flow, { name: 'trouble', why: 'session', fault })
  if (status === 429) return show(flow, { name: 'trouble', why: 'busy', fault, retryAtMs: comeBackAt(fault, nowMs) })
  const why = code === 'offline' ? 'offline' : code === 'fingerprint-blocked' ? 'device' : 'broken'
  return show(flow, { name: 'trouble', why, fault })
}

// On the code screen the person holds a code that still works, so they stay there whenever they can.
function takeFaultOnCode(flow: Flow, screen: CodeScreen, fault: Fault, during: Ask, nowMs: number): Step {
  const { challenge } = screen
  const stay = (notice: Notice, ask?: Ask) => show(flow, { ...screen, busy: null, notice }, ask)
  switch (fault.status) {
    case 404:
      return show(flow, { name: 'expired' })
    case 401:
      return show(flow, { name: 'trouble', why: 'session', fault, challenge })
    case 403:
      return show(flow, { name: 'ended', why: 'unavailable' })
    case 402:
    case 429:
      // Without a time to come back at, it is the texts of this challenge that are used up.
      if (fault.status === 429 && (during === 'verify' || fault.retryAfterMs !== undefined))
        return stay({ words: 'waitUntil', timeMs: comeBackAt(fault, nowMs) })
      return show(flow, {
        ...screen,
        challenge: { ...challenge, textsRemaining: 0 },
        busy: null,
        notice: { words: 'noTexts' },
      })
  }
  // Whether it was counted is not known, so the server is asked how things stand.
  return stay({ words: during === 'resend' ? 'codeNotSent' : 'codeNotChecked' }, 'sync')
}

function tryAgain(flow: Flow): Step {
  const { screen } = flow
  if (screen.name === 'trouble' && screen.challenge)
    return show(flow, { name: 'code', challenge: screen.challenge, busy: null, problems: [], notice: null }, 'sync')
  if (screen.name !== 'expired' && screen.name !== 'trouble') return { flow }
  return flow.hasAgreed ? send(flow) : show(flow, details)
}

function comeBackAt({ retryAfterMs = BUSY_WAIT_MS }: Fault, nowMs: number): number {
  return nowMs + retryAfterMs
}
