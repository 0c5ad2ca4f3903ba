import * as z from 'zod/mini'

// A NUL byte or half a surrogate pair cannot be stored as text, so neither may enter.
const unstorable = /[\0\p{Surrogate}]/u

/** Text of a bounded length that every database and log can hold, with the spaces around it removed. */
export function text(lengthMax: number) {
  return z
    .string()
    .check(z.trim(), z.maxLength(lengthMax), z.refine(isStorable, 'must not contain NUL or broken characters'))
}

/** The same, and something must be left after trimming. */
export function requiredText(lengthMax: number) {
  return text(lengthMax).check(z.minLength(1, 'must not be empty'))
}

/** An identifier made elsewhere: kept exactly as it came. */
export function opaqueText(lengthMax: number) {
  return z
    .string()
    .check(
      z.minLength(1, 'must not be empty'),
      z.maxLength(lengthMax),
      z.refine(isStorable, 'must not contain NUL or broken characters'),
    )
}

function isStorable(value: string): boolean {
  return !unstorable.test(value)
}
