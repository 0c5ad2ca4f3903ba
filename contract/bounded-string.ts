import * as z from 'zod/mini'

// Half a surrogate pair cannot be stored, so it may not enter.
const broken = /\p{Surrogate}/u
// Characters that cannot be typed or seen: controls, line separators, direction marks, zero-width characters, fillers,
// soft hyphens and code points that are no characters. Two names that differ in one of these look the same. ZWNJ and
// ZWJ (U+200C, U+200D) stay: Persian and several Indian scripts are spelt with them.
const INVISIBLE =
  '\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u034f\\u061c\\u115f\\u1160\\u180e\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u206f\\u3164\\ufdd0-\\ufdef\\ufeff\\uffa0\\ufff0-\\uffff'
const visible = new RegExp(`^[^${INVISIBLE}]*$`)
const visibleAndNotBlank = new RegExp(`^\\s*[^\\s${INVISIBLE}][^${INVISIBLE}]*$`)
// The same beyond U+FFFF (tags and what is no character), which a pattern in the API's document cannot say in every
// language.
const invisibleBeyond = /[\u{e0000}-\u{e007f}]|\p{Noncharacter_Code_Point}/u
// No spelling stacks more marks on one letter in NFC.
const stackedMarks = /\p{M}{5}/u

const INVISIBLE_WORDS = 'must not contain control, direction or zero-width characters'
const MARKS_WORDS = 'must not have more than four marks on one letter'
const BROKEN_WORDS = 'must not contain broken characters'

/** The most UTF-16 units that NFC makes one of. */
const UNITS_PER_COMPOSED = 4

/**
 * Normalising takes quadratic time in combining marks, so what is too long in any form stays as it is, for the check
 * that follows to refuse.
 */
function toNfc(lengthMax: number) {
  return z.overwrite<string>((value) =>
    value.length > UNITS_PER_COMPOSED * lengthMax ? value : value.normalize('NFC'),
  )
}

const isPlain = [
  z.refine<string>((value) => !invisibleBeyond.test(value), INVISIBLE_WORDS),
  z.refine<string>((value) => !stackedMarks.test(value), MARKS_WORDS),
  z.refine<string>(isWhole, BROKEN_WORDS),
] as const

/** Text that a person wrote, of a bounded length: trimmed, and normalised to NFC. */
export function boundedString(lengthMax: number) {
  return z
    .string()
    .check(
      z.trim(),
      toNfc(lengthMax),
      z.maxLength(lengthMax, { abort: true }),
      z.regex(visible, { error: INVISIBLE_WORDS, abort: true }),
      ...isPlain,
    )
}

/** The same, and something must be left after trimming. */
export function requiredString(lengthMax: number) {
  return z
    .string()
    .check(
      z.trim(),
      toNfc(lengthMax),
      z.minLength(1, { error: 'must not be empty', abort: true }),
      z.maxLength(lengthMax, { abort: true }),
      z.regex(visibleAndNotBlank, { error: INVISIBLE_WORDS, abort: true }),
      ...isPlain,
    )
}

// Blank characters, those that fonts do not draw and variants of letters: braille blank, Khmer inherent vowels, null
// note head, private use.
const unseen = /[\p{Co}\p{Variation_Selector}\u2800\u17b4\u17b5\u{1d159}]/u

/**
 * A name that no one can see is no name. For a check of its own, because addresses and references may have an emoji's
 * variant.
 */
export const isSeen = z.refine<string>((value) => !unseen.test(value), 'must not contain characters that are not seen')

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
      z.nullable(schema),
      z.transform((value) => value ?? undefined),
    ),
  )
}

function isWhole(value: string): boolean {
  return !broken.test(value)
}
