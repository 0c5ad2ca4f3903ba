// The flow up to "Agree". The drawing is in `flow.ts`.
import { ADDRESSES_ASKED_MAX, type AddressRules, findAddressProblems, needsOlderAddress } from '../fields/address.ts'
import { type Answers, fillBlanks, fixAnswers, readPrefill } from '../fields/answers.ts'
import { readDateOfBirth } from '../fields/person.ts'
import type { Problem } from '../fields/problem.ts'
import { isBlank, type Typed } from '../fields/typed.ts'
import { advanceDetails, leaveDetails, prefillWith } from './details-steps.ts'
import {
  details,
  type Flow,
  type FlowEvent,
  type Screen,
  type ScreenNamed,
  type Step,
  send,
  show,
  withAnswers,
  withPerson,
} from './flow.ts'

/** Events of the lender's page or the line: after them, what was removed or kept is still news. */
const KEEPS_NEWS: readonly FlowEvent['type'][] = ['undo', 'prefill', 'draft', 'mobile-countries', 'answered', 'fault']

const toAnswers: Screen = { name: 'answers', problems: [] }

/**
 * Advances the form by an event; null for any other. One that makes no sense on the screen it meets changes nothing.
 */
export function advanceForm(before: Flow, event: FlowEvent): Step | null {
  const isOld = (before.removed || before.kept !== null) && !KEEPS_NEWS.includes(event.type)
  const flow = isOld ? { ...before, removed: null, kept: null } : before
  const { screen, answers } = flow
  switch (event.type) {
    case 'prefill': {
      const known = readPrefill(event.prefill)
      const isOthers = flow.kept !== null && isAnother(known.person, flow.kept)
      const own = fix(isOthers ? { ...flow, answers: flow.known, kept: null, screen: details } : flow, known, event.by)
      const step = prefillWith(own, (each) => fixAnswers(fillBlanks(each, known), own.fixed))
      // "Start again" leaves what the lender knows now.
      return own.kept === null ? step : { flow: { ...step.flow, known } }
    }
    case 'draft':
      return takeDraft(flow, event)
    case 'start-again':
      return show({ ...flow, answers: flow.known, round: flow.round + 1 }, details)
    case 'leave':
      // The browser may keep the page (bfcache): the report comes back only if the server still shows it.
      return screen.name === 'report' ? show(flow, { ...screen, data: {}, isLeft: true }) : { flow }
    case 'details':
      if (screen.name === 'details')
        return afterDetails(leaveDetails(flow, screen, event.typed, event.today), screen, event.today)
      break
    case 'address':
      if (screen.name === 'address') return leaveAddress(flow, screen, event.typed, event.today)
      break
    case 'abroad':
      if (screen.name !== 'address' || !screen.index) break
      return show(
        withAnswers(flow, { addresses: answers.addresses.slice(0, screen.index), abroadBefore: true }),
        toAnswers,
      )
    case 'back':
      return goBack(flow, event.typed)
    case 'change':
      if (screen.name !== 'answers') return advanceDetails(flow, event)
      return show(flow, {
        ...(event.address === undefined ? details : { name: 'address', index: event.address, problems: [] }),
        fromAnswers: true,
      })
    case 'remove': {
      const address = answers.addresses[event.address]
      if (screen.name !== 'answers' || !event.address || !address || flow.fixed.addresses[event.address]) break
      // Another round, so that focus does not go with the button that was pressed.
      return afterAddress(
        {
          ...withAnswers(flow, { addresses: answers.addresses.filter((each) => each !== address) }),
          removed: { address, index: event.address },
          round: flow.round + 1,
        },
        event.today,
      )
    }
    case 'undo': {
      if (!flow.removed) break
      const { address, index } = flow.removed
      const addresses = [...answers.addresses.slice(0, index), address, ...answers.addresses.slice(index)]
      return show({ ...withAnswers(flow, { addresses }), removed: null, round: flow.round + 1 }, toAnswers)
    }
    case 'submit':
      if (screen.name !== 'answers') break
      return event.agreed
        ? send({ ...flow, hasAgreed: true, shown: event.shown })
        : show(flow, { name: 'answers', problems: [{ field: 'consent', words: 'consentMissing' }] })
    default:
      return advanceDetails(flow, event)
  }
  return { flow }
}

/** Beside a start, what the page knows is not fixed. */
function fix(flow: Flow, fixed: Answers, by: 'locked' | 'start' | undefined): Flow {
  if (!by || (by === 'locked' && flow.start !== 'none')) return flow
  if (by === 'locked') return { ...flow, fixed }
  // The addresses of a start are all that the lender needs.
  return { ...flow, fixed, start: 'here', ...(fixed.addresses.length > 0 && { historyMonths: 0 }) }
}

/**
 * Answers typed before a reload count more than what the lender knows, unless that is fixed; what was typed since
 * counts more than both.
 */
