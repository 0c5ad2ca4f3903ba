// The description of a field of the form. `person.ts` and `address.ts` each hold a table of them; the form,
// its checks, "Check your answers", the request, the place of a server's refusal and `Prefill` are all derived from
// those two.
import type { StringKey } from '../strings/en.ts'
import type { Words } from '../strings/words.ts'
import type { Problem } from './problem.ts'
import { type AnswerInput, type FieldName, keysOf, readInput, type Typed } from './typed.ts'

export type Field<Rules> = {
  /**
   * Its inputs in order, each labelled with the words of its own name. Several share a legend: the words of the field's
   * name.
   */
  inputs: { [name in AnswerInput]?: InputLook }
  /** The label of its one input, where the words of its name do not fit. */
  label?: StringKey
  hint?: StringKey
  /** The words for one that was left empty; without them it may be. */
  missing?: StringKey
  /** Its label says that it may be left empty. */
  isOptional?: boolean
  /** Most characters of each of its inputs. */
  lengthMax?: number
  /** True where it is asked for. @default always */
  isAsked?: (typed: Typed, rules: Rules) => boolean
  /** Further checks, once something was typed. */
  check?: (typed: Typed, rules: Rules) => Problem[]
  /** The fields of the request it becomes, and how each is read. One that is read as empty is not sent. */
  wire: { [name: string]: (typed: Typed) => string }
  /** The row of "Check your answers" it is part of. @default one of its own */
  row?: StringKey
  /** The text of that row. @default what is sent */
  show?: (typed: Typed, words: Words) => string
  /**
   * Values a lender may know, by the name it has in `Prefill`, and the inputs it fills. @default each input under its
   * own name
   */
  prefill?: { [name: string]: (known: string) => Typed }
}

export type InputLook = {
  autocomplete?: string
  autocapitalize?: 'words' | 'characters' | 'none'
  inputMode?: 'numeric' | 'tel'
  type?: 'tel' | 'email'
  /** The expected length, in characters: a hint, never a limit. */
  width?: 'w2' | 'w4' | 'w5' | 'w10' | 'w20'
}

export type FieldTable<Rules> = { [name in FieldName]?: Field<Rules> }

export function isAsked<Rules>({ isAsked }: Field<Rules>, typed: Typed, rules: Rules): boolean {
  return isAsked ? isAsked(typed, rules) : true
}

/** The problems of a table's fields, in its order. */
export function findProblems<Rules>(table: FieldTable<Rules>, typed: Typed, rules: Rules): Problem[] {
  return keysOf(table).flatMap((name) => {
    const field = table[name]
    return field && isAsked(field, typed, rules) ? findFieldProblems(name, field, typed, rules) : []
  })
}

function findFieldProblems<Rules>(name: FieldName, field: Field<Rules>, typed: Typed, rules: Rules): Problem[] {
  const { inputs, missing, lengthMax = Number.POSITIVE_INFINITY, check } = field
  const names = keysOf(inputs)
  const place = { field: name, ...focusOn(name, names[0]) }
  if (names.every((input) => !readInput(typed, input))) return missing ? [{ ...place, words: missing }] : []
  const tooLong = names.filter((input) => readInput(typed, input).length > lengthMax)
  if (tooLong.length > 0)
    return tooLong.map((input) => ({ field: input, words: 'tooLong', label: input, values: { n: lengthMax } }))
  return check ? check(typed, rules) : []
}

/** The `wire` of a field that is sent under the name of its input, as it was typed. */
export function sendAsTyped(name: AnswerInput): { [name: string]: (typed: Typed) => string } {
  return { [name]: (typed) => readInput(typed, name) }
}

/** The fields of the request; call it only when there are no problems. */
export function readWire<Rules>(table: FieldTable<Rules>, typed: Typed): { [name: string]: string } {
  const read = Object.values(table).flatMap(({ wire }) =>
    Object.entries(wire).map(([name, readField]) => [name, readField(typed)] as const),
  )
  return Object.fromEntries(read.filter(([, value]) => value))
}

/**
 * The initial inputs for something a lender's script handed over, which may be anything: only filled-in strings
 * are taken.
 */
export function prefill<Rules>(table: FieldTable<Rules>, known: object): Typed {
  const filled = Object.values(table).flatMap((field) =>
    Object.entries(field.prefill ?? ownInputs(field)).flatMap(([name, fill]) => {
      const value: unknown = Object.hasOwn(known, name) ? Reflect.get(known, name) : ''
      return typeof value === 'string' ? Object.entries(fill(value)) : []
    }),
  )
  return Object.fromEntries(filled.filter(([, value]) => value))
}

function ownInputs<Rules>({ inputs }: Field<Rules>): { [name: string]: (known: string) => Typed } {
  return Object.fromEntries(keysOf(inputs).map((name) => [name, (known: string) => ({ [name]: known })]))
}

/** The complaint of a server about a field of the request; null when it belongs to none of this table. */
export function refuse<Rules>(table: FieldTable<Rules>, wireField: string): Problem | null {
  const name = keysOf(table).find((each) => Object.hasOwn(table[each]?.wire ?? {}, wireField))
  if (!name) return null
  const inputs = keysOf(table[name]?.inputs ?? {})
  const input = inputs.find((each) => each === wireField)
  return { field: name, ...focusOn(name, input ?? inputs[0]), words: 'notAccepted', label: input ?? name }
}

function focusOn(name: FieldName, input: AnswerInput | undefined): { focus?: AnswerInput } {
  return input && input !== name ? { focus: input } : {}
}
