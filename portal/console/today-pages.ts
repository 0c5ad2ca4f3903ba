// What happened to a lender's checks in a day, a week or a month. Pictures are drawn here, each with its table.

import { html } from 'hono/html'
import { showCredits } from '../../contract/money.ts'
import { type DayEnds, type End, FUNNEL_STEPS, type Wait } from '../../contract/stats.ts'
import type { Spend } from '../../plugins/limits/spend-caps.ts'
import type { SpendRate } from '../../plugins/statement/statement.ts'
import type { Figures } from '../../plugins/stats/read-stats.ts'
import { REFUSAL_WORDS } from '../../service/texts/refusal-words.ts'
import type { Markup } from '../pages/layout.ts'
import { PURPOSE_WORDS } from './cap-pages.ts'
import { type Mode, showModeSwitch, showMoney, showNumber, showTable } from './show.ts'
import { BYS, type By, type Period } from './today-periods.ts'
import { figure, showDaysLeft } from './wallet-pages.ts'

export type TodayView = {
  by: By
  mode: Mode
  period: Period
  figures: Figures
  /** The same of the period before. */
  before: Figures
  /** How checks ended in each period of the chart, oldest first; the last one is this period. */
  columns: readonly (DayEnds & { name: string })[]
  /** Null in test mode, where nothing costs anything. */
  money: Money | null
  /** There never was a check in this mode. */
  isNew: boolean
}

export type Money = {
  balanceCredits: number
  spend: readonly Spend[]
  rate: SpendRate
}

export function todayBody(view: TodayView): Markup {
  const { by, mode, period, isNew, money } = view
  return html`<h1>${headingOf(view)}</h1>
<div class="row between">
  <nav class="modes" aria-label="Period">${BYS.map(
    (each) =>
      html`<a href="${linkOf({ by: each, mode })}"${each === by ? html` aria-current="true"` : ''}>${BY_WORDS[each]}</a>`,
  )}</nav>
  ${showModeSwitch(`/console?by=${by}`, mode)}
</div>
<p class="lead">${isOver(period) ? '' : `${period.name}, so far. `}Days are UTC days.</p>
<p class="row">
  <a href="${linkOf({ by, mode, at: period.before })}">The ${by} before</a>
  ${period.after === null ? '' : html`<a href="${linkOf({ by, mode, at: period.after })}">The ${by} after</a>`}
</p>
${isNew ? welcome(mode) : figureCards(view)}
${isNew ? '' : pictures(view)}
${money === null ? '' : moneyPanel(money)}`
}

const NOW_WORDS: Record<By, string> = { day: 'Today', week: 'This week', month: 'This month' }

/** The period by name, or as people call the one that is not over. */
export function headingOf({ by, period }: Pick<TodayView, 'by' | 'period'>): string {
  return isOver(period) ? period.name : NOW_WORDS[by]
}

function isOver({ after }: Period): boolean {
  return after !== null
}

const BY_WORDS: Record<By, string> = { day: 'Day', week: 'Week', month: 'Month' }

function linkOf({ by, mode, at }: { by: By; mode: Mode; at?: string }): string {
  return `/console?by=${by}${mode === 'live' ? '' : `&mode=${mode}`}${at === undefined ? '' : `&at=${at}`}`
}

function welcome(mode: Mode): Markup {
  return html`<section class="panel" aria-labelledby="first">
  <h2 id="first">${mode === 'live' ? 'No check has been made yet' : 'No test check has been made yet'}</h2>
  <p>Once your first consumer fills in the form, this page shows how far consumers come, how checks end, how texts arrive and how long people wait.</p>
  <ul>
    <li><a href="/docs">Read the API reference</a> and make a test check: it costs nothing.</li>
    ${mode === 'live' ? html`<li><a href="/console?mode=test">See your test checks</a></li>` : ''}
  </ul>
</section>`
}

