// A lender's checks in a day, a week, a month or the last days, and their cost.

import { html } from 'hono/html'
import { ENDED_WORDS, nameOfEnding } from '../../contract/ending-words.ts'
import { showCredits } from '../../contract/money.ts'
import { ENDED_STATUSES, type Ending } from '../../contract/report-list.ts'
import { type DayEnds, type FormStep, type FUNNEL_STEPS, REFUSAL_WORDS, type Wait } from '../../contract/stats.ts'
import type { LinkCounts } from '../../hosted/links.ts'
import type { Days } from '../../kit/london.ts'
import type { Spend } from '../../plugins/limits/spend-caps.ts'
import type { SpendRate } from '../../plugins/statement/statement.ts'
import type { Figures } from '../../plugins/stats/read-stats.ts'
import type { Markup } from '../pages/layout.ts'
import { PURPOSE_WORDS } from './cap-pages.ts'
import { bar, drawColumns, picture, shareOf, showSeconds } from './charts.ts'
import { type Mode, showModeSwitch, showMoney, showNumber, showTable } from './show.ts'
import { STATEMENT } from './statement-pages.ts'
import { BYS, type By, type Period, unitOf } from './today-periods.ts'
import { figure, showDaysLeft } from './wallet-pages.ts'

export type TodayView = {
  by: By
  mode: Mode
  period: Period
  figures: Figures
  /** The same of the period before. */
  before: Figures
  /** The endings of checks in each period of the chart, oldest first; the last one is this period. */
  columns: readonly Column[]
  /** Null in test mode, where nothing costs anything. */
  money: Money | null
  /** Of the links made in the period. */
  linkCounts: LinkCounts
  /** There never was a check in this mode. */
  isNew: boolean
}

type Column = DayEnds & Days & { name: string; spentCredits: number }

