// Corrects what keyboards and copying do to postcodes.
import { normalisePostcode } from '../../contract/postcode.ts'

const lookalikes: { [character: string]: string } = { O: '0', 0: 'O', I: '1', 1: 'I' }

/** `SWIA 1AA` → `SW1A 1AA`: the one postcode there is when O and 0, I and 1 may be swapped; null when there is none, or a choice. */
export function correctPostcode(postcode: string): string | null {
  // Keyboards of East Asia write letters and digits in full width.
  const typed = postcode.slice(0, POSTCODE_TYPED_MAX).normalize('NFKC')
  const asTyped = normalisePostcode(typed)
  if (asTyped) return asTyped
  const found = new Set(swap(typed.toUpperCase()).flatMap((each) => normalisePostcode(each) ?? []))
  const [only] = found
  return found.size === 1 && only ? only : null
}

const SWAPS_MAX = 5
const POSTCODE_TYPED_MAX = 40

/** What was typed with its lookalikes swapped in every combination. */
function swap(typed: string): string[] {
  const places = [...typed].flatMap((character, index) => (lookalikes[character] ? [index] : [])).slice(0, SWAPS_MAX)
  return places.reduce<string[]>(
    (variants, place) =>
      variants.flatMap((each) => [
        each,
        each.slice(0, place) + (lookalikes[each.charAt(place)] ?? '') + each.slice(place + 1),
      ]),
    [typed],
  )
}
