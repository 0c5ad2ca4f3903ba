// Eight characters that can be read out over the telephone, in place of an id of 36.

/** No I, O, 0 or 1: they are taken for one another. */
const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const LENGTH = 8

/**
 * `0b7f6a52-93c1-…` → `K7QM2F9H`: the same for everyone who has the id, and 2^40 of them, so that no two reports of one
 * lender are likely to share one. It identifies, it proves nothing.
 */
export function shortReference(creditReportId: string): string {
  let [high, low] = [0x811c9dc5, 0x01000193]
  for (const character of creditReportId) {
    const point = character.codePointAt(0) ?? 0
    high = mix(high ^ point)
    low = mix(low + point + high)
  }
  // Five bits a character: four from one half, four from the other.
  let reference = ''
  for (const half of [high, low])
    for (let from = 0; from < 20; from += 5) reference += LETTERS.charAt((half >>> from) & 31)
  return reference
}

/** As a person types it, with spaces or hyphens and in any case; null for what cannot be one. */
export function readShortReference(typed: string): string | null {
  const letters = lettersOf(typed)
  return letters.length === LENGTH && isMadeOfLetters(letters) ? letters : null
}

/** The first four of its characters or more, as `readShortReference` reads them. */
const BEGINNING_MIN = 4

/** The first and the last reference that begins as typed, whatever the collation; null where none can. */
export function readShortBeginning(typed: string): { first: string; last: string } | null {
  const letters = lettersOf(typed)
  if (letters.length < BEGINNING_MIN || letters.length > LENGTH || !isMadeOfLetters(letters)) return null
  return { first: letters.padEnd(LENGTH, '2'), last: letters.padEnd(LENGTH, 'Z') }
}

const lettersOf = (typed: string) => typed.replace(/[\s-]/g, '').toUpperCase()
const isMadeOfLetters = (text: string) => [...text].every((letter) => LETTERS.includes(letter))

/** In two halves, as it is shown. */
export function spacedReference(creditReportId: string): string {
  return shortReference(creditReportId).replace(/^.{4}/, '$& ')
}

/** Spreads every bit over all others (the finaliser of MurmurHash3). */
function mix(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}
