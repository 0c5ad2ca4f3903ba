import { expect, test } from 'vitest'
import { defaults, readSettings, type Settings, writeSettings } from './settings.ts'

test('the default state needs no hash', () => {
  expect(writeSettings(defaults)).toBe('')
  expect(readSettings('')).toEqual(defaults)
})

test('every setting survives the way into the address and back', () => {
  const settings: Settings = {
    journey: 'wrong-3',
    panel: 'wallet',
    locale: 'cy',
    theme: 'dark',
    widthPx: 0,
    direction: 'rtl',
    forcedColours: true,
    preset: 'bootstrap',
    person: 'no-one',
    addressCount: 3,
    historyMonths: 0,
    hasSlots: true,
    hasOwnWords: true,
    hasLookup: true,
    isRequired: true,
    offersLanguages: true,
    search: 'none',
    hasPrivacyUrl: false,
    isMobileOptional: true,
    hasNextLabel: true,
    isLocked: true,
    tokens: { '--credit-report-accent': '#b00020', '--credit-report-radius': '0' },
  }
  expect(readSettings(`#${writeSettings(settings)}`)).toEqual(settings)
})

const nonsense: [name: string, hash: string, expected: Partial<Settings>][] = [
  ['an unknown journey', 'journey=nothing', { journey: defaults.journey }],
  ['a word that is no choice', 'theme=pink&panel=x', { theme: 'auto', panel: 'events' }],
  ['a width that is none', 'widthPx=wide', { widthPx: defaults.widthPx }],
  ['an impossible width', 'widthPx=99999', { widthPx: 1200 }],
  ['a width too small to show anything', 'widthPx=1', { widthPx: 280 }],
  ['more addresses than there are', 'addressCount=77', { addressCount: 3 }],
  ['a property that is no token', '--other=red&__proto__=x', { tokens: {} }],
  ['a colour that no colour input can show', '--credit-report-accent=tomato', { tokens: {} }],
  ['a preset from the prototype', 'preset=constructor', { preset: 'plain' }],
]

test.each(nonsense)('%s becomes something sensible', (_name, hash, expected) => {
  expect(readSettings(hash)).toMatchObject(expected)
})
