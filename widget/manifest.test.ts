// custom-elements.json describes the element as the code has it.
import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { CreditReportWidget } from './element.tsx'
import { LOCALES } from './strings/locales.ts'

const manifest = JSON.parse(readFileSync('docs/custom-elements.json', 'utf8'))
const [element] = manifest.modules[1].declarations
const files = readdirSync('widget', { recursive: true, encoding: 'utf8' })
const sources = (ending: RegExp) =>
  files
    .filter((file) => ending.test(file) && !file.includes('.test.') && !file.startsWith('build'))
    .map((file) => readFileSync(`widget/${file}`, 'utf8'))
    .join('\n')
const code = sources(/\.tsx?$/)
const css = sources(/\.css$/)

const promised = (list: { name: string }[]) => list.map(({ name }) => name).sort()
const found = (text: string, pattern: RegExp) =>
  [...new Set([...text.matchAll(pattern)].map(([, name]) => name))].sort()

test('attributes', () => {
  // `theme` is read by the style sheet alone, `name` by the form, `steps` and `drafts` once at the start.
  expect(promised(element.attributes)).toEqual(
    [...CreditReportWidget.observedAttributes, 'name', 'steps', 'drafts', 'theme'].sort(),
  )
})

test('events', () => {
  expect(promised(element.events)).toEqual(found(code, /^ {2}'(credit-report-[a-z]+)': /gm))
})

test('slots', () => {
  expect(promised(element.slots)).toEqual(found(code, /(?:<slot name="|\[slot=)([a-z-]+)["\]]/g))
})

test('custom properties', () => {
  expect(promised(element.cssProperties)).toEqual(found(css, /var\((--credit-report-[a-z0-9-]+)/g))
})

test('parts', () => {
  const attributes = found(code, /part(?:=|: )["']([a-z -]+)["']/g).flatMap((names = '') => names.split(' '))
  expect(promised(element.cssParts)).toEqual([...new Set(attributes)].sort())
})

test('members', () => {
  const own = Object.getOwnPropertyNames(CreditReportWidget.prototype)
  const statics = ['version']
  for (const name of promised(element.members)) expect([...own, ...statics]).toContain(name)
})

test('the guide and the manifest name every language there is', () => {
  const { description } = element.attributes.find(({ name }: { name: string }) => name === 'locale')
  const [row = ''] = /^\| `locale` .*$/m.exec(readFileSync('docs/lender/element.md', 'utf8')) ?? []
  for (const tag of Object.keys(LOCALES)) {
    expect(row).toContain(`\`${tag}\``)
    expect(description).toContain(`\`${tag}\``)
  }
})

test.each(['attributes', 'members', 'events', 'slots', 'cssProperties', 'cssParts'])(
  'the guide names all %s',
  (kind) => {
    const guide = readFileSync('docs/lender/element.md', 'utf8')
    const isTold = (name: string) => new RegExp(`\`${name}(\\(\\))?\``).test(guide)
    expect(promised(element[kind]).filter((name) => !isTold(name))).toEqual([])
  },
)
