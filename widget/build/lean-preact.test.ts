// @vitest-environment node
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { CLASS_METHODS, makeLean, UNUSED_NAMES } from './lean-preact.ts'

const preact = readFileSync('node_modules/preact/dist/preact.mjs', 'utf8')
const sources = readdirSync('widget', { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx$/.test(file) && !file.includes('.test.'))
  .map((file) => readFileSync(`widget/${file}`, 'utf8'))
  .join('\n')

test('the preact that is installed can be made lean', () => {
  const lean = makeLean(preact)
  expect(CLASS_METHODS.filter((name) => lean.includes(`.${name}(`))).toEqual([])
})

test('a preact that no longer asks is not taken on trust', () => {
  expect(() => makeLean(preact.replaceAll('contextType', 'contextKind'))).toThrow('preact has changed')
})

test('what is left out of preact is used by no screen', () => {
  const used = (name: string) => new RegExp(`<${name}\\b|\\s${name}[=:]`).test(sources)
  expect([...UNUSED_NAMES, ...CLASS_METHODS].filter(used)).toEqual([])
  expect(sources).not.toMatch(/extends (Pure)?Component|\b(Suspense|lazy|createPortal|hydrate)\b/)
})
