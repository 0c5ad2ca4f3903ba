// The steps of the first screen: all that can happen before the `check` chunk is loaded. The drawing is in `flow.ts`.
import type { Answers } from '../fields/answers.ts'
import { prefill } from '../fields/field.ts'
import { AGE_MIN_YEARS, ageInYears, findPersonProblems, PERSON_FIELDS, readDateOfBirth } from '../fields/person.ts'
import type { Typed } from '../fields/typed.ts'
import {
  details,
  type Flow,
  type FlowEvent,
  noAnswers,
  type ScreenNamed,
  type Step,
  show,
  startOver,
  withPerson,
} from './flow.ts'

/** Advances the first screen by an event; null for any other. */
export function advanceDetails(flow: Flow, event: FlowEvent): Step | null {
  const { screen } = flow
  switch (event.type) {
    case 'prefill':
      // Addresses are read by the chunk: the session sends this event again when it is loaded.
      return prefillWith(flow, (answers) => ({
        ...answers,
        person: { ...prefill(PERSON_FIELDS, event.prefill), ...answers.person },
      }))
    case 'mobile-countries':
      return { flow: { ...flow, mobile: { ...flow.mobile, callingCodes: event.callingCodes } } }
    case 'reset':
      return startOver(flow)
    case 'details':
      return screen.name === 'details' ? leaveDetails(flow, screen, event.typed, event.today) : { flow }
    case 'change':
      return screen.name === 'ended' && screen.why === 'underAge' ? show(flow, details) : { flow }
    default:
      return null
  }
}

/** While nothing was typed, a later prefill replaces the earlier one: that may have been about another person. */
export function prefillWith(flow: Flow, fill: (answers: Answers) => Answers): Step {
  const isUntouched = flow.answers === flow.known
  const answers = fill(isUntouched ? noAnswers : flow.answers)
  return { flow: { ...flow, answers, ...(isUntouched && { known: answers }) } }
}

/** Good details lead to the first address. */
export function leaveDetails(before: Flow, screen: ScreenNamed<'details'>, typed: Typed, today: string): Step {
  const flow = withPerson(before, typed)
  const { person } = flow.answers
  const problems = findPersonProblems(person, { today, mobile: flow.mobile })
  // If the answers were good before, Back leads to them.
  if (problems.length > 0) return show(screen.fromAnswers ? before : flow, { ...screen, problems })
  if (ageInYears(readDateOfBirth(person), today) < AGE_MIN_YEARS) return show(flow, { name: 'ended', why: 'underAge' })
  return show(flow, { name: 'address', index: 0, problems: [] })
}
