import { expect, test } from 'vitest'
import { read } from '../../contract/problems.ts'
import { PERSON_NAME_LENGTH_MAX, PersonName } from './person-name.ts'

test.each([
  ['Sam'],
  ['O’Brien-Smith'],
  ['J.R.R. Tolkien'],
  ['St. John'],
  ['Nguyễn Thị'],
  ['李'],
  ['مهدی‌زاده'],
  ['x'.repeat(PERSON_NAME_LENGTH_MAX)],
])('%s is a name', (name) => {
  expect(read(PersonName, name)).toEqual({ ok: true, value: name })
})

test.each([
  ['nothing', ' '],
  ['a blank braille pattern', '\u2800'],
  ['a blank braille pattern between letters', 'Sam\u2800Lee'],
  ['a variation selector', 'Sam\ufe0f'],
  ['a variation selector beyond U+FFFF', 'Sam\u{e0100}'],
  ['a private use character', 'Sam\ue000'],
  ['an invisible Khmer vowel', '\u17b4'],
  ['an invisible note head', '\u{1d159}'],
  ['digits alone', '0800 123'],
  ['an address', 'Unlock it at https://evil.example/unlock'],
  ['a scheme', 'http://x'],
  ['a domain', 'Go to evil.example'],
  ['a domain in full-width letters', 'evil．example'],
  ['a domain with an ideographic full stop', 'evil。example'],
  ['a domain in another script', 'пример.рф'],
  ['an e-mail address', 'a@b'],
  ['61 letters', 'x'.repeat(PERSON_NAME_LENGTH_MAX + 1)],
  ['many letters', '\u0301'.repeat(60_000)],
])('%s is none', (_what, name) => {
  expect(read(PersonName, name).ok).toBe(false)
})
