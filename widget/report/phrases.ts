// Gaps in sentences, and readable names for codes.
import { plainWords, splitWords } from '../../contract/plain-words.ts'

/**
 * `fill('{n} of {total}', { n: 1, total: 2 })` → the pieces in order. Values may be components, so amounts and names
 * keep their markup.
 */
export function fill<Value>(template: string, values: { [gap: string]: Value }): (string | Value)[] {
  return template.split(/\{(\w+)\}/).map((piece, index) => {
    if (index % 2 === 0) return piece
    // A gap without a value stays visible: better an odd word on the page than a missing amount.
    return Object.hasOwn(values, piece) ? (values[piece] ?? '') : `{${piece}}`
  })
}

/**
 * The dictionary's words for a code, else the code itself made readable: `debt-management_plan` → `Debt management
 * plan`.
 */
export function nameOf(code: string, dictionary: { [name: string]: string }): string {
  const words = plainWords(code)
  if (Object.hasOwn(dictionary, words)) return dictionary[words] ?? ''
  // Text with spaces was written for people, and short capitals are an abbreviation: both stay as they came.
  const kept = /\s|^[A-Z\d]{1,4}$/.test(code.trim()) ? splitWords(code) : words
  return kept.charAt(0).toUpperCase() + kept.slice(1)
}
