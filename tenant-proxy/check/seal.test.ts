import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createSeal } from './seal.ts'

const seal = createSeal(['a secret of the lender'])

test('what was sealed opens to the same text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 500 }), fc.string(), (text, context) => {
      expect(seal.open(seal.seal(text, context), context)).toBe(text)
    }),
    { numRuns: 200 },
  )
})

test('two seals of one text differ', () => {
  expect(seal.seal('text', 'here')).not.toBe(seal.seal('text', 'here'))
})

test('no two seals begin alike, however they follow each other', async () => {
  const sealed: string[] = []
  for (let turn = 0; turn < 100; turn += 1) {
    // Several within one turn, then a turn of rest in which the next one is begun.
    for (let time = 0; time < 3; time += 1) sealed.push(seal.seal('text', 'here'))
    await setImmediate()
  }
  const NONCE_CHARACTERS = 16
  expect(new Set(sealed.map((each) => each.slice(0, NONCE_CHARACTERS))).size).toBe(sealed.length)
  expect(sealed.every((each) => seal.open(each, 'here') === 'text')).toBe(true)
})

test('any changed character closes it for good', () => {
  const sealed = seal.seal('{"creditReportId":"r"}', 'here')
  const changed = Array.from(sealed, (character, index) => {
    return sealed.slice(0, index) + (character === 'A' ? 'B' : 'A') + sealed.slice(index + 1)
  })
  // The last character may carry bits that base64url ignores.
  const opened = changed.slice(0, -1).map((each) => seal.open(each, 'here'))
  expect(opened.filter((text) => text !== null)).toEqual([])
})

describe('does not open', () => {
  test.each([
    ['in another context', () => seal.open(seal.seal('text', 'here'), 'there')],
    ['with another secret', () => createSeal(['another']).open(seal.seal('text', 'here'), 'here')],
    ['cut short', () => seal.open(seal.seal('text', 'here').slice(0, -4), 'here')],
    ['when empty', () => seal.open('', 'here')],
    ['when it never was', () => seal.open('x'.repeat(200), 'here')],
    ['when no cookie could have held it', () => seal.open('A'.repeat(5_000), 'here')],
  ])('%s', (_what, opened) => {
    expect(opened()).toBeNull()
  })
})

test('after a change of secret, what the old one sealed still opens', () => {
  const sealed = createSeal(['old']).seal('text', 'here')
  expect(createSeal(['new', 'old']).open(sealed, 'here')).toBe('text')
  expect(createSeal(['old']).open(createSeal(['new', 'old']).seal('text', 'here'), 'here')).toBeNull()
})

test('a secret is replaced in three deploys: in each, old and new instances open what the other seals', () => {
  const deploys: [string, ...string[]][] = [['current'], ['current', 'next'], ['next', 'current'], ['next']]
  for (const [index, secrets] of deploys.slice(0, -1).entries()) {
    const [before, after] = [createSeal(secrets), createSeal(deploys[index + 1] ?? ['next'])]
    expect(after.open(before.seal('text', 'here'), 'here')).toBe('text')
    expect(before.open(after.seal('text', 'here'), 'here')).toBe('text')
  }
})

test('a restart with the same secret opens it', () => {
  expect(createSeal(['a secret of the lender']).open(seal.seal('text', 'here'), 'here')).toBe('text')
})
