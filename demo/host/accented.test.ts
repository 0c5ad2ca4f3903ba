import { expect, test } from 'vitest'
import { en } from '../../widget/strings/en.ts'
import { enCheck } from '../../widget/strings/en-check.ts'
import { LOCALES } from '../../widget/strings/locales.ts'
import { createWords } from '../../widget/strings/words.ts'
import { accentedFrom } from './accented.ts'

const accented = accentedFrom(await LOCALES['en-GB'].load())

test('no letter stays as it was, and every gap does', () => {
  const say = createWords('en-XA', accented)
  expect(say('tooLong', { label: 'X', n: 3 })).not.toMatch(/[a-z]/)
  expect(String(accented.say('tooLong', en.tooLong)).match(/\{\w+\}/g)).toEqual(['{label}', '{n}'])
})

test('it is two fifths longer', () => {
  const texts = Object.values({ ...en, ...enCheck }).flatMap((phrase) => (typeof phrase === 'string' ? [phrase] : []))
  const strange = texts.map((text) => String(accented.say('back', text)))
  expect(strange.join('').length / texts.join('').length).toBeGreaterThan(1.4)
})
