import { describe, expect, test } from 'vitest'
import { fill, nameOf } from './phrases.ts'

describe('fill', () => {
  const rows: [what: string, template: string, values: { [gap: string]: unknown }, pieces: unknown[]][] = [
    ['puts values where their names stand', '{n} of {total}', { n: 1, total: 2 }, ['', 1, ' of ', 2, '']],
    ['leaves a text without gaps alone', 'Copied', {}, ['Copied']],
    ['keeps objects whole, so that components survive', 'a {b}', { b: { x: 1 } }, ['a ', { x: 1 }, '']],
    ['shows a gap without a value', 'by {company}', {}, ['by ', '{company}', '']],
    ['does not find a value on the prototype', '{constructor}', {}, ['', '{constructor}', '']],
  ]
  test.each(rows)('%s', (_what, template, values, pieces) => {
    expect(fill(template, values)).toEqual(pieces)
  })
})

describe('nameOf', () => {
  const dictionary = { pcp: 'Personal contract purchase (PCP)', 'hire purchase': 'Hurbwrcas' }
  const rows: [what: string, code: string, name: string][] = [
    ['a listed code, however it is written', 'HIRE_PURCHASE', 'Hurbwrcas'],
    ['a listed abbreviation', 'PCP', 'Personal contract purchase (PCP)'],
    ['hyphens and underscores become spaces', 'debt-management_plan', 'Debt management plan'],
    ['humps become words', 'storeCard', 'Store card'],
    ['capitals with underscores become words', 'IN_ARREARS', 'In arrears'],
    ['short capitals stay an abbreviation', 'BNPL', 'BNPL'],
    ['a status number stays a number', '8', '8'],
    ['text written for people keeps its capitals', 'O2 contract', 'O2 contract'],
    ['a name of the prototype is only a word', 'constructor', 'Constructor'],
    ['nothing stays nothing', '  ', ''],
    ['mark-up stays text', '<b>x</b>', '<b>x</b>'],
  ]
  test.each(rows)('%s', (_what, code, name) => {
    expect(nameOf(code, dictionary)).toBe(name)
  })
})
