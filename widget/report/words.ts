// The words of one report: its strings, and numbers, money and dates written as its reader writes them.
import type { Money } from '../../contract/money.ts'
import { fill } from './phrases.ts'
import { remember } from './remember.ts'
import type { Phrase, ReportStrings } from './strings.ts'

export type Words = ReportStrings & {
  /** The form of a phrase that goes with a number, with the number in it. */
  count(phrase: Phrase, n: number): string
  /** `123456` pence → `£1,234.56`. Never negative: what is owed to the consumer is said in words. */
  money(money: Money): string
  /** `4 March 2026`. */
  day(timeMs: number): string
  /** `March 2026`. */
  month(timeMs: number): string
}

export function createWords(strings: ReportStrings, locale: string): Words {
  const locales = [locale, 'en-GB']
  const plural = new Intl.PluralRules(locales)
  const monthNames = strings.monthNames.split(' ')
  // Made once each: hundreds of accounts ask for thousands of amounts.
  const formatOf = remember((currency) => currencyFormat(locales, currency))
  // By hand and not with Intl: some browsers have no Welsh dates and fall back to American ones.
  const write = (timeMs: number, day: number | '') => {
    const date = new Date(timeMs)
    const month = monthNames[date.getUTCMonth()]
    return fill(strings.date, { day, month, year: date.getUTCFullYear() }).join('').trim()
  }
  return {
    ...strings,
    count: (phrase, n) =>
      (typeof phrase === 'string' ? phrase : (phrase[plural.select(n)] ?? phrase.other)).replace('{n}', String(n)),
    money: ({ amount, currency }) => formatOf(currency)(amount),
    day: (timeMs) => write(timeMs, new Date(timeMs).getUTCDate()),
    month: (timeMs) => write(timeMs, ''),
  }
}

// The first use of Intl.NumberFormat holds a page up for longer than the whole report takes to draw, and pounds need none of it.
function writePounds(pence: number): string {
  const digits = String(pence).padStart(3, '0')
  return `£${digits.slice(0, -2).replace(/\B(?=(\d{3})+$)/g, ',')}.${digits.slice(-2)}`
}

function currencyFormat(locales: string[], currency: string): (amount: number) => string {
  if (currency === 'GBP') return writePounds
  try {
    const format = new Intl.NumberFormat(locales, { style: 'currency', currency })
    const unitsPerWhole = 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2)
    return (amount) => format.format(amount / unitsPerWhole)
  } catch {
    // Not a currency code. The number as it came is the only thing that can be said without inventing.
    return (amount) => `${amount} ${currency}`
  }
}
