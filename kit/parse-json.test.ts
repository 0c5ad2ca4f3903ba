import { expect, test } from 'vitest'
import { JSON_DEPTH_MAX, parseJson } from './parse-json.ts'

const bytes = (text: string) => new TextEncoder().encode(text)
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)

test.each([
  ['an object', '{"a":[1,2,{"b":"c"}]}'],
  ['brackets inside a text', `{"a":"${'['.repeat(1000)}"}`],
  ['an escaped quotation mark before brackets', `{"a":"\\"${'{'.repeat(1000)}"}`],
  ['a text that ends in a backslash', `["\\\\",${nested(10)}]`],
  ['many shallow lists', `[${Array(1000).fill('[]').join(',')}]`],
  ['many shallow objects', `[${Array(1000).fill('{}').join(',')}]`],
  ['the deepest that is allowed', nested(JSON_DEPTH_MAX)],
])('reads %s as JSON.parse does', (_what, text) => {
  expect(parseJson(bytes(text))).toEqual(JSON.parse(text))
})

test.each([
  ['one level too many', nested(JSON_DEPTH_MAX + 1)],
  ['one object too many', `${'{"a":'.repeat(JSON_DEPTH_MAX + 1)}1${'}'.repeat(JSON_DEPTH_MAX + 1)}`],
  [
    'one level too many between shallow lists',
    `${'[[],1,'.repeat(JSON_DEPTH_MAX + 1)}1${']'.repeat(JSON_DEPTH_MAX + 1)}`,
  ],
  ['one level too many behind a text that ends in a backslash', `["\\\\",${nested(JSON_DEPTH_MAX)}]`],
  ['two million brackets, without parsing them', '['.repeat(2_000_000)],
  ['half a text', '{"a":"b'],
  ['nothing', ''],
  ['a page', '<html></html>'],
])('refuses %s', (_what, text) => {
  expect(() => parseJson(bytes(text))).toThrow(SyntaxError)
})

test('refuses bytes that are not UTF-8', () => {
  expect(() => parseJson(new Uint8Array([0x22, 0xff, 0x22]))).toThrow(TypeError)
})
