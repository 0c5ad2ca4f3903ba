// Reading a command line, and printing a list.
import { describe, expect, test } from 'vitest'
import { printRows, readArguments, readLimit, readOption, requireWord, UsageError } from './command-line.ts'

const BOOKS = 'TENANT CREDITS --reason REASON [--reference REFERENCE] [--now]'

/** The refusal, as someone at a terminal reads it. */
function refusalOf(work: () => unknown): string {
  try {
    work()
    return 'accepted'
  } catch (error) {
    expect(error).toBeInstanceOf(UsageError)
    expect(error).toMatchObject({ name: 'UsageError' })
    return error instanceof Error ? error.message : ''
  }
}

describe('words and options', () => {
  test.each<[string, string, string[], { words: string[]; options: object }]>([
    ['nothing where nothing is taken', '', [], { words: [], options: {} }],
    ['words in their order', BOOKS, ['acme', '5'], { words: ['acme', '5'], options: {} }],
    [
      'options anywhere',
      BOOKS,
      ['--now', 'acme', '--reason', 'a b'],
      { words: ['acme'], options: { now: true, reason: 'a b' } },
    ],
    ['a value after an equals sign', BOOKS, ['--reference=x'], { words: [], options: { reference: 'x' } }],
    ['a number below 0', BOOKS, ['acme', '-5'], { words: ['acme', '-5'], options: {} }],
    ['an option below 0', BOOKS, ['--reason', '-5'], { words: [], options: { reason: '-5' } }],
    ['a minus sign', BOOKS, ['A−B'], { words: ['A−B'], options: {} }],
    ['as many words as are given', 'REPORT_ID…', ['a', 'b', 'c'], { words: ['a', 'b', 'c'], options: {} }],
    ['a choice of words', 'TENANT DAYS|default', ['acme', 'default'], { words: ['acme', 'default'], options: {} }],
  ])('%s', (_what, usage, given, expected) => {
    expect(readArguments(usage, given)).toEqual(expected)
  })

  test.each<[string, string, string[], string]>([
    ['a word too many', BOOKS, ['acme', '5', '6', '7'], '"6" is one word too many; put quotes around what has spaces'],
    [
      'any word where none is taken',
      '[--json]',
      ['acme'],
      '"acme" is one word too many; put quotes around what has spaces',
    ],
    ['a value for what takes none', '[--json]', ['--json=yes'], "Option '--json' does not take an argument"],
    ['no value for what takes one', BOOKS, ['--reason'], "Option '--reason <value>' argument missing"],
  ])('%s is refused', (_what, usage, given, complaint) => {
    expect(refusalOf(() => readArguments(usage, given))).toContain(complaint)
  })

  test('a word that is missing or empty is named', () => {
    const input = { words: ['acme', ''] }
    expect(requireWord(input, 0, 'the id')).toBe('acme')
    expect(refusalOf(() => requireWord(input, 1, 'the name'))).toBe('the name is missing')
    expect(refusalOf(() => requireWord(input, 2, 'the amount'))).toBe('the amount is missing')
  })

  test('an option is its text; one without a value is none', () => {
    const input = { options: { reason: 'x', empty: '', now: true } }
    expect(['reason', 'empty', 'now', 'absent'].map((option) => readOption(input, option))).toEqual([
      'x',
      '',
      undefined,
      undefined,
    ])
  })
})

describe('limits', () => {
  const limitOf = (limit?: string) => readLimit({ options: { limit } }, 50)

  test.each(['1', '50', '999999', '1000000', '0000001'])('a list of %s rows', (given) => {
    expect(limitOf(given)).toBe(Number(given))
  })

  test('as many rows as the command shows by default', () => {
    expect(limitOf()).toBe(50)
  })

  test.each(['0', '1000001', '9999999', '10000000', '00000001', '1.5', '1e3', '+5', '−5', ' 5', 'all', ''])(
    'no list of "%s" rows',
    (given) => {
      expect(refusalOf(() => limitOf(given))).toBe(`--limit must be a whole number from 1 to 1000000, got "${given}"`)
    },
  )
})

describe('lists', () => {
  const rows = [
    { id: 'acme', credits: 5, isTest: true, until: null, more: 'not asked for' },
    { id: 'a', credits: 1_000_000, isTest: false, until: 'tomorrow', more: '' },
  ]
  const printed = (options: { json?: boolean }, given: typeof rows) => {
    const lines: string[] = []
    printRows({ options, print: (line) => lines.push(line) }, ['until', 'credits', 'isTest', 'id'], given)
    return lines
  }

  test('have a heading, and columns as wide as what is in them', () => {
    expect(printed({}, rows)).toEqual([
      'until     credits  isTest  id',
      '-         5        true    acme',
      'tomorrow  1000000  false   a',
    ])
    expect(printed({}, [])).toEqual(['until  credits  isTest  id'])
    expect(printed({ json: false }, [])).toEqual(printed({}, []))
  })

  test('are a line of JSON for each row where that is asked for', () => {
    expect(printed({ json: true }, rows)).toEqual([
      '{"until":null,"credits":5,"isTest":true,"id":"acme"}',
      '{"until":"tomorrow","credits":1000000,"isTest":false,"id":"a"}',
    ])
    expect(printed({ json: true }, [])).toEqual([])
  })

  test('show what cannot be seen, and what moves the cursor, as numbers', () => {
    const hidden = printed({}, [{ id: 'a\u001b[2J\u202eb\u{e0001}', credits: 1, isTest: true, until: null, more: '' }])
    expect(hidden[1]).toBe('-      1        true    a\\u{1b}[2J\\u{202e}b\\u{e0001}')
  })
})
