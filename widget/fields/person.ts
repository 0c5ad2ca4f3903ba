// The fields about the person. Pure: `today` comes in, problems or the request's fields come out.
import type { ConsumerDetails } from '../../contract/consumer-details.ts'
import { EMAIL_LENGTH_MAX, NAME_LENGTH_MAX } from '../../contract/limits.ts'
import { normaliseMobile, normaliseUkMobile, showMobileNumber } from '../../contract/mobile-number.ts'
import type { StringKey } from '../strings/en.ts'
import { showDay } from '../strings/words.ts'
import { isRealDay, readMonth, readNumber, splitDate, writeDate, writeNumber } from './date.ts'
import { type Field, findProblems, readWire, sendAsTyped } from './field.ts'
import type { Problem } from './problem.ts'
import { type AnswerInput, type PersonWireField, readInput, type Typed } from './typed.ts'

export type PersonRules = {
  /** YYYY-MM-DD */
  today: string
  mobile: MobileRules
}

/** The mobile numbers that the lender accepts. */
export type MobileRules = {
  isRequired: boolean
  /** Calling codes they may begin with, for example `44`; `any` takes every country. */
  callingCodes: readonly string[] | 'any'
}

/** Unless the lender says otherwise. */
export const UK_MOBILE: MobileRules = { isRequired: true, callingCodes: ['44'] }

export const AGE_MIN_YEARS = 18
const AGE_MAX_YEARS = 120

