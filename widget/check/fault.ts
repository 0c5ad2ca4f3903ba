// Everything that can keep an answer from arriving, as a value.
import { BUILDING_FIELDS } from '../../contract/address.ts'
import { readProblems } from '../../contract/problems.ts'
import { ADDRESS_FIELDS } from '../address.ts'
import type { ScreenNamed } from '../flow.ts'
import type { Problem } from '../problem.ts'

export type Fault = {
  /** The server's code, or one of ours. */
  code: string
  /** The HTTP status; 0 when there was no answer. */
  status: number
  retryAfterMs?: number
  /** What the lender's support can look up. */
  requestId?: string
  /** What a 400 complained about, as the server wrote it. */
  message?: string
}

/** Codes of faults that never reached the server, or whose answer made no sense. */
export type OwnFaultCode =
  | 'offline'
  | 'network'
  | 'timeout'
  | 'garbled-answer'
  | 'script-blocked'
  | 'fingerprint-blocked'

export function ownFault(code: OwnFaultCode): Fault {
  return { code, status: 0 }
}

const PERSON_FIELDS = ['title', 'firstName', 'middleName', 'lastName', 'dateOfBirth', 'mobileNumber', 'email'] as const
const addressPath = /^addresses\[(\d+)\](?:\.ukAddress)?(?:\.(\w+))?$/

type Refused = ScreenNamed<'details'> | ScreenNamed<'address'>

/** The first screen with something the server refused, each complaint beside its input; null when it belongs to none. */
export function findServerProblems({ status, message = '' }: Fault): Refused | null {
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
