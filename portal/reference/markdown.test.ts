import { expect, test } from 'vitest'
import { SCENARIOS } from '../../contract/tenant-proxy.ts'
import guides from '../../docs/lender/api.md?raw'
import { readGuides, words } from './markdown.ts'

const shown = (markdown: string) => String(readGuides(`## A\n\n${markdown}\n`)[0]?.body.join(''))

test.each([
  ['a paragraph', 'one\ntwo', '<p>one two</p>'],
  ['a list', '- one\n  more\n- two', '<ul><li>one more</li><li>two</li></ul>'],
  ['steps', '1. one\n2. two', '<ol><li>one</li><li>two</li></ol>'],
  ['code with a blank line', '```sh\na\n\nb\n```', '<pre tabindex="0"><code>a\n\nb</code></pre>'],
  ['a smaller heading', '### Two words', '<h3>Two words</h3>'],
])('%s', (_what, markdown, expected) => {
  expect(shown(markdown)).toBe(expected)
})

test('a table has its head and its rows', () => {
  const table = shown('| a | b |\n|---|---|\n| `1` | 2 |')
  expect(table).toContain('<th scope="col">a</th><th scope="col">b</th>')
  expect(table).toContain('<tr><td><code>1</code></td><td>2</td></tr>')
})

test('words that look like markup stay words', () => {
  expect(words('<b> `<i>` [x](/y) **z**').join('')).toBe('&lt;b&gt; <code>&lt;i&gt;</code> <a href="/y">x</a> <b>z</b>')
})

test('the guides are those a reader needs before the operations, and name every scenario', () => {
  expect(readGuides(guides).map(({ id }) => id)).toEqual([
    'start-to-finish',
    'limits-and-paging',
    'errors',
    'idempotency',
    'headers',
    'what-each-agency-said',
    'test-mode',
    'receive-events',
    'versions-and-deprecation',
  ])
  for (const scenario of SCENARIOS.filter((name) => name !== 'default')) expect(guides).toContain(scenario)
})
