import { html } from 'hono/html'
import type { StatementItem } from '../../contract/statement.ts'
import { dateFormat } from '../../kit/date-format.ts'
import { londonTime } from '../../kit/london.ts'
import type { BookedLine, DaySum, MonthTotals } from '../../plugins/statement/statement.ts'
import type { Markup } from '../pages/layout.ts'
import { csvRow } from './download.ts'
import { checkLink, showMoney, showNumber, showTable, showTime } from './show.ts'

export const STATEMENT = '/console/money/statement'

const ITEMS: Record<StatementItem, { one: string; many: string }> = {
  'top-up': { one: 'Top-up', many: 'Top-ups' },
  report: { one: 'Report', many: 'Reports' },
  match: { one: 'Match of person and number', many: 'Matches of person and number' },
  text: { one: 'Text', many: 'Texts' },
  'given-back': { one: 'Given back', many: 'Given back for missing agencies' },
  correction: { one: 'Correction', many: 'Corrections' },
}

function wordsOf({ item, agencies, reason }: BookedLine): string {
  const { one } = ITEMS[item]
  if (item === 'given-back' && agencies) return `${one}: ${agencies.delivered} of ${agencies.asked} agencies answered`
  return reason === null ? one : `${one}: ${reason}`
}

const monthName = dateFormat({ month: 'long', year: 'numeric', timeZone: 'UTC' })
export const nameOfMonth = (month: string) => monthName(Date.parse(`${month}-01`))
const dayName = dateFormat({ weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' })

type StatementView = {
  lender: string
  totals: MonthTotals
  /** The month is not over. */
  isOpen: boolean
  months: readonly string[]
  lines: readonly BookedLine[]
  /** The last line shown, when there are later ones. */
  next: string | null
}

export function statementBody({ lender, totals, isOpen, months, lines, next }: StatementView): Markup {
  const { month, openingCredits, closingCredits, heldCredits, items, days } = totals
  const name = nameOfMonth(month)
  const linesOfMonth = items.reduce((sum, { lines: many }) => sum + many, 0)
  return html`<p><a href="/console/money">Money</a></p>
<h1>Statement, ${name}</h1>
<p class="lead">${lender}. From 1 ${name}, 00:00, ${isOpen ? 'until now' : 'to the end of the month'}. All times are UK times.</p>
${showTable({
  label: `Summary of ${name}`,
  columns: [{ wide: 'Item' }, { number: 'Lines' }, { number: 'Amount' }],
  rows: [
    ['Opening balance', '', showMoney(openingCredits)],
    ...items.map(({ item, lines: many, credits }) => [
      ITEMS[item].many,
      showNumber(many),
      showMoney(credits, { isSigned: true }),
    ]),
  ],
  foot: [isOpen ? 'Balance now' : 'Closing balance', '', showMoney(closingCredits)],
})}
<p class="hint">${heldCredits === 0 ? '' : html`The balance includes ${showMoney(heldCredits)} held for checks in progress. `}A hold that was given back is no charge and has no line.</p>
<p><a class="button" href="${STATEMENT}.csv?month=${month}">Download every line (CSV)</a></p>
${days.length === 0 ? '' : dayTable(days, openingCredits)}
${
  lines.length === 0
    ? html`<p>There is no line in this month.</p>`
    : showTable({
        // Paper has no link to the others.
        title:
          lines.length < linesOfMonth
            ? `${showNumber(lines.length)} of ${showNumber(linesOfMonth)} lines, oldest first`
            : 'Lines, oldest first',
        label: `Lines of ${name}`,
        columns: [{ wide: 'Item' }, { number: 'Amount' }, 'Time', { wide: 'Your reference' }, 'Check'],
        rows: lines.map((line) => [
          wordsOf(line),
          showMoney(line.credits, { isSigned: true }),
          showTime(line.createdAtMs),
          line.externalReference ?? '',
          line.creditReportId === null ? '' : checkLink(line.creditReportId),
        ]),
      })
}
${lines.length < linesOfMonth ? html`<p class="hint">The CSV has every line of the month.</p>` : ''}
${next === null ? '' : html`<p><a href="${STATEMENT}?month=${month}&amp;after=${encodeURIComponent(next)}">Later lines</a></p>`}
${monthLinks(months, month)}`
}

function dayTable(days: readonly DaySum[], openingCredits: number): Markup {
  let balance = openingCredits
  return showTable({
    title: 'By day',
    label: 'By day',
    columns: [{ wide: 'Day' }, { number: 'Lines' }, { number: 'Spent' }, { number: 'Balance at its end' }],
    rows: days.map(({ day, lines, credits, spentCredits }) => {
      balance += credits
      return [dayName(Date.parse(day)), showNumber(lines), showMoney(spentCredits), showMoney(balance)]
    }),
  })
}

export function monthLinks(months: readonly string[], current?: string): Markup | '' {
  if (months.length === 0) return ''
  return html`<nav aria-label="Statements"><h2>Statements</h2><ul class="stack">${months.map(
    (month) =>
      html`<li><a href="${STATEMENT}?month=${month}"${month === current ? html` aria-current="page"` : ''}>${nameOfMonth(month)}</a></li>`,
  )}</ul></nav>`
}

/** Each line with the balance after it. The last row says that nothing is missing. */
export async function* statementCsv(
  { month, openingCredits }: MonthTotals,
  pages: AsyncIterable<readonly BookedLine[]>,
): AsyncGenerator<string> {
  let balance = openingCredits
  const balanceRow = (what: string) =>
    csvRow(['', `${what} ${month}`, '', '', null, null, { credits: balance }, balance])
  const names = ['Time (UK)', 'Item', 'Check', 'Your reference', 'Pounds', 'Credits']
  yield csvRow([...names, 'Balance in pounds', 'Balance in credits']) + balanceRow('Opening balance')
  for await (const lines of pages) {
    const rows = lines.map((line) => {
      balance += line.credits
      const { createdAtMs, creditReportId, externalReference, credits } = line
      const about = [sortableTime(createdAtMs), wordsOf(line), creditReportId, externalReference]
      return csvRow([...about, { credits }, credits, { credits: balance }, balance])
    })
    yield rows.join('')
  }
  yield balanceRow('Closing balance')
}

/** `2026-11-17 10:00:00`, as spreadsheets read it. */
const sortableTime = (timeMs: number) => londonTime(timeMs).slice(0, 'YYYY-MM-DDTHH:MM:SS'.length).replace('T', ' ')
