import { html } from 'hono/html'
import { showCredits } from '../../contract/money.ts'
import { spacedReference } from '../../contract/short-reference.ts'
import { drawQr } from '../../hosted/qr-code.ts'
import { dateFormat } from '../../kit/date-format.ts'
import { alert, type Markup } from '../pages/layout.ts'
import type { Shown, Taken } from './presses.ts'

const toTheMinute = {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  timeZone: 'Europe/London',
} as const
const minuteTime = dateFormat(toTheMinute)
const dateTime = dateFormat({ ...toTheMinute, second: '2-digit' })

export function showTime(timeMs: number): Markup {
  return showTimeAs(dateTime, timeMs)
}

/** For what is planned, or not known to the second. */
export function showMinute(timeMs: number): Markup {
  return showTimeAs(minuteTime, timeMs)
}

function showTimeAs(format: (timeMs: number) => string, timeMs: number): Markup {
  return html`<time datetime="${new Date(timeMs).toISOString()}">${format(timeMs)}</time>`
}

let numberFormat: Intl.NumberFormat | undefined

/** The format is made once, when first used: a page has hundreds of numbers. */
export function showNumber(value: number): string {
  numberFormat ??= new Intl.NumberFormat('en-GB')
  return numberFormat.format(value)
}

/** The result of a form, above the page it led to. `isRepeated`: it was sent again. */
export function showTaken(taken: Taken, { isRepeated }: { isRepeated: boolean }): Markup | '' {
  if (taken.state === 'first') return showOnce(taken.shown)
  if (taken.state === 'running')
    return alert(
      'That is still in progress, or was cut off. Reload this page in a moment, and check below what was done.',
    )
  if (taken.hadSecret)
    return alert('That was shown once already and cannot be shown again. If it was not kept, replace it below.')
  return isRepeated ? alert('That form was carried out before. Nothing was changed this time.') : ''
}

function showOnce({ notice, secret }: Shown): Markup {
  if (secret === undefined) return html`<p class="done" role="status">${notice}</p>`
  const { title, hint, label, values, facts = {}, qr, file } = secret
  return html`<section class="panel" aria-labelledby="once">
  <h2 id="once">${title}</h2>
  <p class="done" role="status">${notice}</p>
  <p>${hint}</p>
  ${Object.keys(facts).length === 0 ? '' : html`<dl class="facts">${Object.entries(facts).map(([name, value]) => html`<dt>${name}</dt><dd>${showCode(value, name)}</dd>`)}</dl>`}
  ${qr === undefined ? '' : drawQr(qr, 'QR code for your authenticator app')}
  ${
    values.length === 1
      ? html`<div><p aria-hidden="true">${label}</p>${showCopy(values[0] ?? '', label)}</div>`
      : html`<div class="copy"><ul class="codes" aria-label="${label}">${values.map((value) => html`<li><code>${value}</code></li>`)}</ul>${copyButton(label)}</div>`
  }
  ${file === undefined ? '' : html`<p><a download="${file}" href="data:text/plain;charset=utf-8,${encodeURIComponent(`${values.join('\n')}\n`)}">Download as a file</a></p>`}
</section>`
}

type Cell = Markup | string

/** `number`: figures, aligned at their end. `wide`: text that takes the room the other columns leave. */
type Column = string | { number: string } | { wide: string }

type Table = {
  /** A heading above the table. */
  title?: string
  /** Its name for screen readers. */
  label: string
  columns: readonly Column[]
  /** Cells in the order of the columns. */
  rows: readonly (readonly Cell[])[]
  /** The last row, in the order of the columns; its first cell is its heading. */
  foot?: readonly Cell[]
}

/** A table on a desk; on a phone each row is a card with the column's name before each value. */
export function showTable({ title, label, columns, rows, foot }: Table): Markup {
  const heads = columns.map((column) => ({ name: nameOf(column), kind: kindOf(column) }))
  const showRow = (cells: readonly Cell[], isFoot = false) =>
    html`<tr role="row">${cells.map((cell, index) => {
      const { name = '', kind = '' } = heads[index] ?? {}
      if (isFoot && index === 0) return html`<th scope="row" role="rowheader">${cell}</th>`
      const content = cell === '' ? '' : html`<div>${cut(cell)}</div>`
      return html`<td role="cell"${kind && html` class="${kind}"`} data-label="${name}">${content}</td>`
    })}</tr>`
  // The roles are repeated because browsers drop a table's own where its parts are laid out as cards.
  return html`${title ? html`<h2>${title}</h2>` : ''}
<table role="table" aria-label="${label}">
  <thead role="rowgroup"><tr role="row">${heads.map(({ name, kind }) => html`<th scope="col" role="columnheader"${kind && html` class="${kind}"`}>${name}</th>`)}</tr></thead>
  <tbody role="rowgroup">${rows.map((cells) => showRow(cells))}</tbody>
  ${foot ? html`<tfoot role="rowgroup">${showRow(foot, true)}</tfoot>` : ''}
</table>`
}

