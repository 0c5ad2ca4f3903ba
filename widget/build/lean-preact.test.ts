// @vitest-environment node
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { leanFile, leanFiles, makeLean, UNUSED_ELEMENTS, UNUSED_PROPS } from './lean-preact.ts'

const sources = readdirSync('widget', { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx$/.test(file) && !file.includes('.test.'))
  .map((file) => readFileSync(`widget/${file}`, 'utf8'))
  .join('\n')

test('the preact that is installed can be made lean', () => {
  const lean = leanFiles.map(leanFile).join('\n')
  const lines = lean.replace(/^import.+?;(?=let|const|export)/gm, '')
  expect(lines).not.toMatch(
    /isHydrating|excessDomChildren|isClassComponent|_nextState|_catchError|shouldComponentUpdate|innerHTML/,
  )
})

test('a preact that no longer says what is to be left out is not taken on trust', () => {
  expect(() => makeLean('let count=1', [['let count=0', '']])).toThrow('preact has changed')
  expect(() => makeLean('let count=1', [[/count=0/, '']])).toThrow('preact has changed')
})

test('what is left out of preact is used by no screen', () => {
  const used = (name: string) => new RegExp(`\\s${name}[=:]`).test(sources)
  expect(UNUSED_PROPS.filter(used)).toEqual([])
  expect(UNUSED_ELEMENTS.filter((name) => sources.includes(`<${name}`))).toEqual([])
  expect(sources).not.toMatch(/<[a-z]+\b[^<>]*\b(?:width|height)=(?<!<rect[^<>]*)/)
  expect(sources).not.toMatch(
    /extends (Pure)?Component|\b(Suspense|lazy|createPortal|hydrate|useReducer|useId|useErrorBoundary)\b/,
  )
  expect(sources).not.toMatch(/\bon[A-Z]\w+Capture\b/)
})
