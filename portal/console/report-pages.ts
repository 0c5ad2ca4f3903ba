// The report itself, for an owner who said why. Everything here is about the consumer: it is shown once and never
// cached.

import { html } from 'hono/html'
import { readAccountStatus } from '../../contract/account-status.ts'
import { agencyOf } from '../../contract/agencies.ts'
import type { AccountRecord, CreditReport, Residency } from '../../contract/credit-report.ts'
import { ENDING_WORDS } from '../../contract/ending-words.ts'
import { type Money, showPence } from '../../contract/money.ts'
import { splitWords } from '../../contract/plain-words.ts'
import { spacedReference } from '../../contract/short-reference.ts'
import { dateFormat } from '../../kit/date-format.ts'
import type { GivenOut } from '../../plugins/people/people.ts'
import type { NoContent } from '../../service/check/read-report.ts'
import { alert, field, type Markup } from '../pages/layout.ts'
import type { Visit } from './frame.ts'
import { showMinute, showStatus, showTable, showTime, type Tone } from './show.ts'

export const REASON_LENGTH = { min: 3, max: 200 }

type ReasonView = Pick<Visit, 'press'> & { creditReportId: string; typed?: string; problem?: string | undefined }

export function reasonBody({ creditReportId, typed = '', problem, press }: ReasonView): Markup {
  const path = `/console/checks/${creditReportId}`
  return html`<p><a href="${path}">Check ${spacedReference(creditReportId)}</a></p>
<h1>Open the report</h1>
<p class="lead">It is one person’s credit file. Your name and your reason are written to the audit trail before you see it.</p>
<form class="panel" method="post" action="${path}/report">
  ${field({ name: 'reason', label: 'Why do you need to see it?', autocomplete: 'off', hint: 'For example: complaint 4711, balance disputed. Nothing about the consumer: no name, date of birth or address.', lengthMax: REASON_LENGTH.max, value: typed, error: problem })}
  ${press()}<div class="row"><button class="button" type="submit">Open the report</button> <a href="${path}">Cancel</a></div>
</form>`
}

/** Null for a reason that the audit trail may hold: long enough, and nothing in it about the person. */
export function problemOfReason(reason: string, { person, residencies }: CreditReport): string | null {
  const { min, max } = REASON_LENGTH
  if (reason.length < min || reason.length > max) return `Type a reason of ${min} to ${max} characters.`
  const postcodes = residencies.flatMap(({ address }) => address.ukAddress.postcode ?? [])
  const [year = '', month = '', date = ''] = person.dateOfBirth.split('-')
  const birth = [person.dateOfBirth, `${date}/${month}/${year}`, showDate(person.dateOfBirth)]
  const isNamed = wordsOf(reason).includes(wordsOf(person.lastName)) && person.lastName.trim() !== ''
  const squashed = squash(reason)
  const isTold = [...postcodes, ...birth].some((value) => value !== '' && squashed.includes(squash(value)))
  return isNamed || isTold || reason.includes('@') || PHONE.test(squashed)
    ? 'Leave out everything about the consumer: name, date of birth, address, phone number. Give your own reference instead.'
    : null
}

const PHONE = /(?:44|0)7\d{9}/

/** For comparing whole words, whatever is between them. */
function wordsOf(text: string): string {
  return ` ${text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `
}

function squash(text: string): string {
  return wordsOf(text).replaceAll(' ', '')
}

const NO_CONTENT: Record<NoContent, string> = {
  erased: 'The report was erased. Nothing about the consumer is stored any more.',
  'not complete': 'There is no report: this check has not been completed.',
  closed: 'The report is no longer kept: its time is over.',
}

export function noReportBody(creditReportId: string, why: NoContent): Markup {
  return html`<p><a href="/console/checks/${creditReportId}">Check ${spacedReference(creditReportId)}</a></p>
<h1>No report to open</h1>
<p class="lead">${NO_CONTENT[why]}</p>`
}

type ReportView = { creditReportId: string; report: CreditReport; test: boolean }

export function reportBody({ creditReportId, report, test }: ReportView): Markup {
  return html`<p><a href="/console/checks/${creditReportId}">Check ${spacedReference(creditReportId)}</a></p>
<h1>Credit report</h1>
<p class="lead">Confidential: one person’s credit file. It is shown this once; to see it again, say why again.</p>
${notRealMark(test, report)}
${reportContent(report, (title) => html`<h2>${title}</h2>`)}`
}

function notRealMark(test: boolean, report?: Pick<CreditReport, 'simulated'>): Markup | '' {
  if (!test && !report?.simulated) return ''
  return html`<p class="row">${showStatus(test ? 'Test: not about a real person' : 'Simulated: not about a real person', 'neutral')}</p>`
}

type Heading = (title: string) => Markup

function reportContent(
  { person, residencies, consumerData, previousSearches }: CreditReport,
  heading: Heading,
): Markup {
  const searches = previousSearches.providers.flatMap(({ companyName, records }) =>
    records.map(({ date }) => [companyName, showDate(date)]),
  )
  const searchesTable =
    searches.length === 0 ? null : showTable({ label: 'Searches', columns: [{ wide: 'By' }, 'Date'], rows: searches })
  return html`<dl class="facts">
  <dt>Name</dt><dd>${[person.title, person.firstName, person.lastName].filter(Boolean).join(' ')}</dd>
  <dt>Date of birth</dt><dd>${showDate(person.dateOfBirth)}</dd>
</dl>
${section(heading('Accounts'), accountsTable(consumerData.records))}
${section(heading('Addresses'), addressesTable(residencies))}
${section(heading('Searches'), searchesTable)}`
}

