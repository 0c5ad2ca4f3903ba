import { html } from 'hono/html'
import { showCredits } from '../../contract/money.ts'
import { PERIODS, type Period, PURPOSES, type Purpose, type Spend } from '../../service/wallet/spend.ts'
import { alert, field, type Markup } from '../pages/layout.ts'
import { pressField } from './presses.ts'
import { showNumber } from './show.ts'

/** What somebody typed, by the name of its field: the input as it was, and what it means. */
export type TypedCaps = { [name: string]: { input: string; credits: number | null; problem?: string } }

type CapsView = { spend: readonly Spend[]; typed?: TypedCaps }

export function capName(purpose: Purpose, period: Period): string {
  return `${purpose}-${period}`
}

const WORDS: Record<Purpose, string> = { report: 'Reports', sms: 'Text messages' }

export function capsBody({ spend, typed }: CapsView): Markup {
  return html`<h1>Spend caps</h1>
<p class="lead">How many credits may be spent in an hour and in a day (UTC). Above a cap, checks are refused until the hour or the day is over. Your webhooks are told at 80 % and at 100 %.</p>
${alert(typed && 'Nothing was changed: please look at what is marked below.')}
<form class="panel" method="post" action="/console/caps">
  ${PURPOSES.map(
    (purpose) => html`<fieldset class="pair">
  <legend>${WORDS[purpose]}</legend>
  ${PERIODS.map((period) => capField(purpose, period))}
  </fieldset>`,
  )}
  ${pressField()}<button class="button" type="submit">Save the caps</button>
</form>`

  function capField(purpose: Purpose, period: Period): Markup {
    const name = capName(purpose, period)
    const now = spend.find((each) => each.purpose === purpose && each.period === period)
    const spent = now?.spentCredits ?? 0
    const cap = now?.capCredits ?? null
    return field({
      name,
      label: period === 'hour' ? 'Credits in an hour' : 'Credits in a day',
      hint: `Spent in this ${period}: ${showNumber(spent)} (${showCredits(spent)}). Empty: no cap.`,
      value: typed?.[name]?.input ?? (cap === null ? '' : showNumber(cap)),
      error: typed?.[name]?.problem,
      autocomplete: 'off',
      inputmode: 'numeric',
      lengthMax: 20,
      isOptional: true,
    })
  }
}
