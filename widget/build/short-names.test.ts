// @vitest-environment node
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { OWN_NAMES, shorten } from './short-names.ts'

/** The text of every file under a folder whose path matches. */
function read(folder: string, matching: RegExp): string {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => matching.test(file))
  if (files.length === 0) throw new Error(`nothing in ${folder} matches ${matching}`)
  return files.map((file) => readFileSync(join(folder, file), 'utf8')).join('\n')
}
const widget = read('widget', /^(?!build|report.preview).*(?<!\.test)\.tsx?$/)
const sentences = read('widget', /strings.*\.ts$/)
const members = (text: string) =>
  new Set(
    [...text.matchAll(/^\s+(?:readonly |get |set |static )*['"]?([\w$]+)['"]?\??\s*[(:<]/gm)].map(([, name]) => name),
  )
const words = (text: string) => new Set(text.match(/[\w$]+/g))

const taken: [whose: string, names: Set<string | undefined>][] = [
  ['the browser', members(read('node_modules/@typescript', /lib.lib\.(dom|es)[^/]*\.d\.ts$/))],
  ['preact', members(read('node_modules/preact', /^(hooks.)?src.\w+\.d\.ts$/))],
  ['preact as it is built', words(read('node_modules/preact', /^(hooks.)?dist.\w+\.mjs$/))],
  ['the wire', members(read('contract', /(?<!\.test)\.ts$/))],
  ['the element', members(read('widget', /^(jsx|answers|events|diagnose|runtime)\.ts$/))],
  ['a sentence with gaps', new Set([...sentences.matchAll(/\{(\w+)\}/g)].map(([, name]) => name))],
  ['a text in the widget', new Set([...widget.matchAll(/['"`](\w+)['"`]/g)].map(([, name]) => name))],
]

test.each(taken)('%s knows none of the names', (_whose, names) => {
  expect(names.size).toBeGreaterThan(20)
  expect(OWN_NAMES.filter((name) => names.has(name))).toEqual([])
})

test('every name is still in use, once in the list', () => {
  expect(OWN_NAMES.filter((name) => !new RegExp(`\\b${name}\\b`).test(widget))).toEqual([])
  expect(new Set(OWN_NAMES).size).toBe(OWN_NAMES.length)
})

describe('shortening', () => {
  test('two files agree on a name', () => {
    const [, given] = /\{(\w+):1\}/.exec(shorten('a.js', 'x={preparedAtMs:1}')) ?? []
    const [, taken] = /\.(\w+)/.exec(shorten('b.js', 'y=x.preparedAtMs')) ?? []
    expect(given).toBe(taken)
    expect(given?.length).toBeLessThan(3)
  })

  test('a name that is not listed stays', () => {
    expect(shorten('a.js', 'x={addEventListener:1,"preparedAtMs":2}')).toContain('addEventListener:1')
  })

  test('a class of the report is short, and what only looks like one is not', () => {
    expect(shorten('a.js', 'x=`.report-card>a`,y="report-card report-lines"')).toMatch(
      /`\.([A-Z]{1,2})>a`.+[`"]\1 [A-Z]{1,2}[`"]/,
    )
    const others = '--report-hidden credit-report-card report-cards report-about'
    expect(shorten('a.js', `x="${others}"`)).toContain(others)
  })

  test('a private custom property is short and the public ones are not', () => {
    expect(shorten('a.js', 'x=`var(--_accent) var(--credit-report-accent)`')).toMatch(
      /var\(--[A-Z]{1,2}\) var\(--credit-report-accent\)/,
    )
  })
})
