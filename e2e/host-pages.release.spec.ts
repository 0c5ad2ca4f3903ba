import { pageNames, testHostPages } from './host-pages/play.ts'
import { expect, test } from './lender/stage.ts'

testHostPages(pageNames)

test('there are more than seventy kinds of page, each with a name of its own', () => {
  expect(new Set(pageNames).size).toBe(pageNames.length)
  expect(pageNames.length).toBeGreaterThan(70)
})
