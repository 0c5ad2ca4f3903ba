// How long a text is on the air. One character outside this alphabet turns 160 into 70.

/** What fits in one text. */
export const SEGMENT_SEPTETS = 160

const BASIC = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
)
/** Each of these takes an escape before it. */
const EXTENDED = new Set('\f^{}\\[~]|€')

/** The length in septets, or null when a character is not in the alphabet. */
export function septetsOf(text: string): number | null {
  let septets = 0
  for (const character of text) {
    if (BASIC.has(character)) septets += 1
    else if (EXTENDED.has(character)) septets += 2
    else return null
  }
  return septets
}

export function fitsOneSegment(text: string): boolean {
  const septets = septetsOf(text)
  return septets !== null && septets <= SEGMENT_SEPTETS
}
