import { html } from 'hono/html'
import qrcode from 'qrcode-generator'
import { alert, type Markup } from '../pages/layout.ts'
import type { Shown, Taken } from './presses.ts'

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

/** What came of a form, above the page it led to. `isRepeated`: it was sent again. */
export function showTaken(taken: Taken, { isRepeated }: { isRepeated: boolean }): Markup | '' {
  if (taken.state === 'first') return showOnce(taken.shown)
  if (taken.state === 'running')
    return alert(
      'That is still in progress, or was cut off. Reload this page in a moment, and check below what was done.',
    )
  if (taken.hadSecret) return alert('That was shown once already and cannot be shown again. Make a new one.')
  return isRepeated ? alert('That form was carried out before. Nothing was changed this time.') : ''
}

function showOnce({ notice, secret }: Shown): Markup {
  if (secret === undefined) return html`<p class="done" role="status">${notice}</p>`
  const { title, hint, label, values, facts = {}, qr, file } = secret
  return html`<section class="panel" aria-labelledby="once">
  <h2 id="once">${title}</h2>
  <p class="done" role="status">${notice}</p>
  <p>${hint}</p>
  ${Object.keys(facts).length === 0 ? '' : html`<dl class="facts">${Object.entries(facts).map(([name, value]) => html`<dt>${name}</dt><dd><code>${value}</code></dd>`)}</dl>`}
  ${qr === undefined ? '' : drawQr(qr)}
  ${
    values.length === 1
      ? html`<p><span id="once-label">${label}</span> <code aria-labelledby="once-label" tabindex="0" role="textbox" aria-readonly="true" class="secret">${values[0]}</code></p>`
      : html`<ul class="codes" aria-label="${label}">${values.map((value) => html`<li><code>${value}</code></li>`)}</ul>`
  }
  ${file === undefined ? '' : html`<p><a download="${file}" href="data:text/plain;charset=utf-8,${encodeURIComponent(`${values.join('\n')}\n`)}">Download as a file</a></p>`}
</section>`
}

const QUIET_MODULES = 4

/** The address as a QR code: one path, drawn in the page itself. */
function drawQr(uri: string): Markup {
  const code = qrcode(0, 'M')
  code.addData(uri)
  code.make()
  const count = code.getModuleCount()
  const size = count + 2 * QUIET_MODULES
  const squares: string[] = []
  for (let row = 0; row < count; row += 1) {
    for (let column = 0; column < count; column += 1) {
      if (code.isDark(row, column)) squares.push(`M${column + QUIET_MODULES} ${row + QUIET_MODULES}h1v1h-1z`)
    }
  }
  return html`<svg class="qr" viewBox="0 0 ${size} ${size}" role="img" aria-label="QR code for your authenticator app" shape-rendering="crispEdges"><path fill="#000" d="${squares.join('')}"/></svg>`
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
