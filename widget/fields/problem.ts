import type { StringKey } from '../strings/en.ts'
import type { Values, Words } from '../strings/words.ts'
import type { FieldName, InputName } from './typed.ts'

/** Something a consumer has to correct: where it is, and the words for it. */
export type Problem = {
  /** The field or input that shows the message. */
  field: FieldName | InputName
  /** The input to go to, where that is not the field itself. */
  focus?: InputName | 'choice-0'
  words: StringKey
  values?: Values
  /** The field whose label fills `{label}`. */
  label?: StringKey
  /**
   * The inputs of the field that it is about, where not all; their labels fill `{parts}`, as a list in running text.
   */
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
