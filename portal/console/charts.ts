// Drawings of figures, each with its words and its table.
import { html } from 'hono/html'
import type { Markup } from '../pages/layout.ts'

type Picture = {
  title: string
  hint?: string
  drawing: Markup
  table: Markup
  isWide?: boolean
}

export function picture({ title, hint = '', drawing, table, isWide = false }: Picture): Markup {
  return html`<section class="chart${isWide ? ' wide' : ''}">
  <h2>${title}</h2>
  ${hint === '' ? '' : html`<p class="hint">${hint}</p>`}
  ${drawing}
  <details><summary>As a table<span class="unseen">: ${title}</span></summary>
  ${table}</details>
</section>`
}

type Bar = {
  name: string
  /** The address of the list of checks behind it. @default none */
  href?: string | undefined
  note: string
  value: string
  parts: readonly { share: number; kind: string }[]
}

/** The words say everything; the drawing repeats it. */
export function bar({ name, href, note, value, parts }: Bar): Markup {
  let from = 0
  return html`<li><span class="name">${href === undefined ? name : html`<a href="${href}">${name}</a>`}${note === '' ? '' : html` <small>${note}</small>`}</span><span class="value">${value}</span>
<svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true" focusable="false"><rect class="track" width="100" height="1"/>${parts.map(
    ({ share, kind }) => {
      const x = from
      from += share * 100
      return share <= 0 ? '' : html`<rect class="${kind}" x="${round(x)}" width="${round(share * 100)}" height="1"/>`
    },
  )}</svg></li>`
}

type Column = {
  name: string
  /** It is not over: drawn paler. */
  isOpen: boolean
  /** From below. `says`: the value in words. */
  parts: readonly { value: number; kind: string; href: string; says: string }[]
}

const CHART_HEIGHT = 100

/** Oldest first. The table beside it has the same links for the keyboard and for screen readers. */
export function drawColumns(columns: readonly Column[], showValue: (value: number) => string): Markup {
  const totals = columns.map(({ parts }) => parts.reduce((sum, { value }) => sum + value, 0))
  const most = Math.max(1, ...totals)
  const draw = ({ name, isOpen, parts }: Column, index: number) => {
    let top = CHART_HEIGHT
    const drawn = parts.map(({ value, kind, href, says }) => {
      const height = (Math.max(0, value) / most) * CHART_HEIGHT
      top -= height
      return height === 0
        ? ''
        : html`<a href="${href}" tabindex="-1"><rect class="${kind}" x="${index + 0.1}" y="${round(top)}" width="0.8" height="${round(height)}"><title>${name}: ${says}</title></rect></a>`
    })
    return isOpen ? html`<g class="open">${drawn}</g>` : drawn
  }
  return html`<p class="unseen">${showValue(totals.at(-1) ?? 0)} in the last, at most ${showValue(most)}.</p>
<div class="columns" aria-hidden="true"><p class="minor">${showValue(most)}</p>
<svg viewBox="0 0 ${columns.length} ${CHART_HEIGHT}" preserveAspectRatio="none" focusable="false">${columns.map(draw)}</svg>
<p class="ends minor"><span>${columns[0]?.name}</span><span>${columns.at(-1)?.name}</span></p></div>`
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}

export function shareOf(part: number, whole: number): string {
  return whole === 0 ? '–' : `${Math.round((part / whole) * 100)}%`
}

/** `0.4` → `0.4 s`, `75` → `1 min 15 s`. */
export function showSeconds(seconds: number): string {
  if (seconds < 10) return `${Math.round(seconds * 10) / 10} s`
  const whole = Math.round(seconds)
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`
}
