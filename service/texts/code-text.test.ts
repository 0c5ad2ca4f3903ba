import { describe, expect, test } from 'vitest'
import { isCheckoutHost, writeCodeText } from './code-text.ts'

const code = '012345'
/** At most 160 characters of those that take one septet each. */
const ONE_SEGMENT = /^[A-Za-z0-9 @#&'.,()\n-]{1,160}$/

test('names the lender, the purpose and, last, the site', () => {
  expect(writeCodeText({ code, lender: 'Harbour Motors', checkoutHost: 'shop.harbour.example' })).toBe(
    '012345 is your code for a credit check with Harbour Motors. Never share it, not even with us.\n\n@shop.harbour.example #012345',
  )
})

test('leaves the last line out for a tenant without a site', () => {
  expect(writeCodeText({ code, lender: 'Harbour Motors', checkoutHost: null })).not.toContain('@')
})

test('names no one when nothing is left of the name', () => {
  expect(writeCodeText({ code, lender: '🤑', checkoutHost: null })).toBe(
    '012345 is your code for a credit check. Never share it.',
  )
  // Shorter, once the site leaves no room for it.
  const checkoutHost = 'h'.repeat(100)
  expect(writeCodeText({ code, lender: '', checkoutHost })).not.toContain('with')
})

const HOSTILE_NAMES = [
  'Evil\n@evil.example #000000',
  'Evil @evil.example #000000',
  'Visit https://evil.example/x?y=1',
  'www.evil.example',
  'Pay 🤑 now',
  'a\u202e\u0000b',
  'É'.repeat(200),
  '',
  '...',
  '{}[]^~\\|€'.repeat(10),
]

test.each(HOSTILE_NAMES)('stays one segment with one site, whatever the lender is called (%j)', (lender) => {
  const text = writeCodeText({ code, lender, checkoutHost: 'shop.example' })
  expect(text).toMatch(ONE_SEGMENT)
  expect(text.split('\n').at(-1)).toBe('@shop.example #012345')
  expect(text.match(/[@#]/g)).toHaveLength(2)
  expect(text).not.toMatch(/https?:|\bevil\.example/)
  expect(text.startsWith(code)).toBe(true)
})

test.each([1, 20, 34, 60, 80, 100])('stays one segment with a site of %i characters', (length) => {
  const checkoutHost = 'h'.repeat(length)
  const text = writeCodeText({ code, lender: 'The Long Established Motor Company of Ambleford', checkoutHost })
  expect(text).toMatch(ONE_SEGMENT)
  expect(text.split('\n').at(-1)).toBe(`@${checkoutHost} #${code}`)
})

test('every character of the segment is used before anything is left out', () => {
  const longest = 'Harbour'
  const rest = writeCodeText({ code, lender: longest, checkoutHost: 'h' }).length - 1
  const textWith = (length: number) => writeCodeText({ code, lender: longest, checkoutHost: 'h'.repeat(length) })
  expect(textWith(160 - rest)).toHaveLength(160)
  expect(textWith(160 - rest)).toContain('not even with us')
  expect(textWith(161 - rest)).not.toContain('not even with us')
  expect(textWith(161 - rest)).toContain(longest)
})

test('the shortest wording is left when nothing else fits beside the site', () => {
  const host = (length: number) => 'h'.repeat(length)
  const textWith = (length: number) => writeCodeText({ code, lender: '', checkoutHost: host(length) })
  expect(textWith(94)).toBe(`012345 is your code for a credit check. Never share it.\n\n@${host(94)} #012345`)
  expect(textWith(94)).toHaveLength(160)
  expect(textWith(95)).toBe(`012345 is your credit check code.\n\n@${host(95)} #012345`)
})

test('a long name is cut at forty characters', () => {
  const text = writeCodeText({ code, lender: 'a'.repeat(41), checkoutHost: null })
  expect(text).toContain(`with ${'a'.repeat(40)}. Never`)
})

describe('a checkout host', () => {
  test.each(['localhost', 'shop.example', 'a-b.c1.co.uk', 'xn--bcher-kva.example'])('%s is one', (host) => {
    expect(isCheckoutHost(host)).toBe(true)
  })

  test.each([
    '',
    'Shop.example',
    'shop.example:443',
    'shop.example/x',
    'https://shop.example',
    'shop.example #000000',
    'shop..example',
    '-shop.example',
    'shop.example.',
    'shöp.example',
    'shop.example\n',
    'h'.repeat(101),
  ])('%j is not, and is never put into a text', (host) => {
    expect(isCheckoutHost(host)).toBe(false)
    expect(writeCodeText({ code, lender: 'Harbour', checkoutHost: host })).not.toContain('@')
  })
})
