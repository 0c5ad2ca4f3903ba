import * as z from 'zod/mini'

// Half a surrogate pair cannot be stored, so it may not enter.
const broken = /\p{Surrogate}/u
// Characters that cannot be typed or seen: controls, line separators, direction marks, zero-width characters. Two names that differ in one of
// these look the same. ZWNJ and ZWJ (U+200C, U+200D) stay: Persian and several Indian scripts are spelt with them.
const INVISIBLE =
  '\\u0000-\\u001f\\u007f-\\u009f\\u061c\\u180e\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff'
const visible = new RegExp(`^[^${INVISIBLE}]*$`)
const visibleAndNotBlank = new RegExp(`^\\s*[^\\s${INVISIBLE}][^${INVISIBLE}]*$`)

const INVISIBLE_WORDS = 'must not contain control, direction or zero-width characters'
const BROKEN_WORDS = 'must not contain broken characters'

/** What a person wrote, of a bounded length: comes out in NFC, with the spaces around it removed. */
export function boundedString(lengthMax: number) {
  return z
    .string()
    .check(
      z.trim(),
      z.normalize('NFC'),
      z.maxLength(lengthMax),
      z.regex(visible, INVISIBLE_WORDS),
      z.refine(isWhole, BROKEN_WORDS),
    )
}

/** The same, and something must be left after trimming. */
export function requiredString(lengthMax: number) {
  return z
    .string()
    .check(
      z.trim(),
      z.normalize('NFC'),
      z.minLength(1, { error: 'must not be empty', abort: true }),
      z.maxLength(lengthMax),
      z.regex(visibleAndNotBlank, INVISIBLE_WORDS),
      z.refine(isWhole, BROKEN_WORDS),
    )
}

/** An identifier made elsewhere: kept exactly as it came. */
export function opaqueString(lengthMax: number) {
  return z.string().check(
    z.minLength(1, 'must not be empty'),
    z.maxLength(lengthMax),
    z.refine((value) => !value.includes('\0') && isWhole(value), 'must not contain NUL or broken characters'),
  )
}

/** May be left out. `null` is left out too: serialisers of other languages write it for what is not there. */
export function optional<Schema extends z.ZodMiniType>(schema: Schema) {
  return z.optional(
    z.pipe(
      z.nullish(schema),
      z.transform((value) => value ?? undefined),
    ),
  )
}

function isWhole(value: string): boolean {
  return !broken.test(value)
}