function figureCards({ by, period, figures, before }: TodayView): Markup {
  const earlier = isOver(period) ? `the ${by} before` : `so far; the whole ${by} before`
  const asked = (of: Figures) => stepOf(of, 'answers').count
  const done = (of: Figures) => stepOf(of, 'report').count
  const wait = figures.waiting.find(({ what }) => what === 'generate')
  return html`<dl class="figures brief">
  <div><dt>Checks</dt><dd>${showNumber(asked(figures))}</dd><dd>${earlier}: ${showNumber(asked(before))}</dd></div>
  <div><dt>Reports</dt><dd>${showNumber(done(figures))}</dd><dd>${shareOf(done(figures), asked(figures))} of the checks${isOver(period) ? ';' : ''} ${earlier}: ${showNumber(done(before))}</dd></div>
  <div><dt>Wait for an answer</dt><dd>${wait?.p50Ms === undefined ? '–' : showSeconds(wait.p50Ms / 1000)}</dd><dd>${wait?.p95Ms === undefined ? 'no check yet' : `19 of 20 within ${showSeconds(wait.p95Ms / 1000)}`}</dd></div>
  <div><dt>Texts delivered</dt><dd>${shareOf(figures.texts.delivered, textsOf(figures))}</dd><dd>${showNumber(figures.texts.delivered)} of ${showNumber(textsOf(figures))}</dd></div>
</dl>`
}

/** Texts that were tried: what the gateway took, and what it refused at once. */
function textsOf({ texts: { accepted, delivered, undelivered } }: Figures): number {
  return Math.max(accepted, delivered + undelivered)
}

function pictures(view: TodayView): Markup {
  const { figures } = view
  return html`<div class="charts">
${funnelPicture(figures)}
${endsPicture(figures)}
${columnsPicture(view)}
${textsPicture(figures)}
${waitingPicture(figures)}
</div>`
}

type Step = (typeof FUNNEL_STEPS)[number]

const STEP_WORDS: Record<Step, string> = {
  form: 'First step seen',
  details: 'Details given',
  address: 'Address given',
  answers: 'Answers sent',
  'code-sent': 'Code sent',
  'code-right': 'Code right',
  report: 'Report',
}

function stepOf({ funnel }: Figures, step: Step): Figures['funnel'][number] {
  return funnel.find((each) => each.step === step) ?? { step, count: 0 }
}

function funnelPicture(figures: Figures): Markup {
  // A page that does not report its steps has none: then the funnel begins where the service comes in.
  const isSeen = stepOf(figures, 'form').count > 0
  const steps = FUNNEL_STEPS.filter((_step, index) => isSeen || index >= FUNNEL_STEPS.indexOf('answers')).map(
    (step) => {
      const { count, seconds } = stepOf(figures, step)
      const skipped = step === 'code-sent' || step === 'code-right' ? figures.withoutCode : 0
      return { step, count, seconds, skipped }
    },
  )
  const most = Math.max(1, ...steps.map(({ count, skipped }) => count + skipped))
  return picture({
    title: 'How far consumers come',
    hint: figures.withoutCode > 0 ? `${showNumber(figures.withoutCode)} needed no code: the paler part of a bar.` : '',
    drawing: html`<ol class="bars">${steps.map(({ step, count, seconds, skipped }) =>
      bar({
        name: STEP_WORDS[step],
        note: seconds === undefined ? '' : `after ${showSeconds(seconds)}`,
        value: showNumber(count),
        parts: [
          { share: count / most, kind: 'main' },
          { share: skipped / most, kind: 'pale' },
        ],
      }),
    )}</ol>${isSeen ? '' : html`<p class="hint">The steps of the form are not known: your page does not send them, or no one has opened it.</p>`}`,
    table: showTable({
      label: 'How far consumers come',
      columns: ['Step', { number: 'Checks' }, { number: 'Of the first' }, { number: 'Seconds from the step before' }],
      rows: steps.map(({ step, count, seconds }) => [
        STEP_WORDS[step],
        showNumber(count),
        shareOf(count, steps[0]?.count ?? 0),
        seconds === undefined ? '–' : showNumber(seconds),
      ]),
    }),
  })
}

const KINDS = [
  ['complete', 'Complete'],
  ['blocked', 'Blocked'],
  ['failed', 'Failed'],
  ['expired', 'Expired'],
] as const

const CHART_HEIGHT = 100