type ConsumerDataView = { lender: string; given: readonly GivenOut[]; hasMore: boolean; nowMs: number }

/** All that is held about one person, in words for that person. */
export function consumerDataBody({ lender, given, hasMore, nowMs }: ConsumerDataView): Markup {
  return html`<h1>Your credit checks</h1>
<p class="lead">The data that the credit checking service holds about you for ${lender}, on ${showMinute(nowMs)}. Times are UK times.</p>
<p class="hint no-print">Print this page, or save it as a PDF, and send it to the person it is about. Each check below is in the audit trail.</p>
${hasMore ? alert(`These are the newest ${given.length} checks. The file has all of them.`) : ''}
${given.length === 0 ? html`<p>Nothing is held.</p>` : given.map(checkContent)}`
}

function checkContent({
  creditReportId,
  status,
  reason,
  externalReference,
  test,
  agencies,
  createdAt,
  creditReport,
}: GivenOut): Markup {
  const outcome = status === 'complete' ? ENDING_WORDS.complete : reason && ENDING_WORDS[reason]
  return html`<section><h2>Check <span translate="no">${spacedReference(creditReportId)}</span></h2>
${notRealMark(test, creditReport)}
<dl class="facts">
  <dt>Asked for</dt><dd>${showTime(Date.parse(createdAt))}</dd>
  <dt>Outcome</dt><dd>${outcome?.toConsumer ?? 'It is not over yet.'}</dd>
  ${externalReference === undefined ? '' : html`<dt>The lender’s reference</dt><dd>${externalReference}</dd>`}
  ${agencies === undefined ? '' : html`<dt>Agencies</dt><dd>${agencies.map(({ id }) => agencyOf(id).name).join(', ')}</dd>`}
</dl>
${creditReport === undefined ? html`<p>No credit report is held${status === 'complete' ? ' any more' : ''}.</p>` : reportContent(creditReport, (title) => html`<h3>${title}</h3>`)}</section>`
}

function section(heading: Markup, table: Markup | null): Markup {
  return html`${heading}
${table ?? html`<p class="lead">None on file.</p>`}`
}

function accountsTable(records: readonly AccountRecord[]): Markup | null {
  if (records.length === 0) return null
  return showTable({
    label: 'Accounts',
    columns: [{ wide: 'Account' }, 'Status', { number: 'Balance' }, { number: 'Payment' }, 'Since', 'Agencies'],
    rows: records.map((record) => [
      html`${record.companyName}<br><small>${splitWords(record.accountType)} ${record.accountNumber}</small>`,
      accountStatus(record.accountStatus),
      html`${money(record.balance)}${record.startBalance.amount > 0 ? html`<br><small>of ${money(record.startBalance)}</small>` : ''}`,
      money(record.payment),
      showDate(record.startDate),
      agenciesOf(record),
    ]),
  })
}

function accountStatus(given: string): Markup {
  const { words, standing, isLate } = readAccountStatus(given)
  const tone: Tone = isLate || standing === 'ended' ? 'bad' : standing === 'unclear' ? 'neutral' : 'good'
  return showStatus(words === '' ? 'Not stated' : words.charAt(0).toUpperCase() + words.slice(1), tone)
}

/** The agencies that know the account, and their differences in balance or status. */
function agenciesOf({ bureaus }: AccountRecord): Markup {
  return html`${bureaus.map(({ id, differs }, index) => {
    const other = [
      differs?.balance && `balance ${showAmount(differs.balance)}`,
      differs?.accountStatus && readAccountStatus(differs.accountStatus).words,
    ].filter(Boolean)
    return html`${index === 0 ? '' : ', '}${agencyOf(id).name}${other.length === 0 ? '' : ` (says ${other.join(', ')})`}`
  })}`
}

function addressesTable(residencies: readonly Residency[]): Markup | null {
  if (residencies.length === 0) return null
  return showTable({
    label: 'Addresses',
    columns: [{ wide: 'Address' }, 'Time there', 'Current'],
    rows: residencies.map(({ address, yearsAtAddress, monthsAtAddress, isCurrent }) => [
      address.lines.length > 0 ? address.lines.join(', ') : address.addressLine1,
      `${count(yearsAtAddress, 'year')} ${count(monthsAtAddress, 'month')}`,
      isCurrent ? 'Yes' : 'No',
    ]),
  })
}

function count(value: number, word: string): string {
  return `${value} ${word}${value === 1 ? '' : 's'}`
}

function money(amount: Money): Markup {
  return html`<span class="money">${showAmount(amount)}</span>`
}

/** A currency that no one knows is shown as it came. */
function showAmount({ amount, currency }: Money): string {
  return /^[A-Z]{3}$/.test(currency) ? showPence(amount, currency) : `${amount} ${currency}`
}

const day = dateFormat({ day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' })

/** A value that is no date is shown as it came. */
function showDate(given: string): string {
  const timeMs = /^\d{4}-\d{2}-\d{2}/.test(given) ? Date.parse(given.slice(0, 10)) : Number.NaN
  return Number.isNaN(timeMs) ? given : day(timeMs)
}
