// @vitest-environment node
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { inShortWords } from './short-styles.ts'

test.each([
  ['min-inline-size: 0; block-size: 1em', 'min-width: 0; height: 1em'],
  ['contain-intrinsic-block-size: auto 30em', 'contain-intrinsic-height: auto 30em'],
  ['border-block-start-color: red; padding-inline-end: 0', 'border-top-color: red; padding-right: 0'],
  ['margin-block: 0 1em', 'margin-block: 0 1em'],
  ['container-type: inline-size;', 'container-type: inline-size;'],
  ['@container (inline-size >= 28em)', '@container (width >= 28em)'],
])('%s becomes %s', (long, short) => {
  expect(inShortWords(long)).toBe(short)
})

test('no page changes which way blocks and lines run', () => {
  expect(readFileSync('widget/style/widget.css', 'utf8')).toMatch(/\.root \{\s+all: initial;[^}]+direction: ltr;/)
  const sheets = ['style/widget.css', 'style/check.css', 'report/report.css'].map((file) =>
    readFileSync(`widget/${file}`, 'utf8'),
  )
  expect(sheets.join('')).not.toMatch(/writing-mode|direction: rtl/)
})
