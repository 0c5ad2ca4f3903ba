// The words of one element: a language, the lender's own changes to it, and how to fill in the gaps.
import { en, type Phrase, type StringKey, type Strings } from './en.ts'

export type Values = { [name: string]: string | number }

/** English as far as it is loaded; the `check` chunk brings its own. */
const english: Partial<Strings> = { ...en }

export function addEnglish(more: Partial<Strings>): void {
  Object.assign(english, more)
}

export type Words = {
  locale: string
  /** The phrase for `key`, filled in; `n` chooses its plural form. */
  (key: StringKey, values?: Values): string
}

/** `translation` may have gaps; English fills them. */
export function createWords(locale: string, translation: Partial<Strings> = {}, changes: Partial<Strings> = {}): Words {
  const locales = [locale, 'en-GB']
  const plural = new Intl.PluralRules(locales)
  const words = (key: StringKey, values: Values = {}) =>
    fill(choose(own(changes, key) ?? own(translation, key) ?? english[key] ?? '', plural, values.n), values)
  return Object.assign(words, { locale })
}

/** `18` → `1 year and 6 months`. */
export function showMonths(words: Words, months: number): string {
  const years = Math.floor(months / 12)
  const rest = months % 12
  if (!years) return words('months', { n: rest })
  if (!rest) return words('years', { n: years })
  return words('and', { a: words('years', { n: years }), b: words('months', { n: rest }) })
}

/** `1985-03-27` → `27 March 1985`. */
export function showDay(words: Words, date: string): string {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number)
  return `${day} ${showMonth(words, year, month)}`
}

/** `March 1985`. Browsers have no Welsh month names, so a language may bring its own. */
export function showMonth(words: Words, year: number, month: number): string {
  const name = words('monthNames').split(' ')[month - 1]
  return `${name} ${year}`
}

/** The time of day as the consumer's own clock would show it. */
export function showTime(words: Words, timeMs: number): string {
  return new Intl.DateTimeFormat([words.locale, 'en-GB'], { timeStyle: 'short' }).format(timeMs)
}

// A page may have added to Object.prototype; only what the lender wrote counts.
function own(strings: Partial<Strings>, key: StringKey): Phrase | undefined {
  return Object.hasOwn(strings, key) ? strings[key] : undefined
}

function choose(phrase: Phrase, plural: Intl.PluralRules, n: string | number | undefined): string {
  return typeof phrase === 'string' ? phrase : (phrase[plural.select(Number(n))] ?? phrase.other)
}

function fill(text: string, values: Values): string {
  return text.replace(/\{(\w+)\}/g, (gap, name: string) => (Object.hasOwn(values, name) ? String(values[name]) : gap))
}
