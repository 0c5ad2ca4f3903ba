// The words of one element: a language, the lender's own changes to it, and how to fill in the gaps.
import type { HelpStrings } from '../report/help/strings.ts'
import type { ReportStrings } from '../report/strings.ts'
import { en, type Phrase, type StringKey, type Strings } from './en.ts'

export type Values = { [name: string]: string | number }

/** English as far as it is loaded; chunks bring their own. */
const english = new Map<string, Phrase>()

export function addEnglish(phrases: Partial<Strings>): void {
  for (const [key, phrase] of Object.entries(phrases)) english.set(key, phrase)
}

addEnglish(en)

/**
 * A language: what it says for each phrase, given the English as far as that is loaded; and the words of the report.
 */
export type Translation = {
  say(key: StringKey, english: Phrase): Phrase
  report: ReportStrings
  /** The words of what few people open in a report. @default the English, which come with it */
  help?: () => Promise<HelpStrings>
}

export type Words = {
  locale: string
  /** Null is English as far as it is loaded. */
  translation: Translation | null
  /** The phrase for `key`, filled in; `n` chooses its plural form. */
  (key: StringKey, values?: Values): string
  /** The form of a phrase that goes with a number, filled in with it. */
  count(phrase: Phrase, n: number): string
}

/** Without a translation it is English; `changes` are the lender's own words. */
export function createWords(
  locale: string,
  translation: Translation | null = null,
  changes: Partial<Strings> = {},
): Words {
  // Made when it is first needed: the first screen counts nothing, and a slow phone waits for it.
  let plural: Intl.PluralRules | undefined
  const say = (phrase: Phrase, values: Values) => {
    if (typeof phrase === 'string') return fill(phrase, values)
    plural ??= new Intl.PluralRules([locale, 'en-GB'])
    const own = values.n === 4 ? phrase[4] : undefined
    return fill(own ?? phrase[plural.select(Number(values.n))] ?? phrase.other, values)
  }
  const words = (key: StringKey, values: Values = {}): string => {
    const phrase = english.get(key) ?? ''
    // A page may have added to Object.prototype; only what the lender wrote counts.
    const changed = Object.hasOwn(changes, key) ? changes[key] : undefined
    const said = say(changed ?? translation?.say(key, phrase) ?? phrase, values)
    return key !== 'lender' && said.includes('{lender}') ? fill(said, { lender: words('lender') }) : said
  }
  return Object.assign(words, { locale, translation, count: (phrase: Phrase, n: number) => say(phrase, { n }) })
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

/** `Equifax, Experian and TransUnion`; empty for none. */
export function listNames(words: Words, names: readonly string[]): string {
  const last = names.at(-1) ?? ''
  return names.length > 1 ? words('and', { a: names.slice(0, -1).join(', '), b: last }) : last
}

/** The time of day as the consumer's own clock would show it. */
export function showTime(words: Words, timeMs: number): string {
  return new Intl.DateTimeFormat([words.locale, 'en-GB'], { timeStyle: 'short' }).format(timeMs)
}

/** A message of the flow, with its time of day. */
export function sayNotice(
  words: Words,
  { words: key, timeMs }: { words: StringKey; timeMs?: number },
  values?: Values,
): string {
  return words(key, { ...values, ...(timeMs && { time: showTime(words, timeMs) }) })
}

function fill(template: string, values: Values): string {
  return template.replace(/\{(\w+)\}/g, (gap, name: string) =>
    Object.hasOwn(values, name) ? String(values[name]) : gap,
  )
}
