// Typed text, by the name of its input. The names come from the contract, so a field that is added there is asked
// for or named here.
import type { UkAddress } from '../../contract/address.ts'
import type { BUILDING_FIELDS } from '../../contract/building.ts'
import type { ConsumerDetails } from '../../contract/consumer-details.ts'

/** The fields of the request that the form asks about the person. */
export type PersonWireField = Exclude<
  keyof ConsumerDetails,
  'sessionId' | 'addresses' | 'consent' | 'livedAbroad' | 'gender'
>
/** The fields of an address that the form asks for. */
export type AddressWireField = Exclude<keyof UkAddress, 'county' | 'country'>

/** The fields as the form has them: the parts of a building, and of a date, are one field each. */
export type FieldName =
  | PersonWireField
  | Exclude<AddressWireField, (typeof BUILDING_FIELDS)[number]>
  | 'building'
  | 'moved'

/** The inputs of those fields. */
export type AnswerInput =
  | Exclude<PersonWireField, 'dateOfBirth'>
  | 'day'
  | 'month'
  | 'year'
  | AddressWireField
  | 'movedMonth'
  | 'movedYear'

/** Every input of the element. */
export type InputName = AnswerInput | 'choice' | 'consent' | 'code'

/** Exactly as it was typed. */
export type Typed = { [name in InputName]?: string }

/**
 * The text typed into an input, without the spaces around it and the invisible marks a paste may bring, its digits as
 * the wire has them; empty when nothing was typed.
 */
export function readInput(typed: Typed, name: InputName): string {
  return Object.hasOwn(typed, name)
    ? (typed[name] ?? '')
        .replace(/[\p{Cf}\p{VS}]/gu, '')
        .replace(digits, readDigit)
        .trim()
        .replace(/\s+/g, ' ')
    : ''
}

/** Digits of any width, and of Arabic, Persian, Urdu, Hindi and Bengali keyboards. */
const digits = /[０-９٠-٩۰-۹०-९০-৯]/g

/** The last four bits count from 0, or from 6 in the scripts of India. */
function readDigit(digit: string): string {
  return String((digit.charCodeAt(0) - (/[०-९০-৯]/.test(digit) ? 6 : 0)) & 15)
}

export function isBlank(typed: Typed): boolean {
  return keysOf(typed).every((name) => !readInput(typed, name))
}

/** The keys of one of our own objects, with their type. */
export function keysOf<Key extends string>(object: { [key in Key]?: unknown }): Key[] {
  return Object.keys(object) as Key[]
}
