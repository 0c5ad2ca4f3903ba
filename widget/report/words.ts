// The words of one report: its strings, and numbers, money and dates written as its reader writes them.
import type { Money } from '../../contract/money.ts'
import { listNames, type Words as SharedWords, showDay } from '../strings/words.ts'
import { remember } from './remember.ts'
import type { Phrase, ReportStrings } from './strings.ts'

export type Words = ReportStrings & {
  /** Words that the report shares with the screens before it. */
  shared: SharedWords
  /** The form of a phrase that goes with a number, with the number in it. */
  count(phrase: Phrase, n: number): string
  /** `123456` pence → `£1,234.56`. Never negative: what is owed to the consumer is said in words. */
  money(money: Money): string
  /** `Equifax, Experian and TransUnion`. */
  list(named: readonly { name: string }[]): string
  /** `4 March 2026`. */
  day(timeMs: number): string
}

export function createWords(shared: SharedWords): Words {
  const { locale, translation } = shared
  // Every screen before this one needs it too.
  if (!translation) throw new Error('the language is not loaded')
  const locales = [locale, 'en-GB']
  // Made once each: hundreds of accounts ask for thousands of amounts.
  const formatOf = remember((currency) => currencyFormat(locales, currency))
  return {
    ...translation.report,
    shared,
    count: shared.count,
    money: ({ amount, currency }) => formatOf(currency)(amount),
    list: (named) =>
      listNames(
        shared,
        named.map(({ name }) => name),
      ),
    day: (timeMs) => showDay(shared, new Date(timeMs).toISOString().slice(0, 10)),
  }
}

// The first use of Intl.NumberFormat holds a page up for longer than the whole report takes to draw, and pounds need
// none of it.
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
