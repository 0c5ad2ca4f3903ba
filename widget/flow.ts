// Which screen, and what next. Pure: no clock, network or storage; the day comes in with the event, what to ask the lender's server
// comes out as `ask`. This file holds the states and the half that fills in the form; `check/steps.ts` holds the half that talks
// to the server, which is loaded while the form is filled in.
//
//   details ──▶ address ──▶ (address …) ──▶ answers ──▶ sending ──┬──▶ report
//      ▲           ▲     until the history      │  ▲              ├──▶ code ──┬──▶ report
//      └───────────┴──── is long enough ◀───────┘  │              │    ▲      ├──▶ ended (failed)
//                        change                    │              │    ▼      └──▶ expired ──▶ sending
//                                               trouble ◀─────────┤  mobile ──▶ sending
//                                                                 └──▶ ended (blocked, unavailable)
//
// What was typed lives beside the screen, so no way through the drawing can lose it.

import { findAddressProblems, needsOlderAddress } from './address.ts'
import { type Answers, noAnswers, type Prefill, prefillAnswers } from './answers.ts'
import type { Answer } from './build/reading.ts'
import type { Challenge } from './check/challenge.ts'
import type { Fault } from './check/fault.ts'
import type { CheckEvent } from './check/steps.ts'
import { AGE_MIN_YEARS, ageInYears, findPersonProblems, readDateOfBirth } from './person.ts'
import { type Fields, isBlank, type Problem } from './problem.ts'
import type { StringKey } from './strings/en.ts'

export type Screen =
  | { name: 'details'; problems: Problem[]; fromAnswers?: boolean }
  | { name: 'address'; index: number; problems: Problem[]; fromAnswers?: boolean }
  | { name: 'answers'; problems: Problem[] }
  | { name: 'sending' }
  | { name: 'code'; challenge: Challenge; busy: 'verify' | 'resend' | null; problems: Problem[]; notice: Notice | null }
  | { name: 'mobile'; challenge: Challenge; problems: Problem[] }
  | { name: 'report'; creditReportId: string; data: Delivered; preparedAtMs: number }
  | { name: 'expired' }
  | { name: 'ended'; why: 'underAge' }
  | { name: 'ended'; why: 'blocked' | 'failed' | 'unavailable'; creditReportId?: string }
  | { name: 'trouble'; why: Trouble; fault: Fault; retryAtMs?: number; challenge?: Challenge }

export type ScreenName = Screen['name']
export type ScreenNamed<Name extends ScreenName> = Extract<Screen, { name: Name }>
export type Trouble = 'busy' | 'offline' | 'broken' | 'device' | 'session'
/** Something said without moving anyone; `timeMs` fills `{time}`. */
export type Notice = { words: StringKey; timeMs?: number }
export type Delivered = Pick<Answer['data'], 'creditReport' | 'summary'>

export type Flow = {
  screen: Screen
  answers: Answers
  /** The answers as the page's own knowledge made them; the same as `answers` until the consumer has given any. */
  known: Answers
  /** The proxy runs in test mode: everything shown is synthetic. */
  test: boolean
  /** How many months of addresses the lender wants; 0 asks for no dates. */
  historyMonths: number
  /** The consumer has agreed to these answers on this page, so that they may be sent again. */
  hasAgreed: boolean
  /** How often a screen was begun anew; each time its inputs are new too. */
  round: number
}

/** What should now be asked of the lender's server. */
export type Ask = 'generate' | 'verify' | 'resend' | 'sync'
export type Step = { flow: Flow; ask?: Ask | undefined; code?: string }

export type FormEvent =
  | { type: 'prefill'; prefill: Prefill }
  | { type: 'details'; fields: Fields; today: string }
  | { type: 'address'; fields: Fields; today: string }
  | { type: 'abroad' }
  | { type: 'back'; fields: Fields }
  | { type: 'change'; address?: number }
  | { type: 'remove'; address: number; today: string }
  | { type: 'submit'; agreed: boolean }
  | { type: 'not-loaded' }
  | { type: 'leave' }
  | { type: 'reset' }

export function startFlow(historyMonths: number): Flow {
  return {
    screen: details,
    answers: noAnswers,
    known: noAnswers,
    test: false,
    historyMonths,
    hasAgreed: false,
    round: 0,
  }
}

export type FlowEvent = FormEvent | CheckEvent