// Letters and marks of every script, digits, and what names are joined with. No control characters.
const strangeCharacters = /[^\p{L}\p{M}\p{N} .,'’‘()\-·&/]/gu
const emailShape = /^[^\s@]+@[^\s@]+\.[^\s@]+$/

/** In the order they are asked for. */
export const PERSON_FIELDS = {
  // Asked for only when the lender has prefilled one, so that the consumer can change it.
  title: { ...nameField('title', 'honorific-prefix'), isAsked: ({ title }) => title !== undefined },
  firstName: nameField('firstName', 'given-name', 'firstNameMissing'),
  middleName: nameField('middleName', 'additional-name'),
  lastName: nameField('lastName', 'family-name', 'lastNameMissing'),
  dateOfBirth: {
    inputs: {
      day: { inputMode: 'numeric', autocomplete: 'bday-day', width: 'w2' },
      month: { inputMode: 'numeric', autocomplete: 'bday-month', width: 'w2' },
      year: { inputMode: 'numeric', autocomplete: 'bday-year', width: 'w4' },
    },
    hint: 'dateOfBirthHint',
    missing: 'dateOfBirthMissing',
    check: checkDateOfBirth,
    wire: { dateOfBirth: readDateOfBirth },
    show: (typed, words) => showDay(words, readDateOfBirth(typed)),
    prefill: { dateOfBirth: fillDateOfBirth },
  },
  mobileNumber: {
    // Not of type `tel`, which is for numbers with their country.
    inputs: { mobileNumber: { inputMode: 'tel', autocomplete: 'tel-national', width: 'w20' } },
    hint: 'mobileNumberHint',
    missing: 'mobileNumberMissing',
    check: checkMobileNumber,
    wire: { mobileNumber: readMobileNumber },
    show: (typed) => showMobileNumber(readMobileNumber(typed)),
  },
  email: {
    inputs: { email: { type: 'email', autocomplete: 'email', autocapitalize: 'none' } },
    isOptional: true,
    lengthMax: EMAIL_LENGTH_MAX,
    check: checkEmail,
    wire: sendAsTyped('email'),
  },
} satisfies { [name in PersonWireField]: Field<PersonRules> }

/** The date that opens a report again: on a shared device the browser must not offer the answer. */
export const BIRTH_AGAIN: Field<PersonRules> = {
  ...PERSON_FIELDS.dateOfBirth,
  inputs: {
    day: { inputMode: 'numeric', width: 'w2' },
    month: { inputMode: 'numeric', width: 'w2' },
    year: { inputMode: 'numeric', width: 'w4' },
  },
}

/** The table as this lender wants it. */
export function personFields({ mobile }: Pick<PersonRules, 'mobile'>) {
  return { ...PERSON_FIELDS, mobileNumber: mobileField(mobile) } satisfies {
    [name in PersonWireField]: Field<PersonRules>
  }
}

export function findPersonProblems(typed: Typed, rules: PersonRules): Problem[] {
  const hasOneName = readInput(typed, 'firstName') !== ''
  return findProblems(personFields(rules), typed, rules).map((problem) =>
    hasOneName && problem.words === 'lastNameMissing' ? { ...problem, words: 'lastNameOnly' } : problem,
  )
}

/** For a number that a code is to be sent to: there has to be one. */
export function findMobileProblems(typed: Typed, { callingCodes }: MobileRules): Problem[] {
  const mobile = { isRequired: true, callingCodes }
  return findProblems({ mobileNumber: mobileField(mobile) }, typed, { mobile })
}

/** For the date that opens a report again. */
export function findBirthProblems(typed: Typed, today: string): Problem[] {
  const { dateOfBirth } = PERSON_FIELDS
  return findProblems({ dateOfBirth }, typed, { today, mobile: UK_MOBILE })
}

export function takesOnlyUk({ callingCodes }: MobileRules): boolean {
  return callingCodes !== 'any' && callingCodes.every((code) => code === '44')
}

export function mobileField(mobile: MobileRules): Field<Pick<PersonRules, 'mobile'>> {
  const { missing, ...field } = PERSON_FIELDS.mobileNumber
  const anywhere = {
    inputs: { mobileNumber: { type: 'tel', autocomplete: 'tel', width: 'w20' } },
    label: 'mobileNumberAny',
    row: 'mobileNumberAny',
    hint: 'mobileNumberAnyHint',
  } as const
  return {
    ...field,
    ...(takesOnlyUk(mobile) ? {} : anywhere),
    ...(!mobile.isRequired
      ? { isOptional: true }
      : { missing: takesOnlyUk(mobile) ? missing : 'mobileNumberAnyMissing' }),
  }
}

/** The person as the request has it; call it only when there are no problems. */
export function readPerson(typed: Typed): Pick<ConsumerDetails, PersonWireField> {
  return { firstName: '', lastName: '', dateOfBirth: '', ...readWire(PERSON_FIELDS, typed) }
}

/** `YYYY-MM-DD` from the three inputs. */
export function readDateOfBirth(typed: Typed): string {
  return writeDate(readBirth(typed))
}

/** Whole years between two `YYYY-MM-DD` days. */
export function ageInYears(dateOfBirth: string, today: string): number {
  const birth = splitDate(dateOfBirth)
  const now = splitDate(today)
  const hadBirthday = today.slice(5) >= dateOfBirth.slice(5)
  return now.year - birth.year - (hadBirthday ? 0 : 1)
}

type NameInput = Extract<AnswerInput, 'title' | 'firstName' | 'middleName' | 'lastName'>

function nameField<Name extends NameInput>(name: Name, autocomplete: string, missing?: StringKey) {
  return {
    inputs: { [name]: { autocomplete, autocapitalize: 'words' } },
    ...(missing ? { missing } : { isOptional: true }),
    lengthMax: NAME_LENGTH_MAX,
    check: (typed) => checkName(name, typed),
    wire: { [name]: (typed: Typed) => correctName(readInput(typed, name)) },
    row: 'name',
  } satisfies Field<PersonRules>
}

/** Every kind of hyphen and dash as a hyphen, every kind of accent mark used as an apostrophe as an apostrophe. */
function correctName(typed: string): string {
  return typed.replace(/[\u2010-\u2015\u2212]/g, '-').replace(/[´′ʹʼ`]/g, '’')
}

function checkName(name: NameInput, typed: Typed): Problem[] {
  const written = correctName(readInput(typed, name))
  const strange = written.match(strangeCharacters)
  if (!strange) return /\p{L}/u.test(written) ? [] : [{ field: name, words: 'nameLetters', label: name }]
  const characters = [...new Set(strange)].join(' ')
  return [{ field: name, words: 'strangeCharacters', label: name, values: { characters } }]
}

function checkDateOfBirth(typed: Typed, { today }: PersonRules): Problem[] {
  const problem = (words: StringKey, ...parts: ('day' | 'month' | 'year')[]): Problem[] => [
    { field: 'dateOfBirth', focus: parts[0] ?? 'day', words, parts },
  ]
  const missing = (['day', 'month', 'year'] as const).filter((part) => !readInput(typed, part))
  if (missing[0]) return problem('dateOfBirthPart', ...missing)

  const { year, month, day } = readBirth(typed)
  if (!(year >= 1000 && year <= 9999)) return problem('dateOfBirthShortYear', 'year')
  if (!isRealDay(year, month, day)) return problem('dateOfBirthUnreal', 'day', 'month')
  const date = readDateOfBirth(typed)
  if (date >= today) return problem('dateOfBirthFuture', 'day', 'month', 'year')
  return ageInYears(date, today) > AGE_MAX_YEARS ? problem('dateOfBirthOld', 'year') : []
}

function fillDateOfBirth(known: string): Typed {
  const { year, month, day } = splitDate(known)
  return { day: writeNumber(day), month: writeNumber(month), year: writeNumber(year) }
}

function readBirth(typed: Typed): { year: number; month: number; day: number } {
  return {
    year: readNumber(readInput(typed, 'year')),
    month: readMonth(readInput(typed, 'month')),
    day: readNumber(readInput(typed, 'day')),
  }
}

function checkMobileNumber(typed: Typed, { mobile }: Pick<PersonRules, 'mobile'>): Problem[] {
  const problem = (words: StringKey): Problem[] => [{ field: 'mobileNumber', words }]
  const entered = enteredNumber(typed)
  const { callingCodes } = mobile
  const number = normaliseMobile(entered)
  if (number && (callingCodes === 'any' || callingCodes.some((code) => number.startsWith(`+${code}`)))) return []
  if (!takesOnlyUk(mobile)) {
    if (number) return problem('mobileNumberCountry')
    return problem(/\p{L}/u.test(entered) ? 'mobileNumberLetters' : 'mobileNumberAnyShape')
  }
  if (/\p{L}/u.test(entered) || normaliseUkMobile(entered.replace(/\D/g, ''))) return problem('mobileNumberLetters')
  if (/^(?:\+|00)\s*(?!44|0*7)/.test(entered)) return problem('mobileNumberAbroad')
  const national = entered.replace(/\D/g, '').replace(/^0*(?:44)?0*/, '')
  if (!national.startsWith('7') || national.length === 10) return problem('mobileNumberKind')
  return problem(national.length < 10 ? 'mobileNumberShort' : 'mobileNumberLong')
}

function readMobileNumber(typed: Typed): string {
  return normaliseMobile(enteredNumber(typed)) ?? ''
}

/** `07700/900123` is how some write it. */
function enteredNumber(typed: Typed): string {
  return readInput(typed, 'mobileNumber').replace(/\//g, ' ')
}

function checkEmail(typed: Typed): Problem[] {
  return emailShape.test(readInput(typed, 'email')) ? [] : [{ field: 'email', words: 'emailShape' }]
}
