// Reads what was typed about the person. Pure: `today` comes in, problems or a request's fields come out.

import type { ConsumerDetails } from '../../contract/consumer-details.ts'
import { EMAIL_LENGTH_MAX, NAME_LENGTH_MAX } from '../../contract/limits.ts'
import { normaliseUkMobile } from '../../contract/mobile-number.ts'
import { isRealDay, readMonth, readNumber, splitDate } from './date.ts'
import { type Fields, type Problem, typed } from './problem.ts'

export type Person = Omit<ConsumerDetails, 'sessionId' | 'addresses' | 'consent'>

export const AGE_MIN_YEARS = 18
const AGE_MAX_YEARS = 120

// Letters and marks of every script, digits, and what names are joined with. No brackets, no control characters.
const nameCharacters = /^[\p{L}\p{M}\p{N} .'’‘`\-–·&/]*$/u
const emailShape = /^[^\s@]+@[^\s@]+\.[^\s@]+$/

export function findPersonProblems(fields: Fields, today: string): Problem[] {
  return [
    ...findNameProblems(fields, 'title'),
    ...findNameProblems(fields, 'firstName', 'firstNameMissing'),
    ...findNameProblems(fields, 'middleName'),
    ...findNameProblems(fields, 'lastName', 'lastNameMissing'),
    ...findBirthProblems(fields, today),
    ...findMobileProblems(fields),
    ...findEmailProblems(fields),
  ]
}

/** The person as the request wants it; call it only when there are no problems. */
export function readPerson(fields: Fields): Person {
  const optional = (name: string) => (typed(fields, name) ? { [name]: typed(fields, name) } : {})
  return {
    ...optional('title'),
    firstName: typed(fields, 'firstName'),
    ...optional('middleName'),
    lastName: typed(fields, 'lastName'),
    dateOfBirth: readDateOfBirth(fields),
    mobileNumber: normaliseUkMobile(typed(fields, 'mobileNumber')) ?? '',
    ...optional('email'),
  }
}

/** `YYYY-MM-DD` from the three boxes. */
export function readDateOfBirth(fields: Fields): string {
  const pad = (value: number, length: number) => String(value).padStart(length, '0')
  const { year, month, day } = readBirth(fields)
  return `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`
}

/** Whole years between two `YYYY-MM-DD` days. */
export function ageInYears(dateOfBirth: string, today: string): number {
  const birth = splitDate(dateOfBirth)
  const now = splitDate(today)
  const hadBirthday = today.slice(5) >= dateOfBirth.slice(5)
  return now.year - birth.year - (hadBirthday ? 0 : 1)
}

export function findMobileProblems(fields: Fields): Problem[] {
  const field = 'mobileNumber'
  const text = typed(fields, field)
  if (!text) return [{ field, words: 'mobileNumberMissing' }]
  if (normaliseUkMobile(text)) return []
  if (/\p{L}/u.test(text) || normaliseUkMobile(text.replace(/\D/g, '')))
    return [{ field, words: 'mobileNumberLetters' }]
  if (/^(?:\+|00)\s*(?!44|0*7)/.test(text)) return [{ field, words: 'mobileNumberAbroad' }]
  const national = text.replace(/\D/g, '').replace(/^0*(?:44)?0*/, '')
  if (!national.startsWith('7') || national.length === 10) return [{ field, words: 'mobileNumberKind' }]
  return [{ field, words: national.length < 10 ? 'mobileNumberShort' : 'mobileNumberLong' }]
}

function findNameProblems(
  fields: Fields,
  field: 'title' | 'firstName' | 'middleName' | 'lastName',
  missing?: 'firstNameMissing' | 'lastNameMissing',
): Problem[] {
  const text = typed(fields, field)
  if (!text) return missing ? [{ field, words: missing }] : []
  if (text.length > NAME_LENGTH_MAX) return [{ field, words: 'tooLong', label: field, values: { n: NAME_LENGTH_MAX } }]
  if (!nameCharacters.test(text)) return [{ field, words: 'strangeCharacters', label: field }]
  return []
}

function findBirthProblems(fields: Fields, today: string): Problem[] {
  const field = 'dateOfBirth'
  const parts = ['day', 'month', 'year'] as const
  const missing = parts.filter((part) => !typed(fields, part))
  const [firstMissing] = missing
  if (missing.length === parts.length) return [{ field, focus: 'day', words: 'dateOfBirthMissing' }]
  if (firstMissing) return [{ field, focus: firstMissing, words: 'dateOfBirthPart', parts: missing }]

  const { year, month, day } = readBirth(fields)
  if (!(year >= 1000 && year <= 9999)) return [{ field, focus: 'year', words: 'dateOfBirthShortYear' }]
  if (!isRealDay(year, month, day)) return [{ field, focus: 'day', words: 'dateOfBirthUnreal' }]
  const date = readDateOfBirth(fields)
  if (date >= today) return [{ field, focus: 'day', words: 'dateOfBirthFuture' }]
  if (ageInYears(date, today) > AGE_MAX_YEARS) return [{ field, focus: 'year', words: 'dateOfBirthOld' }]
  return []
}

function findEmailProblems(fields: Fields): Problem[] {
  const text = typed(fields, 'email')
  if (text.length > EMAIL_LENGTH_MAX)
    return [{ field: 'email', words: 'tooLong', label: 'email', values: { n: EMAIL_LENGTH_MAX } }]
  return text && !emailShape.test(text) ? [{ field: 'email', words: 'emailShape' }] : []
}

function readBirth(fields: Fields): { year: number; month: number; day: number } {
  return {
    year: readNumber(typed(fields, 'year')),
    month: readMonth(typed(fields, 'month')),
    day: readNumber(typed(fields, 'day')),
  }
}
