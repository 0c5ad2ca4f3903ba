// Finds the place of a 400 of the lender's server: the screen and the inputs its message names.
import { readProblems } from '../../contract/problems.ts'
import { ADDRESS_FIELDS } from '../fields/address.ts'
import { refuse } from '../fields/field.ts'
import { PERSON_FIELDS } from '../fields/person.ts'
import type { Problem } from '../fields/problem.ts'
import { readInput, type Typed } from '../fields/typed.ts'
import type { Fault } from './fault.ts'
import type { ScreenNamed } from './flow.ts'

const addressPath = /^addresses\[(\d+)\](?:\.ukAddress)?(?:\.(\w+))?$/
// A complaint about a whole address is about its building: one of the three inputs is needed.
const wholeAddress: Problem = { field: 'building', focus: 'buildingNumber', words: 'notAccepted', label: 'building' }

type Refused = ScreenNamed<'details'> | ScreenNamed<'address'>

/**
 * The first screen with something the server refused, each complaint beside its input; null when it belongs to none.
 */
export function findRefusedAnswers({ message = '' }: Fault, typed: Typed = {}): Refused | null {
  const paths = readProblems(message).map(({ path }) => path)
  const person = paths.flatMap((path) => refuse(PERSON_FIELDS, path) ?? []).map((problem) => orNeeded(problem, typed))
  if (person.length > 0) return { name: 'details', problems: person }
  const found = paths.map((path) => addressPath.exec(path)).filter((match) => match !== null)
  const index = Math.min(...found.map((match) => Number(match[1])))
  const problems = found
    .filter((match) => Number(match[1]) === index)
    .map(([, , line = '']) => refuse(ADDRESS_FIELDS, line) ?? wholeAddress)
  return problems.length > 0 ? { name: 'address', index, problems } : null
}

/** A number that was optional is needed after all: this person is to confirm by a code that it is them. */
function orNeeded(problem: Problem, typed: Typed): Problem {
  if (problem.field !== 'mobileNumber' || readInput(typed, 'mobileNumber')) return problem
  return { field: 'mobileNumber', words: 'mobileNumberNeeded' }
}