function columnsPicture({ by, period, columns }: TodayView): Markup {
  const isOpen = (index: number) => !isOver(period) && index === columns.length - 1
  const totalOf = (column: DayEnds) => KINDS.reduce((sum, [kind]) => sum + column[kind], 0)
  const most = Math.max(1, ...columns.map(totalOf))
  const draw = (column: DayEnds, index: number) => {
    let top = CHART_HEIGHT
    const parts = KINDS.map(([kind]) => {
      const height = (column[kind] / most) * CHART_HEIGHT
      top -= height
      return height === 0
        ? ''
        : html`<rect class="${kind}" x="${index + 0.1}" y="${round(top)}" width="0.8" height="${round(height)}"/>`
    })
    return isOpen(index) ? html`<g class="open">${parts}</g>` : parts
  }
  const last = columns.at(-1)
  return picture({
    title: `Checks by ${by}`,
    isWide: true,
    drawing: html`<p class="legend">${KINDS.map(([kind, word]) => html`<span><svg viewBox="0 0 1 1" aria-hidden="true" focusable="false"><rect class="${kind}" width="1" height="1"/></svg>${word}</span>`)}${isOver(period) ? '' : html`<span class="minor">The paler last column is not over yet.</span>`}</p>
<div class="columns"><p class="minor" aria-hidden="true">${showNumber(most)}</p>
<svg role="img" aria-label="Ended checks by ${by}: ${showNumber(last ? totalOf(last) : 0)} in the last, at most ${showNumber(most)}" viewBox="0 0 ${columns.length} ${CHART_HEIGHT}" preserveAspectRatio="none" focusable="false">${columns.map(draw)}</svg>
<p class="ends minor" aria-hidden="true"><span>${columns[0]?.name}</span><span>${last?.name}</span></p></div>`,
    table: showTable({
      label: `Checks by ${by}`,
      columns: [BY_WORDS[by], ...KINDS.map(([, word]) => ({ number: word }))],
      rows: columns
        .map((column, index) => ({ ...column, name: isOpen(index) ? `${column.name}, so far` : column.name }))
        .toReversed()
        .map((column) => [column.name, ...KINDS.map(([kind]) => showNumber(column[kind]))]),
    }),
  })
}

const END_WORDS: Record<End, string> = {
  complete: 'Complete',
  blocked: 'Blocked by the risk check',
  expired: 'Expired: no right code in time',
  'failed-attempts': 'Failed: three wrong codes',
  'failed-device': 'Failed: the device was not known',
  'failed-providers': 'Failed: an agency or the risk check did not answer',
  'failed-abandoned': 'Failed: interrupted',
  'refused-credits': 'Refused: too few credits',
  'refused-cap': 'Refused: a spend cap was reached',
}

function endsPicture({ ends }: Figures): Markup {
  const total = ends.reduce((sum, { count }) => sum + count, 0)
  const most = Math.max(1, ...ends.map(({ count }) => count))
  const sorted = ends.toSorted((one, other) => other.count - one.count)
  return picture({
    title: 'How checks ended',
    drawing:
      total === 0
        ? html`<p class="hint">None has ended.</p>`
        : html`<ul class="bars">${sorted.map(({ end, count }) =>
            bar({
              name: END_WORDS[end],
              note: shareOf(count, total),
              value: showNumber(count),
              parts: [{ share: count / most, kind: end === 'complete' ? 'complete' : 'other' }],
            }),
          )}</ul>`,
    table: showTable({
      label: 'How checks ended',
      columns: ['End', { number: 'Checks' }, { number: 'Share' }],
      rows: sorted.map(({ end, count }) => [END_WORDS[end], showNumber(count), shareOf(count, total)]),
    }),
  })
}

function textsPicture(figures: Figures): Markup {
  const { delivered, undelivered, refused } = figures.texts
  const total = textsOf(figures)
  const parts = [
    ['Delivered', delivered, 'complete'],
    ['Not delivered', undelivered, 'other'],
    ['No receipt yet', total - delivered - undelivered, 'pale'],
  ] as const
  return picture({
    title: 'Texts',
    drawing:
      total === 0
        ? html`<p class="hint">None was sent.</p>`
        : html`<ul class="bars">${parts.map(([name, count, kind]) =>
            bar({
              name,
              note: shareOf(count, total),
              value: showNumber(count),
              parts: [{ share: count / total, kind }],
            }),
          )}</ul>`,
    table: showTable({
      label: 'Texts',
      columns: ['Text', { number: 'Texts' }, { number: 'Share' }],
      rows: [
        ...parts.map(([name, count]) => [name, showNumber(count), shareOf(count, total)]),
        ...refused.map(({ reason, count }) => [
          `of these: ${REFUSAL_WORDS[reason]}`,
          showNumber(count),
          shareOf(count, total),
        ]),
      ],
    }),
  })
}

