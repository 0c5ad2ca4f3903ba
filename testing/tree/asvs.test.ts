import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const PAGES = ['docs/auditor/asvs.md', 'docs/auditor/threat-model.md']
const FILE = '`([\\w./-]+\\.ts)`'

test.each(PAGES)('every test that %s names is there', (page) => {
  const named = [...readFileSync(page, 'utf8').matchAll(new RegExp(FILE, 'g'))].map(([, path = '']) => path)
  expect(named.length).toBeGreaterThan(10)
  expect(named.filter((path) => !existsSync(path))).toEqual([])
})

const NAMED = new RegExp(`${FILE}(?: “([^”]+)”)?`, 'g')

test.each([
  ['docs/auditor/asvs.md', '## Shown by a test', '## Not met', 80],
  ['docs/auditor/threat-model.md', '| attack | defence', '## Algorithms', 30],
])('so is every title, and every row of %s that is shown by a test names one', (path, from, to, rowsMin) => {
  const page = readFileSync(path, 'utf8')
  const shown = page.slice(page.indexOf(from), page.indexOf(to))
  const rows = shown.split('\n').filter((line) => /^\| (?!attack|requirement|-)/.test(line))
  expect(rows.length).toBeGreaterThan(rowsMin)
  const untitled = rows.filter((row) => {
    const named = [...row.matchAll(NAMED)]
    return named.length === 0 || named.some(([, , title]) => title === undefined)
  })
  expect(untitled).toEqual([])
  const missing = [...page.matchAll(NAMED)].filter(([, path = '', title]) => {
    const code = title === undefined ? '' : readFileSync(path, 'utf8')
    return title !== undefined && ![`'${title}'`, `\`${title}\``].some((quoted) => code.includes(quoted))
  })
  expect(missing.map(([named]) => named)).toEqual([])
})

/** The number of requirements of levels 1 and 2 in each section of ASVS 5.0.0; they are numbered from 1. */
const SECTIONS = `
  V1.1 2, V1.2 9, V1.3 11, V1.4 3, V1.5 2, V2.1 3, V2.2 3, V2.3 4, V2.4 1, V3.2 2, V3.3 4, V3.4 6, V3.5 5, V3.7 2, V4.1 3, V4.2 1,
  V4.3 2, V4.4 4, V5.1 1, V5.2 3, V5.3 2, V5.4 3, V6.1 3, V6.2 12, V6.3 4, V6.4 4, V6.5 5, V6.6 3, V6.8 4, V7.1 3, V7.2 4, V7.3 2,
  V7.4 5, V7.5 2, V7.6 2, V8.1 2, V8.2 3, V8.3 1, V8.4 1, V9.1 3, V9.2 4, V10.1 2, V10.2 2, V10.3 4, V10.4 11, V10.5 5, V10.6 2,
  V10.7 3, V11.1 2, V11.2 3, V11.3 3, V11.4 4, V11.5 1, V11.6 1, V12.1 3, V12.2 2, V12.3 4, V13.1 1, V13.2 5, V13.3 2, V13.4 5,
  V14.1 2, V14.2 4, V14.3 3, V15.1 3, V15.2 3, V15.3 7, V16.1 1, V16.2 5, V16.3 4, V16.4 3, V16.5 3, V17.1 1, V17.2 4, V17.3 2`

test('every requirement of levels 1 and 2 is named once', () => {
  const all = [...SECTIONS.matchAll(/(V\d+\.\d) (\d+)/g)].flatMap(([, section, count]) =>
    Array.from({ length: Number(count) }, (_, index) => `${section}.${index + 1}`),
  )
  const named = [...readFileSync('docs/auditor/asvs.md', 'utf8').matchAll(/V\d+\.\d\.\d+/g)].map(([id]) => id)
  expect(all).toHaveLength(253)
  expect(named.toSorted()).toEqual(all.toSorted())
})
