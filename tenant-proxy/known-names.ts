// Names that a lender's code gives. A name that is not known would be ignored without a word, so it throws and names
// the nearest.

/**
 * Throws a `TypeError` for the first name in `given` that is not in `known`. `by` is the function, `prefix` the option
 * they lie in.
 */
export function requireNames(
  given: object,
  known: readonly string[],
  { by, prefix = '' }: { by: string; prefix?: string },
) {
  const unknown = Object.keys(given).find((name) => !known.includes(name))
  if (unknown === undefined) return
  const nearest = nearestTo(unknown, known)
  const hint = nearest === undefined ? `there are ${known.join(', ')}` : `write \`${prefix}${nearest}\``
  throw new TypeError(`${by}: there is no option \`${prefix}${unknown}\`: ${hint}`)
}

/** A value as an error message shows it: its text or its kind, never long. */
export function describe(value: unknown): string {
  if (typeof value === 'string')
    return value === '' ? 'an empty text' : JSON.stringify(value.slice(0, DESCRIBED_LENGTH_MAX))
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'function') return 'a function'
  return typeof value === 'object' && value !== null ? 'an object' : String(value)
}

/** The same for what may be personal or secret: only its kind. */
export function kindOf(value: unknown): string {
  return typeof value === 'string' && value !== ''
    ? 'this text'
    : describe(typeof value === 'number' ? typeof value : value)
}

const DESCRIBED_LENGTH_MAX = 60
const NAME_LENGTH_MAX = 40
/** One letter in so many may be wrong, missing or too many. */
const LETTERS_PER_SLIP = 3

/** The known name that differs from `given` by a few letters or only by case; undefined when there is none. */
export function nearestTo(given: string, known: readonly string[]): string | undefined {
  const name = given.slice(0, NAME_LENGTH_MAX).toLowerCase()
  const distances = known.map((each) => ({ each, letters: distance(name, each.toLowerCase()) }))
  const [nearest] = distances.toSorted((a, b) => a.letters - b.letters)
  return nearest && nearest.letters <= Math.max(1, Math.floor(name.length / LETTERS_PER_SLIP))
    ? nearest.each
    : undefined
}

/** Levenshtein: how many letters to change, add or remove. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (const [index, letter] of [...one].entries()) {
    const next = [index + 1]
    for (const [at, wanted] of [...other].entries()) {
      const changed = (row[at] ?? 0) + (letter === wanted ? 0 : 1)
      next.push(Math.min(changed, (row[at + 1] ?? 0) + 1, (next[at] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