/** Where an event of the form leads; null for any other. One that makes no sense on the screen it meets changes nothing. */
export function advanceForm(flow: Flow, event: FlowEvent): Step | null {
  const { screen, answers } = flow
  switch (event.type) {
    case 'prefill': {
      // Nothing given yet: the page may know better by now, or know somebody else.
      const isUntouched = answers === flow.known
      const next = prefillAnswers(isUntouched ? noAnswers : answers, event.prefill)
      return { flow: { ...flow, answers: next, ...(isUntouched && { known: next }) } }
    }
    case 'reset':
      return { flow: { ...startFlow(flow.historyMonths), test: flow.test, round: flow.round + 1 } }
    case 'leave':
      // Pressing Back must not bring somebody's report back to the screen.
      return screen.name === 'report' ? show(flow, { ...screen, data: {} }) : { flow }
    case 'details':
      if (screen.name === 'details') return leaveDetails(flow, screen, event.fields, event.today)
      break
    case 'address':
      if (screen.name === 'address') return leaveAddress(flow, screen, event.fields, event.today)
      break
    case 'abroad':
      if (screen.name !== 'address' || !screen.index) break
      return show(
        withAnswers(flow, { addresses: answers.addresses.slice(0, screen.index), abroadBefore: true }),
        toAnswers,
      )
    case 'back':
      return goBack(flow, event.fields)
    case 'change':
      if (screen.name === 'ended' && screen.why === 'underAge') return show(flow, details)
      if (screen.name !== 'answers') break
      return show(flow, {
        ...(event.address === undefined ? details : { name: 'address', index: event.address, problems: [] }),
        fromAnswers: true,
      })
    case 'remove':
      if (screen.name !== 'answers' || !event.address) break
      // Another round, so that focus does not go with the button that was pressed.
      return afterAddress(
        {
          ...withAnswers(flow, { addresses: answers.addresses.filter((_, index) => index !== event.address) }),
          round: flow.round + 1,
        },
        event.today,
      )
    case 'submit':
      if (screen.name !== 'answers') break
      return event.agreed
        ? send({ ...flow, hasAgreed: true })
        : complain(flow, { field: 'consent', words: 'consentMissing' })
    case 'not-loaded':
      return complain(flow, { field: 'agree', words: 'brokenTitle' })
    default:
      return null
  }
  return { flow }
}

export const details: ScreenNamed<'details'> = { name: 'details', problems: [] }
const toAnswers: Screen = { name: 'answers', problems: [] }

export function show(flow: Flow, screen: Screen, ask?: Ask): Step {
  return { flow: { ...flow, screen }, ask }
}

export function send(flow: Flow): Step {
  return show(flow, { name: 'sending' }, 'generate')
}

export function withAnswers(flow: Flow, answers: Partial<Answers>): Flow {
  return { ...flow, answers: { ...flow.answers, ...answers } }
}

/** Answers about the person, added to what is known. */
export function withPerson(flow: Flow, fields: Fields): Flow {
  return withAnswers(flow, { person: { ...flow.answers.person, ...fields } })
}

function complain(flow: Flow, problem: Problem): Step {
  return show(flow, { name: 'answers', problems: [problem] })
}

function leaveDetails(before: Flow, screen: ScreenNamed<'details'>, fields: Fields, today: string): Step {
  const flow = withPerson(before, fields)
  const { person } = flow.answers
  const problems = findPersonProblems(person, today)
  // Where the answers were good before, Back leads to those.
  if (problems.length > 0) return show(screen.fromAnswers ? before : flow, { ...screen, problems })
  if (ageInYears(readDateOfBirth(person), today) < AGE_MIN_YEARS) return show(flow, { name: 'ended', why: 'underAge' })
  return show(flow, screen.fromAnswers ? toAnswers : { name: 'address', index: 0, problems: [] })
}

function leaveAddress(before: Flow, screen: ScreenNamed<'address'>, fields: Fields, today: string): Step {
  const flow = withAddress(before, screen.index, fields)
  const problems = findProblemsAt(flow, screen.index, today)
  return problems.length > 0
    ? show(screen.fromAnswers ? before : flow, { ...screen, problems })
    : afterAddress(flow, today)
}

function afterAddress(flow: Flow, today: string): Step {
  const { addresses, abroadBefore } = flow.answers
  // One that was left half typed, or that the lender knows in part, is asked for where it is needed and dropped where it is not.
  const half = addresses.findIndex((_, index) => findProblemsAt(flow, index, today).length > 0)
  const whole = half < 0 ? addresses : addresses.slice(0, half)
  const isEnough = whole.length > 0 && (abroadBefore || !needsOlderAddress(whole, today, flow.historyMonths))
  return isEnough
    ? show(withAnswers(flow, { addresses: whole }), toAnswers)
    : show(flow, { name: 'address', index: whole.length, problems: [] })
}

export function findProblemsAt({ answers, historyMonths }: Flow, index: number, today: string): Problem[] {
  const { addresses, person } = answers
  return findAddressProblems(addresses[index] ?? {}, {
    today,
    historyMonths,
    dateOfBirth: readDateOfBirth(person),
    others: addresses.filter((_, other) => other !== index),
    newer: addresses[index - 1],
    older: addresses[index + 1],
  })
}

function goBack(before: Flow, fields: Fields): Step {
  const { screen } = before
  const { addresses } = before.answers
  switch (screen.name) {
    case 'details':
      return screen.fromAnswers ? show(before, toAnswers) : { flow: withPerson(before, fields) }
    case 'address': {
      if (screen.fromAnswers) return show(before, toAnswers)
      // Half an address is kept; one nobody began does not become an empty card.
      const flow = isBlank(fields) ? before : withAddress(before, screen.index, fields)
      return show(flow, screen.index ? { name: 'address', index: screen.index - 1, problems: [] } : details)
    }
    case 'answers':
      return show(withAnswers(before, { abroadBefore: false }), {
        name: 'address',
        index: addresses.length - 1,
        problems: [],
      })
    case 'mobile':
      // The code may still work; the server says whether it does.
      return show(before, { name: 'code', challenge: screen.challenge, busy: null, problems: [], notice: null }, 'sync')
    default:
      return { flow: before }
  }
}

export function withAddress(flow: Flow, index: number, fields: Fields): Flow {
  const { addresses } = flow.answers
  return withAnswers(flow, { addresses: [...addresses.slice(0, index), fields, ...addresses.slice(index + 1)] })
}
