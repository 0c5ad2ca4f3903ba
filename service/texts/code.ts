// Making and comparing security codes. A code is never stored: it follows from a key, the challenge and which text
// carried it, so a database that leaks says nothing about it.
import { createHmac } from 'node:crypto'
import { CODE_LENGTH, SENDS_MAX, TEST_MODE_CODE } from '../../contract/limits.ts'
import { isSameSecret, type KeyList } from '../../kit/keys.ts'

const CODES = 10 ** CODE_LENGTH
const WORD_VALUES = 2 ** 32
/** Words from here up would make some codes a little likelier than others. */
const FAIR_BELOW = WORD_VALUES - (WORD_VALUES % CODES)

/** The code of the challenge's text number `send` (1 is the first). */
export function codeOf(key: Uint8Array, challengeId: string, send: number): string {
  for (let round = 0; ; round += 1) {
    const mac = createHmac('sha256', key).update(`${challengeId}\n${send}\n${round}`).digest()
    for (let offset = 0; offset < mac.length; offset += 4) {
      const word = mac.readUInt32BE(offset)
      if (word < FAIR_BELOW) return String(word % CODES).padStart(CODE_LENGTH, '0')
    }
  }
}

/** The numbers of the challenge's texts that carried this code. Takes the same time whatever the guess is. */
export function textsWithCode(
  keys: KeyList,
  { challengeId, sends, test }: { challengeId: string; sends: number; test: boolean },
  guess: string,
): number[] {
  const numbers = Array.from({ length: Math.min(sends, SENDS_MAX) }, (_, index) => index + 1)
  const codesOf = (send: number) => (test ? [TEST_MODE_CODE] : keys.map((key) => codeOf(key, challengeId, send)))
  return numbers.filter((send) =>
    codesOf(send)
      .map((code) => isSameSecret(code, guess))
      .includes(true),
  )
}
