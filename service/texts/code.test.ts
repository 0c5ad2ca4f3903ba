import { randomBytes, randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { codeOf, textsWithCode } from './code.ts'

const key = randomBytes(32)
const challengeId = randomUUID()

test('a code is six digits, leading zeros included, and always the same', () => {
  const codes = Array.from({ length: 2_000 }, (_, index) => codeOf(key, `challenge ${index}`, 1))
  expect(codes.every((code) => /^\d{6}$/.test(code))).toBe(true)
  expect(codes.some((code) => code.startsWith('0'))).toBe(true)
  expect(codeOf(key, 'challenge 7', 1)).toBe(codes[7])
})

test('a code stays what it is from one version to the next: a text that left before an upgrade must work after it', () => {
  expect(codeOf(Buffer.alloc(32, 1), 'challenge', 1)).toBe('632693')
  // Its first word, 4294554527, is one of those that would make some codes likelier; the second, 797434552, is taken.
  expect(codeOf(Buffer.alloc(32, 1), 'challenge 12381', 1)).toBe('434552')
})

test('each text, each challenge and each key has its own code', () => {
  const codes = [1, 2, 3].map((send) => codeOf(key, challengeId, send))
  const others = [codeOf(key, randomUUID(), 1), codeOf(randomBytes(32), challengeId, 1)]
  expect(new Set([...codes, ...others]).size).toBe(5)
})

test('no digit is likelier than another', () => {
  const COUNT = 20_000
  const seen = Array.from({ length: 6 }, () => Array<number>(10).fill(0))
  for (let index = 0; index < COUNT; index += 1) {
    // A fixed key: the same codes every time, so that this either holds or does not.
    const code = codeOf(Buffer.alloc(32, 1), `${index}`, 1)
    for (const [place, digit] of [...code].entries()) {
      const counts = seen[place]
      if (counts) counts[Number(digit)] = (counts[Number(digit)] ?? 0) + 1
    }
  }
  const chiSquares = seen.map((counts) =>
    counts.reduce((sum, count) => sum + (count - COUNT / 10) ** 2 / (COUNT / 10), 0),
  )
  // Nine degrees of freedom: one fair run in a thousand is above this.
  expect(Math.max(...chiSquares)).toBeLessThan(27.88)
})

test.each([
  ['the first text’s code', 1, 3, false, [1]],
  ['the last text’s code', 3, 3, false, [3]],
  ['a code that has not been sent yet', 3, 2, false, []],
])('knows which text carried %s', (_name, send, sends, isTest, carriers) => {
  const guess = codeOf(key, challengeId, send)
  expect(textsWithCode([key], { challengeId, sends, test: isTest }, guess)).toEqual(carriers)
})

test('no more texts are looked at than a challenge can have', () => {
  const codes = [1, 2, 3, 4].map((send) => codeOf(key, challengeId, send))
  const carriers = codes.map((guess) => textsWithCode([key], { challengeId, sends: 99, test: false }, guess))
  expect(carriers).toEqual([[1], [2], [3], []])
  expect(textsWithCode([key], { challengeId, sends: 0, test: false }, codes[0] ?? '')).toEqual([])
})

test('a code of the key before the current one is known too, while keys change', () => {
  const before = randomBytes(32)
  const guess = codeOf(before, challengeId, 2)
  expect(textsWithCode([key, before], { challengeId, sends: 2, test: false }, guess)).toEqual([2])
})

test('in test mode every text carries 123456, and only that', () => {
  expect(textsWithCode([key], { challengeId, sends: 2, test: true }, '123456')).toEqual([1, 2])
  expect(textsWithCode([key], { challengeId, sends: 2, test: true }, codeOf(key, challengeId, 1))).toEqual([])
  expect(textsWithCode([key], { challengeId, sends: 2, test: false }, '123456')).toEqual([])
})

test.each(['', ' 123456', '123456 ', '1234567', '１２３４５６', '١٢٣٤٥٦', '1e5', '0x1E240'])(
  '%j is not 123456',
  (guess) => {
    expect(textsWithCode([key], { challengeId, sends: 1, test: true }, guess)).toEqual([])
  },
)
