import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createSeal } from './seal.ts'

const seal = createSeal(['a secret of the lender'])

test('what was sealed opens to the same text', async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'grapheme', maxLength: 500 }), fc.string(), async (text, context) => {
      expect(await seal.open(await seal.seal(text, context), context)).toBe(text)
    }),
    { numRuns: 200 },
  )
})

test('two seals of one text differ', async () => {
  expect(await seal.seal('text', 'here')).not.toBe(await seal.seal('text', 'here'))
})

test('any changed character closes it for good', async () => {
  const sealed = await seal.seal('{"creditReportId":"r"}', 'here')
  const changed = Array.from(sealed, (character, index) => {
    return sealed.slice(0, index) + (character === 'A' ? 'B' : 'A') + sealed.slice(index + 1)
  })
  // The last character may carry bits that base64url ignores.
  const opened = await Promise.all(changed.slice(0, -1).map((each) => seal.open(each, 'here')))
  expect(opened.filter((text) => text !== null)).toEqual([])
})

describe('does not open', () => {
  test.each([
    ['in another context', async () => seal.open(await seal.seal('text', 'here'), 'there')],
    ['with another secret', async () => createSeal(['another']).open(await seal.seal('text', 'here'), 'here')],
    ['cut short', async () => seal.open((await seal.seal('text', 'here')).slice(0, -4), 'here')],
    ['when empty', async () => seal.open('', 'here')],
    ['when it never was', async () => seal.open('x'.repeat(200), 'here')],
    ['when no cookie could have held it', async () => seal.open('A'.repeat(5_000), 'here')],
  ])('%s', async (_what, opened) => {
    expect(await opened()).toBeNull()
  })
})

test('after a change of secret, what the old one sealed still opens', async () => {
  const sealed = await createSeal(['old']).seal('text', 'here')
  expect(await createSeal(['new', 'old']).open(sealed, 'here')).toBe('text')
  expect(await createSeal(['old']).open(await createSeal(['new', 'old']).seal('text', 'here'), 'here')).toBeNull()
})

test('a restart with the same secret opens it', async () => {
  expect(await createSeal(['a secret of the lender']).open(await seal.seal('text', 'here'), 'here')).toBe('text')
})
