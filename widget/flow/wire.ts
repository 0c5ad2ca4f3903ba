// The lender's server's answers: of the contract's parts, those a screen uses. Checked by hand, because the schemas
// weigh more than all of this chunk; each table has every field of the contract's type, and a test compares it with the
// schema.
import type { Agency } from '../../contract/credit-report.ts'
import type { ErrorBody } from '../../contract/envelope.ts'
import type { ChallengeState, Draft, ProxyReport, ProxyResend, ReportSummary } from '../../contract/tenant-proxy.ts'
import type { Prefill } from '../fields/answers.ts'

/**
 * The state of a check. The report itself is read by `report/read-report.ts`: nothing missing inside it may cost the
 * consumer the rest.
 */
export type Answer = {
  meta: Omit<ProxyReport['meta'], 'known'> & { known?: Prefill | undefined }
  data: Omit<ProxyReport['data'], 'creditReport'> & { creditReport?: object | undefined }
}

/** A text was sent again. */
export type Resent = { data: Pick<ProxyResend['data'], 'challenge'> }

export type Reader<T> = (value: unknown) => T | null

type Check = (value: unknown) => boolean
/** A field that is added to the contract does not compile until it is checked here. */
type Fields<T> = { [name in keyof T]-?: Check }

const isString: Check = (value) => typeof value === 'string'
const isNumber: Check = (value) => typeof value === 'number'
const isBoolean: Check = (value) => typeof value === 'boolean'
const isObject: Check = (value) => typeof value === 'object' && value !== null && !Array.isArray(value)
const optional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value)
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check)

function has<T>(fields: Fields<T>): (value: unknown) => value is T {
  const names = Object.keys(fields) as (keyof T)[]
  return (value): value is T => isObject(value) && names.every((name) => fields[name](Reflect.get(Object(value), name)))
}

const isChallenge = has<ChallengeState>({
  challengeId: isString,
  expiresInSeconds: isNumber,
  attemptsRemaining: Number.isSafeInteger,
  textsRemaining: Number.isSafeInteger,
  mobileNumberEnding: optional(isString),
})

const isTyped: Check = (value) => isObject(value) && Object.values(Object(value)).every(isString)
const isDraft = has<Draft>({
  id: isString,
  step: isString,
  index: Number.isSafeInteger,
  person: isTyped,
  addresses: listOf(isTyped),
  abroadBefore: isBoolean,
  about: isString,
})

const isAnswer = has<Answer>({
  meta: has<Answer['meta']>({
    test: isBoolean,
    fingerprintSrc: optional(isString),
    findsAddresses: optional(isBoolean),
    takesSteps: optional(isBoolean),
    bureaus: optional(listOf(isString)),
    nonce: optional(isString),
    cookieKept: optional(isBoolean),
    known: optional(isObject),
    draft: optional((value) => value === null || isDraft(value)),
  }),
  data: has<Answer['data']>({
    status: isString,
    creditReportId: optional(isString),
    challengeType: optional(isString),
    challenge: optional(isChallenge),
    attemptsRemaining: optional(Number.isSafeInteger),
    creditReport: optional(isObject),
    agencies: optional(listOf(has<Agency>({ id: isString, status: isString }))),
    summary: optional(
      has<ReportSummary>({
        openAccounts: Number.isSafeInteger,
        settledAccounts: Number.isSafeInteger,
        searches: Number.isSafeInteger,
      }),
    ),
    closed: optional(isBoolean),
    opening: optional(
      has<NonNullable<Answer['data']['opening']>>({
        expiresInSeconds: isNumber,
        attemptsRemaining: Number.isSafeInteger,
      }),
    ),
  }),
})
const isResent = has<Resent>({ data: has<Resent['data']>({ challenge: isChallenge }) })
const isError = has<ErrorBody>({ code: isString, message: isString })

export const readAnswer: Reader<Answer> = (value) => (isAnswer(value) ? value : null)
export const readResent: Reader<Resent> = (value) => (isResent(value) ? value : null)
export const readError: Reader<ErrorBody> = (value) => (isError(value) ? value : null)