const WAIT_WORDS: Record<Wait, string> = {
  generate: 'Until the details are answered',
  agencies: 'Of it, or after the code: the agencies',
}

function waitingPicture({ waiting }: Figures): Markup {
  const most = Math.max(1, ...waiting.map(({ p95Ms = 0 }) => p95Ms))
  return picture({
    title: 'How long consumers wait',
    hint: 'The darker part: half of them wait no longer. The whole bar: 19 of 20.',
    drawing: html`<ul class="bars">${waiting.map(({ what, p50Ms, p95Ms }) =>
      bar({
        name: WAIT_WORDS[what],
        note: p50Ms === undefined ? 'none' : `half within ${showSeconds(p50Ms / 1000)}`,
        value: p95Ms === undefined ? '–' : showSeconds(p95Ms / 1000),
        parts: [
          { share: (p50Ms ?? 0) / most, kind: 'main' },
          { share: ((p95Ms ?? 0) - (p50Ms ?? 0)) / most, kind: 'pale' },
        ],
      }),
    )}</ul>`,
    table: showTable({
      label: 'How long consumers wait',
      columns: ['Wait', { number: 'Times' }, { number: 'Half within (p50)' }, { number: '19 of 20 within (p95)' }],
      rows: waiting.map(({ what, count, p50Ms, p95Ms }) => [
        WAIT_WORDS[what],
        showNumber(count),
        p50Ms === undefined ? '–' : showSeconds(p50Ms / 1000),
        p95Ms === undefined ? '–' : showSeconds(p95Ms / 1000),
      ]),
    }),
  })
}

function moneyPanel({ balanceCredits, spend, rate }: Money): Markup {
  const capped = spend.filter(({ capCredits }) => capCredits !== null)
  const barOf = ({ purpose, period, spentCredits, capCredits }: Spend) => {
    const share = Math.min(1, spentCredits / Math.max(1, capCredits ?? 0))
    return bar({
      name: `${PURPOSE_WORDS[purpose].many}, this ${period}`,
      note: `of ${showCredits(capCredits ?? 0)}`,
      value: showCredits(spentCredits),
      parts: [{ share, kind: share >= NEAR_CAP ? 'other' : 'main' }],
    })
  }
  return html`<section class="chart" aria-labelledby="money">
  <h2 id="money">Money</h2>
  <dl class="figures">${figure('Balance', showMoney(balanceCredits))}${figure('Lasts for', showDaysLeft(balanceCredits, rate))}</dl>
  ${capped.length === 0 ? html`<p class="hint">No spend cap is set.</p>` : html`<ul class="bars">${capped.map(barOf)}</ul>`}
  <p><a href="/console/money">Every movement of credits</a></p>
</section>`
}

const NEAR_CAP = 0.8

type Picture = {
  title: string
  hint?: string
  drawing: Markup
  table: Markup
  isWide?: boolean
}

function picture({ title, hint = '', drawing, table, isWide = false }: Picture): Markup {
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
  note: string
  value: string
  parts: readonly { share: number; kind: string }[]
}

/** The words say everything; the drawing repeats it. */
function bar({ name, note, value, parts }: Bar): Markup {
  let from = 0
  return html`<li><span class="name">${name}${note === '' ? '' : html` <small>${note}</small>`}</span><span class="value">${value}</span>
<svg viewBox="0 0 100 1" preserveAspectRatio="none" aria-hidden="true" focusable="false"><rect class="track" width="100" height="1"/>${parts.map(
    ({ share, kind }) => {
      const x = from
      from += share * 100
      return share <= 0 ? '' : html`<rect class="${kind}" x="${round(x)}" width="${round(share * 100)}" height="1"/>`
    },
  )}</svg></li>`
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}

function shareOf(part: number, whole: number): string {
  return whole === 0 ? '–' : `${Math.round((part / whole) * 100)} %`
}

/** `0.4` → `0.4 s`, `75` → `1 min 15 s`. */
function showSeconds(seconds: number): string {
  if (seconds < 10) return `${Math.round(seconds * 10) / 10} s`
  const whole = Math.round(seconds)
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${whole % 60} s`
}
