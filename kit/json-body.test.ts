import { expect, test } from 'vitest'
import { isJson, readCapped, tryParseJson } from './json-body.ts'

const rows: [name: string, headers: { [name: string]: string }, isJson: boolean][] = [
  ['plain', { 'Content-Type': 'application/json' }, true],
  ['in capitals, with a charset', { 'Content-Type': 'Application/JSON ; charset=UTF-8' }, true],
  ['with a charset as some clients write it', { 'Content-Type': 'application/json; charset=utf8' }, true],
  ['with a quoted charset', { 'Content-Type': 'application/json; charset="utf-8"' }, true],
  ['with another parameter', { 'Content-Type': 'application/json; version=1' }, true],
  ['with a charset behind another parameter', { 'Content-Type': 'application/json; version=1; charset=latin1' }, false],
  ['in another charset', { 'Content-Type': 'application/json;charset=utf-16' }, false],
  ['said to be uncompressed', { 'Content-Type': 'application/json', 'Content-Encoding': 'Identity' }, true],
  ['compressed', { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' }, false],
  ['of another type', { 'Content-Type': 'text/plain' }, false],
  ['of no type', {}, false],
]
test.each(rows)('a body %s', (_name, headers, expected) => {
  expect(isJson(new Headers(headers))).toBe(expected)
})

test('what is no JSON is no value', () => {
  const parse = (text: string) => tryParseJson(new TextEncoder().encode(text))
  expect([parse('{"a":1}'), parse('null'), parse('{"a":'), parse('')]).toEqual([{ a: 1 }, null, undefined, undefined])
})

test.each([
  ['all of a body that is allowed', 6, 6, 3],
  ['no more of a larger one than shows that it is', 5, 6, 3],
  ['nothing behind that', 3, 4, 2],
])('%s is read', async (_what, bytesMax, bytes, chunks) => {
  let given = 0
  async function* body() {
    for (const text of ['ab', 'cd', 'ef']) {
      given += 1
      yield new TextEncoder().encode(text)
    }
  }
  expect((await readCapped(body(), bytesMax)).byteLength).toBe(bytes)
  expect(given).toBe(chunks)
})
