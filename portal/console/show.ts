import { html } from 'hono/html'
import type { Markup } from '../pages/layout.ts'

const dateTime = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  timeZone: 'Europe/London',
})

export function showTime(timeMs: number): Markup {
  return html`<time datetime="${new Date(timeMs).toISOString()}">${dateTime.format(timeMs)}</time>`
}

export function showNumber(value: number): string {
  return new Intl.NumberFormat('en-GB').format(value)
}

/** A secret that is shown once. `labelledBy`: the id of what names it. */
export function showSecret(secret: string, labelledBy: string): Markup {
  return html`<code class="secret" aria-labelledby="${labelledBy}" tabindex="0" role="textbox" aria-readonly="true">${secret}</code>`
}

type Table = {
  /** What screen readers call it. */
  label: string
  caption?: string
  /** `number`: a column of figures, which are aligned at their end. */
  columns: readonly (string | { number: string })[]
  rows: readonly Markup[]
  foot?: Markup
}

/** A table that scrolls by itself where it is wider than the screen, with the keyboard too. */
export function showTable({ label, caption, columns, rows, foot }: Table): Markup {
  const heads = columns.map((column) =>
    typeof column === 'string'
      ? html`<th scope="col">${column}</th>`
      : html`<th scope="col" class="number">${column.number}</th>`,
  )
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${label}">
<table>
  ${caption ? html`<caption>${caption}</caption>` : ''}
  <thead><tr>${heads}</tr></thead>
  <tbody>${rows}
  </tbody>
  ${foot ? html`<tfoot>${foot}</tfoot>` : ''}
</table>
</div>`
}
