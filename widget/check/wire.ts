// What the lender's server says, read with the contract's own schemas. The builds swap this file for `wire-compiled.ts`, which
// knows the same shapes without bringing the schema library to the consumer's phone; `wire.test.ts` holds the two together.
import { ErrorBody } from '../../contract/error.ts'
import { read } from '../../contract/problems.ts'
import { Answer, Resent } from '../build/reading.ts'

export type Reader<T> = (value: unknown) => T | null

export const readAnswer: Reader<Answer> = (value) => orNull(read(Answer, value))
export const readResent: Reader<Resent> = (value) => orNull(read(Resent, value))
export const readError: Reader<ErrorBody> = (value) => orNull(read(ErrorBody, value))

function orNull<T>(reading: { ok: true; value: T } | { ok: false }): T | null {
  return reading.ok ? reading.value : null
}