function nameOf(column: Column): string {
  if (typeof column === 'string') return column
  return 'number' in column ? column.number : column.wide
}

function kindOf(column: Column): '' | 'number' | 'wide' {
  if (typeof column === 'string') return ''
  return 'number' in column ? 'number' : 'wide'
}

const CELL_LENGTH = 80

/** A long text is cut to three lines by the stylesheet; the whole of it is in the title. */
function cut(cell: Cell): Cell {
  return typeof cell === 'string' && cell.length > CELL_LENGTH
    ? html`<span class="long" title="${cell}">${cell}</span>`
    : cell
}

export type Tone = 'good' | 'bad' | 'waiting' | 'neutral'

/** Each tone has a shape of its own, for readers who cannot tell its colour. In a square of 16. */
const SHAPES: Record<Tone, string> = {
  good: 'M3.5 8.5l3 3 6-7',
  bad: 'M4.5 4.5l7 7m0-7l-7 7',
  waiting: 'M8 3.5v4.5l3 2M8 1.5a6.5 6.5 0 1 0 .01 0',
  neutral: 'M4 8h8',
}

export function showStatus(word: string, tone: Tone): Markup {
  return html`<span class="status ${tone}"><svg viewBox="0 0 16 16" aria-hidden="true" focusable="false"><path d="${SHAPES[tone]}"/></svg>${word}</span>`
}

/** Pounds first, credits second. `isSigned`: a movement, with its plus or minus. */
export function showMoney(credits: number, { isSigned = false } = {}): Markup {
  const sign = credits < 0 ? '−' : isSigned && credits > 0 ? '+' : ''
  const amount = Math.abs(credits)
  return html`<span class="money">${sign}${showCredits(amount)} <small>${sign}${showNumber(amount)} ${amount === 1 ? 'credit' : 'credits'}</small></span>`
}

export type Mode = 'live' | 'test'

/** Two links that keep the rest of the page's query. */
export function showModeSwitch(path: string, mode: Mode): Markup {
  const to = (value: Mode) => `${path}${path.includes('?') ? '&' : '?'}mode=${value}`
  return html`<nav class="modes" aria-label="Mode">
  <a href="${to('live')}"${mode === 'live' ? html` aria-current="true"` : ''}>Live</a>
  <a href="${to('test')}"${mode === 'test' ? html` aria-current="true"` : ''}>Test</a>
</nav>`
}

/**
 * A text to take elsewhere, such as a secret: a button copies it; without the script one click or Tab selects all of
 * it.
 */
export function showCopy(text: string, label: string): Markup {
  return html`<div class="copy"><code role="textbox" aria-readonly="true" aria-label="${label}" tabindex="0" class="secret">${text}</code>${copyButton(label)}</div>`
}

/** The same within a line. */
export function showCode(text: string, label: string): Markup {
  return html`<span class="copy"><code>${text}</code>${copyButton(label)}</span>`
}

/** The same for several lines. */
export function showCopyLines(text: string, label: string): Markup {
  return html`<div class="copy"><pre class="secret" tabindex="0" role="textbox" aria-readonly="true" aria-multiline="true" aria-label="${label}">${text}</pre>${copyButton(label)}</div>`
}

/** The actions of a row: a menu that opens on demand. `label`: the row's name. */
export function showActions(label: string, items: readonly Markup[]): Markup {
  return html`<details class="actions"><summary aria-label="${label}"><svg viewBox="0 0 16 16" aria-hidden="true" focusable="false"><path d="M3 8h.01M8 8h.01M13 8h.01"/></svg></summary><div>${items}</div></details>`
}

/** Copies what stands before it. The page's script shows it and carries it out. */
function copyButton(label: string): Markup {
  return html`<button class="quiet" type="button" data-copy hidden aria-live="polite">Copy<span class="unseen"> ${label}</span></button>`
}

export function checkLink(creditReportId: string): Markup {
  return html`<a href="/console/checks/${encodeURIComponent(creditReportId)}"><code title="${creditReportId}">${spacedReference(creditReportId)}</code></a>`
}