export type Money = {
  /** In the period, and in the one before. */
  spentCredits: number
  spentBeforeCredits: number
  /** As it is at this moment; null for a period that is over. */
  now: { balanceCredits: number; spend: readonly Spend[]; rate: SpendRate } | null
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
<div class="row between">
  <p class="lead">${period.isOpen ? 'So far. ' : ''}Each check belongs to the day it was asked for. Days are UK days.</p>
  <p class="row">
    <a href="${linkOf({ by, mode, at: period.before })}">${PLAIN_WORDS[by]} before</a>
    ${period.after === null ? '' : html`<a href="${linkOf({ by, mode, at: period.after })}">${PLAIN_WORDS[by]} after</a>`}
  </p>
</div>
${isNew ? welcome(mode) : figureCards(view)}
${isNew ? html`<div class="charts">${linksPicture(view)}</div>` : pictures(view)}
${money?.now ? moneyPanel(money.now) : ''}`
}

const NOW_WORDS: Partial<Record<By, string>> = { day: 'Today', week: 'This week', month: 'This month' }

/** The period by name; one that is not over by what people call it, too. */
export function headingOf({ by, period }: Pick<TodayView, 'by' | 'period'>): string {
  const now = period.isOpen ? NOW_WORDS[by] : undefined
  return now === undefined ? period.name : `${now}, ${period.name}`
}

const BY_WORDS: Record<By, string> = {
  day: 'Day',
  week: 'Week',
  month: 'Month',
  'last-7': '7 days',
  'last-28': '28 days',
  'last-90': '90 days',
}
const PLAIN_WORDS: Record<By, string> = {
  day: 'The day',
  week: 'The week',
  month: 'The month',
  'last-7': 'The 7 days',
  'last-28': 'The 28 days',
  'last-90': 'The 90 days',
}

/** The checks behind a figure, in the list. */
function checksLink(mode: Mode, { from, to }: Days, filters: { status?: string; reason?: string } = {}): string {
  return `/console/checks?${new URLSearchParams({ mode, ...filters, from, to })}`
}

function linkOf({ by, mode, at }: { by: By; mode: Mode; at?: string }): string {
  return `/console?by=${by}${mode === 'live' ? '' : `&mode=${mode}`}${at === undefined ? '' : `&at=${at}`}`
}

function welcome(mode: Mode): Markup {
  return html`<section class="panel" aria-labelledby="first">
  <h2 id="first">${mode === 'live' ? 'No check has been made yet' : 'No test check has been made yet'}</h2>
  <p>Once your first consumer fills in the form, this page shows the steps that consumers reach, the outcomes of checks, texts delivered and waiting times.</p>
  <ul>
    <li><a href="/docs">Read the API reference</a> and make a test check: it costs nothing.</li>
    ${mode === 'live' ? html`<li><a href="/console?mode=test">See your test checks</a></li>` : ''}
  </ul>
</section>`
}

function figureCards({ by, mode, period, figures, before, money }: TodayView): Markup {
  const earlier = `${PLAIN_WORDS[by].toLowerCase()} before`
  const asked = (of: Figures) => stepOf(of, 'asked').count
  const done = (of: Figures) => stepOf(of, 'complete').count
  const wait = figures.waiting.find(({ what }) => what === 'generate')
  return html`<dl class="figures brief">
  <div><dt>Checks</dt><dd><a href="${checksLink(mode, period)}">${showNumber(asked(figures))}</a></dd><dd>${showNumber(asked(before))} ${earlier}</dd></div>
  <div><dt>Reports</dt><dd><a href="${checksLink(mode, period, { status: 'complete' })}">${showNumber(done(figures))}</a></dd><dd>${shareOf(done(figures), asked(figures))} of the checks; ${showNumber(done(before))} ${earlier}</dd></div>
  ${money === null ? '' : html`<div><dt>Spent</dt><dd><a href="${statementLink(period)}">${showCredits(money.spentCredits)}</a></dd><dd>${showCredits(money.spentBeforeCredits)} ${earlier}</dd></div>`}
  <div><dt>Wait for an answer</dt><dd>${wait?.p50Ms === undefined ? '–' : showSeconds(wait.p50Ms / 1000)}</dd><dd>${wait?.p95Ms === undefined ? 'no check yet' : `19 of 20 within ${showSeconds(wait.p95Ms / 1000)}`}</dd></div>
  <div><dt>Texts delivered</dt><dd>${shareOf(figures.texts.delivered, textsOf(figures))}</dd><dd>${showNumber(figures.texts.delivered)} of ${showNumber(textsOf(figures))}</dd></div>
</dl>`
}

/** Texts that were tried: what the gateway took, and what it refused at once. */
function textsOf({ texts: { accepted, delivered, undelivered } }: Figures): number {
  return Math.max(accepted, delivered + undelivered)
}

function pictures(view: TodayView): Markup {
  const { figures, money } = view
  return html`<div class="charts">
${formPicture(figures)}
${funnelPicture(view)}
${columnsPicture(view)}
${money === null ? '' : spendPicture(view)}
${endsPicture(view)}
${textsPicture(figures)}
${waitingPicture(figures)}
${linksPicture(view)}
</div>`
}

/** Their checks are in every other picture too. */
function linksPicture({ linkCounts }: TodayView): Markup | '' {
  const { made, opened, begun, complete } = linkCounts
  if (made === 0) return ''
  return stepsPicture({
    title: 'Links by step',
    hint: 'Of the links made in these days. Their checks are counted above as well.',
    counted: 'Links',
    steps: [
      { name: 'Made', href: '/console/links', count: made },
      { name: 'Opened', count: opened },
      { name: 'Check begun', count: begun },
      { name: 'Report', count: complete },
    ],
  })
}

const FORM_WORDS: Record<FormStep, string> = {
  details: 'First step seen',
  address: 'Details given',
  answers: 'Address given',
  sending: 'Answers sent',
}

function formPicture({ form }: Figures): Markup {
  const title = 'Form by step'
  if (form.length === 0)
    return html`<section class="chart"><h2>${title}</h2>
  <p class="hint">Not known: your page does not report the steps of its form, or no one has opened it.</p></section>`
  return stepsPicture({
    title,
    counted: 'Consumers',
    steps: form.map(({ step, ...reached }) => ({ ...reached, name: FORM_WORDS[step] })),
  })
}

type Steps = {
  title: string
  hint?: string
  counted: string
  /** `skipped`: those of `count` that came past the step without it. */
  steps: readonly {
    name: string
    href?: string | undefined
    count: number
    seconds?: number | undefined
    skipped?: number
  }[]
}

function stepsPicture({ title, hint = '', counted, steps }: Steps): Markup {
  const most = Math.max(1, ...steps.map(({ count }) => count))
  return picture({
    title,
    hint,
    drawing: html`<ol class="bars">${steps.map(({ name, href, count, seconds, skipped = 0 }) =>
      bar({
        name,
        href,
        note: seconds === undefined ? '' : `after ${showSeconds(seconds)}`,
        value: showNumber(count),
        parts: [
          { share: (count - skipped) / most, kind: 'main' },
          { share: skipped / most, kind: 'pale' },
        ],
      }),
    )}</ol>`,
    table: showTable({
      label: title,
      columns: ['Step', { number: counted }, { number: 'Of the first' }, { number: 'Seconds from the step before' }],
      rows: steps.map(({ name, count, seconds }) => [
        name,
        showNumber(count),
        shareOf(count, steps[0]?.count ?? 0),
        seconds === undefined ? '–' : showNumber(seconds),
      ]),
    }),
  })
}

type Step = (typeof FUNNEL_STEPS)[number]

const STEP_WORDS: Record<Step, string> = {
  asked: 'Asked for',
  'code-sent': 'Code sent, or none needed',
  'code-right': 'Code right, or none needed',
  complete: 'Report',
}

function stepOf({ funnel }: Figures, step: Step): Figures['funnel'][number] {
  return funnel.find((each) => each.step === step) ?? { step, count: 0 }
}

function funnelPicture({ figures: { funnel, withoutCode }, mode, period }: TodayView): Markup {
  const more: { readonly [step in Step]: { href: string } | { skipped: number } } = {
    asked: { href: checksLink(mode, period) },
    'code-sent': { skipped: withoutCode },
    'code-right': { skipped: withoutCode },
    complete: { href: checksLink(mode, period, { status: 'complete' }) },
  }
  return stepsPicture({
    title: 'Checks by step',
    hint: withoutCode > 0 ? `${showNumber(withoutCode)} needed no code: the paler part of a bar.` : '',
    counted: 'Checks',
    steps: funnel.map(({ step, ...reached }) => ({ ...reached, ...more[step], name: STEP_WORDS[step] })),
  })
}

const isUnfinished = ({ period, columns }: TodayView, column: Column) => period.isOpen && column === columns.at(-1)
const tableName = (view: TodayView, column: Column) =>
  isUnfinished(view, column) ? `${column.name}, so far` : column.name

function columnsPicture(view: TodayView): Markup {
  const { by, mode, period, columns } = view
  const unit = unitOf(by)
  const title = `Checks by ${unit}`
  return picture({
    title,
    isWide: true,
    drawing: html`<p class="legend">${ENDED_STATUSES.map((kind) => html`<span><svg viewBox="0 0 1 1" aria-hidden="true" focusable="false"><rect class="${kind}" width="1" height="1"/></svg>${ENDED_WORDS[kind]}</span>`)}${period.isOpen ? html`<span class="minor">The paler last column is not over yet.</span>` : ''}</p>
${drawColumns(
  columns.map((column) => ({
    name: column.name,
    isOpen: isUnfinished(view, column),
    parts: ENDED_STATUSES.map((status) => ({
      value: column[status],
      kind: status,
      href: checksLink(mode, column, { status }),
      says: `${showNumber(column[status])} ${ENDED_WORDS[status].toLowerCase()}`,
    })),
  })),
  showNumber,
)}`,
    table: showTable({
      label: title,
      columns: [BY_WORDS[unit], ...ENDED_STATUSES.map((kind) => ({ number: ENDED_WORDS[kind] }))],
      rows: columns
        .map((column) => [
          tableName(view, column),
          ...ENDED_STATUSES.map((status) => {
            const count = column[status]
            return count === 0
              ? '0'
              : html`<a href="${checksLink(mode, column, { status })}">${showNumber(count)}<span class="unseen"> ${ENDED_WORDS[status].toLowerCase()}, ${column.name}</span></a>`
          }),
        ])
        .toReversed(),
    }),
  })
}

/** The statement of the month in which the days begin. */
function statementLink({ from }: Days): string {
  return `${STATEMENT}?month=${from.slice(0, 'YYYY-MM'.length)}`
}

function spendPicture(view: TodayView): Markup {
  const { by, columns } = view
  const unit = unitOf(by)
  const title = `Spent by ${unit}`
  return picture({
    title,
    isWide: true,
    hint: 'Reports, matches and texts, on the day they were charged, less what was given back.',
    drawing: drawColumns(
      columns.map((column) => ({
        name: column.name,
        isOpen: isUnfinished(view, column),
        parts: [
          {
            value: column.spentCredits,
            kind: 'main',
            href: statementLink(column),
            says: showCredits(column.spentCredits),
          },
        ],
      })),
      showCredits,
    ),
    table: showTable({
      label: title,
      columns: [BY_WORDS[unit], { number: 'Spent' }],
      rows: columns
        .map((column) => [
          tableName(view, column),
          html`<a href="${statementLink(column)}">${showCredits(column.spentCredits)}<span class="unseen">, ${column.name}</span></a>`,
        ])
        .toReversed(),
    }),
  })
}

const TURNED_AWAY_WORDS = { funds: 'too few credits', 'spend-cap': 'a spend cap' }

function endsPicture({ figures: { ends, turnedAway }, mode, period }: TodayView): Markup {
  const total = ends.reduce((sum, { count }) => sum + count, 0)
  const most = Math.max(1, ...ends.map(({ count }) => count))
  const sorted = ends.toSorted((one, other) => other.count - one.count)
  const linkOfEnd = (end: Ending) => checksLink(mode, period, end === 'complete' ? { status: end } : { reason: end })
  const refused = turnedAway.map(({ reason, count }) => `${showNumber(count)} for ${TURNED_AWAY_WORDS[reason]}`)
  return picture({
    title: 'Checks by outcome',
    hint: refused.length === 0 ? '' : `Turned away before they were a check: ${refused.join(', ')}.`,
    drawing:
      total === 0
        ? html`<p class="hint">None has ended.</p>`
        : html`<ul class="bars">${sorted.map(({ end, count }) =>
            bar({
              name: nameOfEnding(end),
              href: linkOfEnd(end),
              note: shareOf(count, total),
              value: showNumber(count),
              parts: [{ share: count / most, kind: end === 'complete' ? 'complete' : 'other' }],
            }),
          )}</ul>`,
    table: showTable({
      label: 'Checks by outcome',
      columns: ['End', { number: 'Checks' }, { number: 'Share' }],
      rows: sorted.map(({ end, count }) => [nameOfEnding(end), showNumber(count), shareOf(count, total)]),
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
  generate: 'For the answer to the details',
  agencies: 'For the agencies alone',
}

function waitingPicture({ waiting }: Figures): Markup {
  const most = Math.max(1, ...waiting.map(({ p95Ms = 0 }) => p95Ms))
  return picture({
    title: 'Waiting times',
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
      label: 'Waiting times',
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

function moneyPanel({ balanceCredits, spend, rate }: NonNullable<Money['now']>): Markup {
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
  <h2 id="money">Money now</h2>
  <dl class="figures">${figure('Balance', showMoney(balanceCredits))}${figure('Lasts for', showDaysLeft(balanceCredits, rate))}</dl>
  ${capped.length === 0 ? html`<p class="hint">No spend cap is set.</p>` : html`<ul class="bars">${capped.map(barOf)}</ul>`}
  <p><a href="/console/money">Every movement of credits</a></p>
</section>`
}

const NEAR_CAP = 0.8
