// @vitest-environment happy-dom
import { createHash } from 'node:crypto'
import { cleanup, render } from '@testing-library/preact'
import { afterEach, expect, test } from 'vitest'
import { type Frame, FrameContext, PLAIN_FRAME } from '../frame.ts'
import { cy } from '../strings/cy.ts'
import { enCheck } from '../strings/en-check.ts'
import { addEnglish } from '../strings/words.ts'
import { NOTICE_VERSION, Notice, readShown } from './notice.tsx'

addEnglish(enCheck)
afterEach(cleanup)

function show(bureaus: string[], changes: Partial<Frame> = {}): Element {
  const frame = { ...PLAIN_FRAME, ...changes }
  return render(
    <FrameContext.Provider value={frame}>
      <Notice bureaus={bureaus} />
    </FrameContext.Provider>,
  ).container
}

test.each([
  [['equifax', 'experian', 'transunion'], 'we ask Equifax, Experian and TransUnion for'],
  [['experian', 'equifax'], 'we ask Experian and Equifax for'],
  [['fourth'], 'we ask fourth for'],
  [[], 'we ask credit reference agencies for'],
])('the agencies %j are named', (bureaus, expected) => {
  expect(show(bureaus).textContent).toContain(expected)
})

test.each([
  ['soft', 'soft search: other lenders cannot see it'],
  ['hard', 'hard search: other lenders can see it'],
] as const)('a %s search is said to be one', (search, words) => {
  expect(show([], { search }).textContent).toContain(words)
})

test('where the lender does not say which search it makes, nothing is promised about it', () => {
  const { textContent } = show([])
  expect(textContent).toContain('we ask credit reference agencies')
  expect(textContent).not.toMatch(/soft|hard|score|other lenders/i)
})

test('each agency’s information notice and the lender’s own are a link', () => {
  const links = show(['equifax', 'fourth'], { privacyUrl: 'https://lender.example/privacy' }).querySelectorAll('a')
  expect([...links].map(({ href, textContent }) => [textContent, href])).toEqual([
    ['Equifax', 'https://www.equifax.co.uk/crain'],
    ['Privacy notice', 'https://lender.example/privacy'],
  ])
})

test('what was shown is every word in reading order, with where links lead', () => {
  const shown = readShown(show(['equifax'], { search: 'soft', privacyUrl: 'https://lender.example/privacy' }))
  expect(shown).toMatch(/^When you agree, we ask Equifax for your credit report\. This is a soft search/)
  expect(shown).toContain('screen size')
  expect(shown).toMatch(/Privacy notice <https:\/\/lender\.example\/privacy>$/)
})

/**
 * A lender's record of what was shown is worth as much as the version in it: other words need another version, and a
 * row here.
 */
test('the words of this version are these', () => {
  const keys = [
    ...['searchNotice', 'agencies', 'searchSoft', 'searchHard', 'deviceNotice'],
    ...['noticeMore', 'noticeSearch', 'noticeDevice', 'agencyNotices', 'privacyNotice'],
  ] as (keyof typeof enCheck & keyof typeof cy)[]
  const words = keys.map((key) => [enCheck[key], cy[key]])
  const hash = createHash('sha256').update(JSON.stringify(words)).digest('hex').slice(0, 16)
  expect([NOTICE_VERSION, hash]).toEqual(['2026-11', 'e2187de8c36edc40'])
})
