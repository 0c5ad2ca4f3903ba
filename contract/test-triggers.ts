// Everything that test mode plays on request. The service, the lender's test kit and docs/lender/testing.md read this
// one table.
//
// The values are exact: no person has such a last name, and Ofcom keeps these mobile numbers free for plays and tests.
import type { AgencyStatus, Match } from './credit-report.ts'
import type { ErrorCode } from './error.ts'
import { writeProblems } from './problems.ts'

/**
 * The request that is refused: the one that begins the check, each code, the right code once, or the one for another
 * text.
 */
type Refused = 'generate' | 'code' | 'right-code' | 'resend'

type Plays =
  | { refuses: Refused; code: ErrorCode; retryAfterSeconds?: number }
  /** The answer of the request's last agency. */
  | { agency: AgencyStatus }
  | { match: Match }
  /** With the branch `challenge`: the code comes too late, the device is not verified, or the text never arrives. */
  | { challenge: 'expired' | 'device' | 'lost-text' }

export type Trigger = {
  field: 'lastName' | 'mobileNumber'
  value: string
  plays: Plays
  /** For the lender's developer. */
  says: string
}

const RETRY_LATER_SECONDS = 60
const NEXT_HOUR_SECONDS = 3_600

export const TRIGGERS: readonly Trigger[] = [
  refusal('Nofunds', 'insufficient-funds'),
  refusal('Capped', 'spend-cap-reached', NEXT_HOUR_SECONDS),
  refusal('Busy', 'rate-limited', RETRY_LATER_SECONDS),
  refusal('Outage', 'unavailable', RETRY_LATER_SECONDS),
  refusal('Broken', 'internal-error'),
  refusal('Running', 'request-in-progress'),
  refusal('Suspended', 'forbidden'),
  refusal('Unauthorized', 'unauthorized'),
  lastName('Unavailable', { agency: 'unavailable' }, 'the last agency of the request does not answer'),
  lastName('Notasked', { agency: 'not-asked' }, 'the last agency of the request is left out, because it fails'),
  lastName('Nofile', { agency: 'no-file' }, 'the last agency of the request has no file on the person'),
  lastName('Match', { match: 'matched' }, '`match` beside the report is `matched`'),
  lastName('Mismatch', { match: 'not-matched' }, '`match` beside the report is `not-matched`'),
  lastName('Nomatch', { match: 'unknown' }, '`match` beside the report is `unknown`'),
  number('00', { refuses: 'generate', code: 'validation-error' }, 'a wrong number: refused, naming `mobileNumber`'),
  number('01', { challenge: 'lost-text' }, 'the text never arrives: every code is wrong'),
  number('02', { challenge: 'expired' }, 'the code comes too late: `challenge-expired`'),
  number('03', { challenge: 'device' }, 'the device is not verified: the first code ends in `failed`'),
  number(
    '04',
    { refuses: 'right-code', code: 'unavailable', retryAfterSeconds: 5 },
    'no agency answers after the right code; sent again, it completes',
  ),
  number('05', { refuses: 'code', code: 'credit-report-not-found' }, 'the check was erased before the code came'),
  number('06', { refuses: 'code', code: 'challenge-not-found' }, 'the code is refused as one of another check'),
  number('07', { refuses: 'resend', code: 'insufficient-funds' }, 'the balance is too low for another text'),
  number('08', { refuses: 'resend', code: 'spend-cap-reached' }, 'the spend cap is reached before another text'),
  number('09', { refuses: 'resend', code: 'rate-limited' }, 'too many texts to this number'),
]

/** The outcome that these details ask test mode to play; the last name takes precedence over the number. */
export function triggerOf(details: { lastName: string; mobileNumber?: string | undefined }): Trigger | null {
  return TRIGGERS.find(({ field, value }) => details[field] === value) ?? null
}

/** The details of a check stay unknown after its beginning, but for the trigger's own value. */
export function triggerOfValue(value: string | undefined): Trigger | null {
  return TRIGGERS.find((trigger) => trigger.value === value) ?? null
}

/** The refusal of the request; null when it goes on. */
export function playedRefusal(trigger: Trigger | null, request: Refused) {
  if (trigger === null || !('refuses' in trigger.plays) || trigger.plays.refuses !== request) return null
  const { code, retryAfterSeconds } = trigger.plays
  const message = writeProblems([{ path: trigger.field, expected: `"${trigger.value}" makes test mode answer this` }])
  const headers: { [name: string]: string } =
    retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) }
  return { code, message, headers }
}

/** The answer of the request's last agency, where that is not a file. */
export function playedAgency(trigger: Trigger | null): AgencyStatus | null {
  return trigger !== null && 'agency' in trigger.plays ? trigger.plays.agency : null
}

export function playedMatch(trigger: Trigger | null): Match | null {
  return trigger !== null && 'match' in trigger.plays ? trigger.plays.match : null
}

export function playedChallenge(trigger: Trigger | null) {
  return trigger !== null && 'challenge' in trigger.plays ? trigger.plays.challenge : null
}

function lastName(value: string, plays: Plays, says: string): Trigger {
  return { field: 'lastName', value, plays, says }
}

function refusal(value: string, code: ErrorCode, retryAfterSeconds?: number): Trigger {
  const plays = { refuses: 'generate', code, ...(retryAfterSeconds && { retryAfterSeconds }) } as const
  return lastName(value, plays, `the check is refused with \`${code}\``)
}

function number(end: string, plays: Plays, says: string): Trigger {
  return { field: 'mobileNumber', value: `+4477009008${end}`, plays, says }
}
