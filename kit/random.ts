import { randomFillSync } from 'node:crypto'

// Asking the system takes longer than encrypting, so it is asked for many at a time. Each byte is used once.
const random = Buffer.alloc(4_096)
let randomUsed = random.length

/** For nonces, keys and ids. */
export function takeRandom(bytes: number): Buffer {
  if (randomUsed + bytes > random.length) {
    randomFillSync(random)
    randomUsed = 0
  }
  const taken = Buffer.from(random.subarray(randomUsed, randomUsed + bytes))
  random.fill(0, randomUsed, randomUsed + bytes)
  randomUsed += bytes
  return taken
}
