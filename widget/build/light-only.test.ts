// @vitest-environment node
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { lightRules } from './light-only.ts'

test('the light half of a pair, and the lender’s own colour before it', () => {
  expect(lightRules('--_text: var(--credit-report-text, light-dark(#111, #eee));\n--_space: 1em;')).toBe(
    '@supports not (color: light-dark(#000, #fff)) { .root { --_text: var(--credit-report-text, #111); } }',
  )
})

test('every pair of the style sheets has its light half', () => {
  const files = readdirSync('widget', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.css'))
  const pairs = files.flatMap((file) => readFileSync(join('widget', file), 'utf8').match(/light-dark\(#/g) ?? [])
  expect(pairs.length).toBeGreaterThan(10)
  expect(lightRules(readFileSync('widget/style/widget.css', 'utf8')).match(/--_/g)).toHaveLength(pairs.length)
})