function takeDraft(before: Flow, { draft, today, stays, resumes }: Extract<FlowEvent, { type: 'draft' }>): Step {
  const { screen, fixed, round } = before
  const about = draft.about || aboutOf(draft.person)
  const isPast = round > 0 || screen.name === 'address' || screen.name === 'answers'
  if (isPast || isAnother(before.known.person, about)) return { flow: before }
  const { person, abroadBefore, step, index } = draft
  const addresses = draft.addresses.slice(0, ADDRESSES_ASKED_MAX)
  const typed = { person, addresses, abroadBefore }
  // Exactly what was sent: anything else would be another check.
  if (resumes) return { flow: { ...withAnswers(before, typed), hasAgreed: true }, ask: 'generate' }
  const newest = before.answers === before.known ? typed : fixAnswers(typed, before.answers)
  const flow = withAnswers(before, fixAnswers(fillBlanks(newest, before.known), fixed))
  if (screen.name !== 'details') return { flow }
  const kept = { ...flow, kept: about }
  if (stays || step === 'details') return { flow: kept }
  if (step !== 'address' || index < fixed.addresses.length) return afterAddress(kept, today)
  return show(kept, { name: 'address', index: Math.min(index, addresses.length), problems: [] })
}

/** The step of a screen on the way, which is shorter where the lender has fixed the addresses. */
export function placeOf(
  name: 'details' | 'address' | 'answers' | 'code',
  flow: Flow,
  today: string,
): { step: number; total: number } {
  const { addresses } = flow.fixed
  const isFixed =
    addresses.length > 0 && afterAddress(withAnswers(flow, { addresses }), today).flow.screen === toAnswers
  const total = isFixed ? 3 : 4
  return { step: { details: 1, address: 2, answers: total - 1, code: total }[name], total }
}

/** The person these inputs name; empty for no one. */
export function aboutOf({ lastName, year, month, day }: Typed): string {
  return [lastName, year, month, day].filter(Boolean).join(' ')
}

/** The answers of one person are not mixed with what the lender knows of another. */
function isAnother(known: Typed, about: string): boolean {
  return aboutOf(known) !== '' && aboutOf(known) !== about
}

function afterDetails(step: Step, { fromAnswers }: ScreenNamed<'details'>, today: string): Step {
  const { flow } = step
  if (flow.screen.name !== 'address') return step
  if (fromAnswers) return show(flow, toAnswers)
  // A fixed address is shown with the answers; there is nothing to type.
  return flow.fixed.addresses.length > 0 ? afterAddress(flow, today) : step
}

function leaveAddress(before: Flow, screen: ScreenNamed<'address'>, typed: Typed, today: string): Step {
  const flow = withAddress(before, screen.index, typed)
  const problems = findProblemsAt(flow, screen.index, today)
  return problems.length > 0
    ? show(screen.fromAnswers ? before : flow, { ...screen, problems })
    : afterAddress(flow, today)
}

function afterAddress(flow: Flow, today: string): Step {
  const { addresses, abroadBefore } = flow.answers
  // One that was left half typed, or that the lender knows in part, is asked for where it is needed and dropped where
  // it is not.
  const half = addresses.findIndex((_, index) => findProblemsAt(flow, index, today).length > 0)
  const whole = half < 0 ? addresses : addresses.slice(0, half)
  const isEnough = whole.length > 0 && (abroadBefore || !needsOlderAddress(whole, today, flow.historyMonths))
  return isEnough
    ? show(withAnswers(flow, { addresses: whole }), toAnswers)
    : show(flow, { name: 'address', index: whole.length, problems: [] })
}

export function findProblemsAt(flow: Flow, index: number, today: string): Problem[] {
  return findAddressProblems(flow.answers.addresses[index] ?? {}, rulesAt(flow, index, today))
}

/** The rules for the address at `index`. */
export function rulesAt({ answers, historyMonths }: Flow, index: number, today: string): AddressRules {
  const { addresses, person } = answers
  return {
    today,
    historyMonths,
    dateOfBirth: readDateOfBirth(person),
    newer: addresses[index - 1],
    older: addresses[index + 1],
  }
}

export function withAddress(flow: Flow, index: number, typed: Typed): Flow {
  const { addresses } = flow.answers
  // Fixed values have no input.
  const address = { ...flow.fixed.addresses[index], ...typed }
  return withAnswers(flow, { addresses: [...addresses.slice(0, index), address, ...addresses.slice(index + 1)] })
}

function goBack(before: Flow, typed: Typed): Step {
  const { screen } = before
  const { addresses } = before.answers
  switch (screen.name) {
    case 'details':
      return screen.fromAnswers ? show(before, toAnswers) : { flow: withPerson(before, typed) }
    case 'address': {
      if (screen.fromAnswers) return show(before, toAnswers)
      // Half an address is kept; an empty one does not become an empty card.
      const flow = isBlank(typed) ? before : withAddress(before, screen.index, typed)
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
