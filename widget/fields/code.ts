// A code as it arrives: typed, pasted with spaces, or as the whole text message.
import { CODE_LENGTH } from '../../contract/limits.ts'
import type { Problem } from './problem.ts'
import { readInput } from './typed.ts'

const bound = new RegExp(`#(\\d{${CODE_LENGTH}})(?!\\d)`)
const named = new RegExp(`\\b(?:code|cod)\\b\\D{0,20}(\\d{${CODE_LENGTH}})(?!\\d)`, 'i')

/**
 * The digits meant: the `#123456` of a bound message, else the six that follow the word "code", else the only six
 * digits standing alone, else every digit there is.
 */
export function readCode(typed: string): string {
  const plain = readInput({ code: typed }, 'code')
  const marked = (bound.exec(plain) ?? named.exec(plain))?.[1]
  if (marked) return marked
  const alone = plain.split(/\D+/).filter((digits) => digits.length === CODE_LENGTH)
  return alone.length === 1 && alone[0] ? alone[0] : plain.replace(/\D/g, '')
}

/** The problem of a code that is not worth an attempt. */
export function findCodeProblem(typed: string): Problem | null {
  const field = 'code'
  const digits = readCode(typed)
  if (!typed.trim()) return { field, words: 'codeMissing' }
  if (!digits) return { field, words: 'codeLetters' }
  return digits.length === CODE_LENGTH ? null : { field, words: 'codeLength', values: { n: digits.length } }
}
