// Where a 400 of the lender's server belongs: the screen and the inputs its message names.
import { BUILDING_FIELDS } from '../../contract/building.ts'
import { readProblems } from '../../contract/problems.ts'
import { ADDRESS_FIELDS } from '../fields/address.ts'
import type { Problem } from '../fields/problem.ts'
import type { Fault } from './fault.ts'
import type { ScreenNamed } from './flow.ts'

const PERSON_FIELDS = ['title', 'firstName', 'middleName', 'lastName', 'dateOfBirth', 'mobileNumber', 'email'] as const
const addressPath = /^addresses\[(\d+)\](?:\.ukAddress)?(?:\.(\w+))?$/

type Refused = ScreenNamed<'details'> | ScreenNamed<'address'>

/** The first screen with something the server refused, each complaint beside its input; null when it belongs to none. */
export function findRefusedAnswers({ status, message = '' }: Fault): Refused | null {
  if (status !== 400) return null
  const paths = readProblems(message).map(({ path }) => path)
  const person = PERSON_FIELDS.filter((field) => paths.includes(field))
  if (person.length > 0)
    return {
      name: 'details',
      problems: person.map((field) => refuse(field, field === 'dateOfBirth' ? 'day' : field, field)),
    }
  const found = paths.map((path) => addressPath.exec(path)).filter((match) => match !== null)
  const index = Math.min(...found.map((match) => Number(match[1])))
  const problems = found.filter((match) => Number(match[1]) === index).map((match) => refuseLine(match[2]))
  return problems.length > 0 ? { name: 'address', index, problems } : null
}

function refuseLine(line: string | undefined): Problem {
  const field = ADDRESS_FIELDS.find((name) => name === line)
  // A complaint about the whole address, or about its building, belongs to the three boxes of which one is needed.
  if (!field) return refuse('building', 'buildingNumber', 'building')
  return refuse(BUILDING_FIELDS.some((name) => name === line) ? 'building' : field, field, field)
}

function refuse(field: string, focus: string, label: NonNullable<Problem['label']>): Problem {
  return { field, focus, words: 'notAccepted', label }
}
