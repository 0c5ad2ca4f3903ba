import type { StringKey } from '../strings/en.ts'
import type { Values, Words } from '../strings/words.ts'

/** Something a consumer has to mend, where it is, and the words for it. */
export type Problem = {
  /** The field or group that shows the message. */
  field: string
  /** The input to go to, where that is not the field itself. */
  focus?: string
  words: StringKey
  values?: Values
  /** The field whose label fills `{label}`. */
  label?: StringKey
  /** The boxes whose labels fill `{parts}`, as a list in running text. */
  parts?: readonly StringKey[]
}

export function sayProblem(words: Words, { words: key, values, label, parts }: Problem): string {
  return words(key, {
    ...values,
    ...(label && { label: words(label) }),
    ...(parts && {
      parts: parts.map((part) => words(part).toLocaleLowerCase()).reduce((a, b) => words('and', { a, b })),
    }),
  })
}

/** What was typed, by field name, exactly as it was typed. */
export type Fields = { [name: string]: string }

export function isBlank(fields: Fields): boolean {
  return !Object.keys(fields).some((name) => typed(fields, name))
}

/**
 * The text of a field without the spaces around it and the invisible marks a paste may bring, its digits as the wire has them; empty
 * when nothing was typed.
 */
export function typed(fields: Fields, name: string): string {
  return Object.hasOwn(fields, name)
    ? (fields[name] ?? '')
        .replace(/\p{Cf}/gu, '')
        // The digits of an Arabic, Persian, Urdu, Hindi or Bengali keyboard: the last four bits count from 0, or from 6 in the scripts of India.
        .replace(/[٠-٩۰-۹०-९০-৯]/g, (digit) => String((digit.charCodeAt(0) - (digit < '०' ? 0 : 6)) & 15))
        .trim()
        .replace(/\s+/g, ' ')
    : ''
}
