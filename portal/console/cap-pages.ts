import { html } from 'hono/html'
import { CREDITS_MAX, CREDITS_PER_PENNY } from '../../contract/limits.ts'
import { showCredits } from '../../contract/money.ts'
import { PERIODS, type Period, PURPOSES, type Purpose, priceOf, type Spend } from '../../plugins/limits/spend-caps.ts'
import type { Prices } from '../../service/ledger/tenants.ts'
import { alert, field, type Markup } from '../pages/layout.ts'
import { problemWith, type Refusal } from './act-form.ts'
import type { Visit } from './frame.ts'
import { showNumber } from './show.ts'

type CapsView = Pick<Visit, 'press'> & {
  spend: readonly Spend[]
  prices: Prices
  typed: (Refusal & { form: URLSearchParams }) | undefined
}

export const PURPOSE_WORDS: Record<Purpose, { one: string; many: string }> = {
  report: { one: 'report', many: 'Reports' },
  text: { one: 'text', many: 'Texts' },
}

export function capsBody({ spend, prices, typed, press }: CapsView): Markup {
  return html`<p><a href="/console/money">Money</a></p>
<h1>Spend caps</h1>
<p class="lead">The most that may be spent in an hour and in a day (UTC). Leave a field empty for no cap; 0 stops buying. Above a cap, checks are refused until the hour or the day is over. A webhook reports 80% and 100%.</p>
${alert(typed && 'Nothing was changed: please look at what is marked below.')}
<form class="panel" method="post" action="/console/caps">
  ${PURPOSES.map(
    (purpose) => html`<fieldset class="pair">
  <legend>${PURPOSE_WORDS[purpose].many}, ${showCredits(priceOf(purpose, prices))} each</legend>
  ${PERIODS.map((period) => capField(purpose, period))}
  </fieldset>`,
  )}
  ${press()}<button class="button" type="submit">Save the caps</button>
</form>`

  function capField(purpose: Purpose, period: Period): Markup {
    const name = `${purpose}.${period}`
    const input = typed?.form.get(name)
    const now = spend.find((each) => each.purpose === purpose && each.period === period)
    const cap = now?.capCredits ?? null
    const price = priceOf(purpose, prices)
    const enough = cap === null || price === 0 ? '' : ` Enough for ${showNumber(Math.floor(cap / price))}.`
    return field({
      name,
      label: period === 'hour' ? 'Pounds in an hour' : 'Pounds in a day',
      hint: `Spent in this ${period}: ${showCredits(now?.spentCredits ?? 0)}.${enough}`,
      value: input ?? (cap === null ? '' : poundsText(cap)),
      error: typed && poundsProblem(name, typed),
      autocomplete: 'off',
      inputmode: 'decimal',
      lengthMax: 20,
      isOptional: true,
    })
  }
}

/** The problem of an amount that was typed in pounds. */
export function poundsProblem(name: string, typed: Refusal & { form: URLSearchParams }): string | undefined {
  const problem = problemWith(name, typed)
  const isAmount = (readPounds(typed.form.get(name) ?? '') ?? 0) > 0
  return problem && !isAmount ? 'Type an amount in pounds, or nothing for none.' : problem
}

/** An amount in pounds as credits; what is no amount stays as it is, for the schema to refuse. */
export function readTypedPounds(_schema: unknown, texts: readonly string[]): number | string | null | undefined {
  const text = texts.at(-1)
  const credits = text === undefined ? undefined : readPounds(text)
  return credits === undefined ? text : credits
}

export const CREDITS_PER_POUND = CREDITS_PER_PENNY * 100

/** `£1,234.50` → 1234500 credits. Null for nothing; undefined for what is no amount. */
function readPounds(input: string): number | null | undefined {
  // The page itself shows commas.
  const digits = input.replace(/^£/, '').replace(/[,\s]/g, '')
  if (digits === '') return null
  const [, pounds = '', parts = ''] = /^(\d{1,10})(?:\.(\d{1,3}))?$/.exec(digits) ?? []
  if (pounds === '') return undefined
  const credits = Number(pounds) * CREDITS_PER_POUND + Number(parts.padEnd(3, '0'))
  return credits <= CREDITS_MAX ? credits : undefined
}

/** As the fields show it: `1,234.50`. */
export function poundsText(credits: number): string {
  return showCredits(credits).slice(1)
}
