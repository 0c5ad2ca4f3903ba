import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { ConfigError, createSettingReader, type SettingReader } from './setting-reader.ts'

const folder = mkdtempSync(join(tmpdir(), 'settings-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** The path of a file with this text. */
function fileOf(text: string): string {
  const path = join(mkdtempSync(join(folder, 'file-')), 'secrets')
  writeFileSync(path, text)
  return path
}

type Read = (read: SettingReader) => unknown
const string: Read = (read) => read.string('IT', 'fallback')
const flag: Read = (read) => read.flag('IT')
const whole: Read = (read) => read.whole('IT', 7, { min: 1, max: 10 ** 15 })
const choice: Read = (read) => read.oneOf('IT', ['one', 'two'], 'two')
const url: Read = (read) => read.url('IT', ['https:', 'mailto:'])
const secretUrl: Read = (read) => read.url('IT', ['https:'], { secret: true })
const secret: Read = (read) => read.secret('IT', 4)
const secrets: Read = (read) => read.secrets('IT', 4)
const secretsFile: Read = (read) => read.secretsFile('IT', 4)

test.each<[name: string, read: Read, given: string | undefined, expected: unknown]>([
  ['a text without its spaces', string, ' a b ', 'a b'],
  ['a text that is unset', string, undefined, 'fallback'],
  ['a text of nothing but spaces', string, '  ', 'fallback'],
  ['a flag that is set', flag, '1', true],
  ['a flag that is not', flag, '0', false],
  ['no flag', flag, undefined, false],
  ['the smallest number', whole, '1', 1],
  ['fifteen digits', whole, '999999999999999', 999_999_999_999_999],
  ['no number', whole, '', 7],
  ['a choice', choice, 'one', 'one'],
  ['no choice', choice, undefined, 'two'],
  ['an address', url, 'mailto:a@b.example', 'mailto:a@b.example'],
  ['no address', url, undefined, null],
  ['a secret with a comma', secret, 'ab,c', 'ab,c'],
  ['a secret counted in bytes', secret, 'éé', 'éé'],
  ['no secret', secret, '', null],
  ['a list of one secret', secrets, 'abcd', ['abcd']],
  ['a list of secrets without the spaces between', secrets, 'abcd, efgh', ['abcd', 'efgh']],
  ['no list of secrets', secrets, undefined, null],
  ['a file with a secret in each line', secretsFile, fileOf('abcd\n efgh \n'), ['abcd', 'efgh']],
  ['a file with commas', secretsFile, fileOf('abcd,efgh'), ['abcd', 'efgh']],
  ['no file', secretsFile, undefined, null],
])('%s is read', (_name, read, given, expected) => {
  expect(read(createSettingReader({ IT: given }))).toEqual(expected)
})

test.each<[name: string, read: Read, given: string, line: string]>([
  ['a flag in words', flag, 'true', '1 or 0, got "true"'],
  ['a number below the least', whole, '0', 'a whole number from 1 to 1000000000000000, got "0"'],
  [
    'more digits than a number keeps',
    whole,
    '1000000000000000',
    'a whole number from 1 to 1000000000000000, got "1000000000000000"',
  ],
  ['a number in another notation', whole, '0x10', 'a whole number from 1 to 1000000000000000, got "0x10"'],
  ['a choice that is none', choice, 'three', 'one of one, two, got "three"'],
  [
    'an address of another kind',
    url,
    'ftp://a.example',
    'an address that begins with https:// or mailto:, got "ftp://a.example"',
  ],
  ['a text that is no address', secretUrl, 'a.example', 'an address that begins with https://, got something else'],
  [
    'an address with a password',
    secretUrl,
    'ftp://a:b@c.example',
    'an address that begins with https://, got something else',
  ],
  ['a secret that is a byte short', secret, 'abc', 'at least 4 bytes, got 3'],
  ['a list of one short secret', secrets, 'abc', 'at least 4 bytes, got 3'],
  ['a list with a short secret', secrets, 'abcd,ab', 'at least 4 bytes between commas, got 2'],
  ['a list that ends with a comma', secrets, 'abcd,', 'at least 4 bytes between commas, got 0'],
  ['a file with a short secret', secretsFile, fileOf('abcd\nabc'), 'a file with at least 4 bytes, got 3'],
  ['a file that is not there', secretsFile, '/no/file', 'a file that can be read, got "/no/file"'],
  ['sixty characters', choice, 'x'.repeat(60), `one of one, two, got "${'x'.repeat(60)}"`],
  ['what is longer, as far as it is shown', choice, `a${'x'.repeat(60)}`, `one of one, two, got "a${'x'.repeat(59)}…"`],
])('%s is refused', (_name, read, given, line) => {
  expect(() => read(createSettingReader({ IT: given }))).toThrow(new ConfigError(`IT: expected ${line}`))
})

test('a setting that another needs is asked for by name', () => {
  const { needed } = createSettingReader({})
  expect(needed('', 'IT', 'OTHER is set')).toBe('')
  expect(() => needed(null, 'IT', 'OTHER is set')).toThrow(
    new ConfigError('IT: expected a value, because OTHER is set, got nothing'),
  )
})
