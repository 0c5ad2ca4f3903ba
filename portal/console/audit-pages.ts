// The audit trail in words.
import { html } from 'hono/html'
import { AuditFilters } from '../../contract/audit.ts'
import { NAME_LENGTH_MAX } from '../../contract/limits.ts'
import { showCredits } from '../../contract/money.ts'
import { AUDIT_ACTIONS, actionWords } from '../../openapi/audit-actions.ts'
import type { Verified } from '../../plugins/audit/check-chain.ts'
import type { AuditEvent, FoundEvent } from '../../plugins/audit/store.ts'
import { alert, choice, type Markup } from '../pages/layout.ts'
import { csvRow } from './download.ts'
import { checkLink, showNumber, showStatus, showTable, showTime } from './show.ts'

export const AUDIT = '/console/audit'
export const FILTER_NAMES = Object.keys(AuditFilters.shape) as (keyof AuditFilters)[]
export type TypedFilters = { [name in keyof AuditFilters]?: string }

type AuditView = {
  events: readonly FoundEvent[]
  nextBefore: string | null
  typed: TypedFilters
  problem: string | undefined
  /** Names of the lender's people now, for what was done to them by commands that give no name. */
  people: ReadonlyMap<string, string>
  verified: Verified | null
}

export function auditBody({ events, nextBefore, typed, problem, people, verified }: AuditView): Markup {
  const query = new URLSearchParams(typed).toString()
  const isFiltered = query !== ''
  return html`<h1>Audit</h1>
<p class="lead">Sign-ins, changes and reports read, with names as they were at the time. Nothing here can be changed. Times and days are UK time.</p>
${alert(problem)}
${showVerified(verified)}
${filterForm(typed)}
<p class="row"><a href="${AUDIT}.csv?${query}">Download as CSV</a> <a href="${AUDIT}.jsonl?${query}">Download as JSON lines</a></p>
${
  events.length > 0
    ? showTable({
        label: 'Audit events, newest first',
        columns: ['Time', 'Person or program', { wide: 'Action' }, 'Object', 'From', 'Outcome'],
        rows: events.map((event) => [
          showTime(event.atMs),
          showActor(event),
          html`${actionWords(event.action)}${event.change === null ? '' : html`<br><small>${changeWords(event)}</small>`}`,
          showObject(event, people),
          event.address === null ? '' : html`<span class="address">${event.address}</span>`,
          showOutcome(event.outcome),
        ]),
      })
    : problem === undefined
      ? html`<p>${isFiltered ? `Nothing matches${nextBefore === null ? '.' : ' among the newest of these events.'}` : 'Nothing has been written down yet.'}</p>`
      : ''
}
${nextBefore === null ? '' : html`<p><a href="${AUDIT}?${new URLSearchParams({ ...typed, before: nextBefore }).toString()}">Older events</a></p>`}`
}

function showVerified(verified: Verified | null): Markup {
  if (verified === null) return html`<p class="hint">The trail has not been verified yet: that is done once a day.</p>`
  const { position, atMs, problem } = verified
  return problem === null
    ? html`<p class="hint">${showStatus('Verified', 'good')} Every event up to number ${showNumber(position)} is as it was written, checked on ${showTime(atMs)}.</p>`
    : html`<p class="hint">${showStatus('Broken', 'bad')} The check on ${showTime(atMs)} found: ${problem}. Ask the operator.</p>`
}

const OUTCOME_CHOICES = [
  ['', 'any'],
  ['done', 'done'],
  ['refused', 'refused or failed'],
] as const

function filterForm(typed: TypedFilters): Markup {
  const input = (name: keyof AuditFilters, label: string, type: 'text' | 'date') =>
    html`<div class="field"><label for="${name}">${label}</label><input class="input" id="${name}" name="${name}" type="${type}" value="${typed[name] ?? ''}" maxlength="${NAME_LENGTH_MAX}" autocomplete="off"></div>`
  const isOpen = Object.values(typed).some(Boolean)
  return html`<details class="panel"${isOpen ? html` open` : ''}><summary>Search by who, on whom, action, day or outcome</summary>
<form method="get" action="${AUDIT}" role="search" aria-label="Audit events">
  <div class="pair">
  ${input('who', 'Person or program: name, e-mail address or id', 'text')}
  ${input('object', 'On what or whom: name or id', 'text')}
  ${choice({ name: 'action', label: 'Action', chosen: typed.action ?? '', options: [['', 'everything'], ...Object.entries(AUDIT_ACTIONS)] })}
  ${input('from', 'From day', 'date')}
  ${input('to', 'To day', 'date')}
  ${choice({ name: 'outcome', label: 'Outcome', chosen: typed.outcome ?? '', options: OUTCOME_CHOICES })}
  </div>
  <div class="row"><button class="button" type="submit">Search</button> <a href="${AUDIT}">Clear the filters</a></div>
</form></details>`
}

function showActor({ actorKind, actorId, actorName, actorEmail }: AuditEvent): Markup {
  const name = actorName ?? actorId ?? ''
  const linked = (words: string) => (actorId === null ? html`${words}` : eventsLink('who', actorId, words))
  const words = {
    person: linked(name),
    client: html`API client ${linked(actorId ?? '')}${actorName === null ? '' : html`<br><small>made by ${actorName}</small>`}`,
    operator: html`Operator ${name}`,
    unknown: html`Not proven${name === '' ? '' : html`: account of ${name}`}`,
  }
  return html`${words[actorKind]}${actorEmail === null ? '' : html`<br><small class="address" title="${actorEmail}">${actorEmail}</small>`}`
}

/** The other events by the same actor, or about the same thing. */
function eventsLink(filter: 'who' | 'object', id: string, name: string): Markup {
  return html`<a href="${AUDIT}?${new URLSearchParams({ [filter]: id })}">${name}</a>`
}

/** Each line of these is about one check. */
const ABOUT_CHECKS = ['report.', 'person.export', 'person.erase']

function showObject({ action, object, objectName }: AuditEvent, people: ReadonlyMap<string, string>): Markup | string {
  if (object === null) return ''
  const isCheck = ABOUT_CHECKS.some((start) => action.startsWith(start)) && !object.includes(' ')
  if (isCheck) return checkLink(object)
  const name = objectName ?? people.get(object)
  return html`<span class="${name === undefined ? 'short' : 'long'}" title="${name ?? object}">${eventsLink('object', object, name ?? object)}</span>${name === undefined || name === object ? '' : html`<small class="short" title="${object}"><code>${object}</code></small>`}`
}

const OUTCOMES: { readonly [outcome: string]: string } = {
  done: 'Done',
  begun: 'Begun',
  failed: 'Failed',
  '400': 'Refused: not valid',
  '401': 'Refused: not signed in',
  '402': 'Refused: too few credits',
  '403': 'Refused: not allowed',
  '404': 'Refused: not found',
  '409': 'Refused: not possible as things are',
  '410': 'Refused: over',
  '413': 'Refused: too large',
  '415': 'Refused: wrong kind of content',
  '429': 'Refused: too often',
}

/** A request that changed nothing is recorded with its HTTP status. */
function outcomeWords(outcome: string): string {
  const status = Number(outcome)
  if (OUTCOMES[outcome] !== undefined || Number.isNaN(status)) return OUTCOMES[outcome] ?? outcome
  return status < 400 ? 'Done' : status < 500 ? 'Refused' : 'Failed: error of the service'
}

function showOutcome(outcome: string): Markup {
  const words = outcomeWords(outcome)
  return showStatus(words, words === 'Done' ? 'good' : words === 'Begun' ? 'waiting' : 'bad')
}

const SETTINGS: { readonly [name: string]: string } = {
  'report-hour': 'reports in an hour',
  'report-day': 'reports in a day',
  'text-hour': 'texts in an hour',
  'text-day': 'texts in a day',
  'requests-per-minute': 'requests a minute',
  name: 'name',
  credits: 'credits',
  reason: 'reason',
  found: 'checks found',
  report_price_credits: 'price of a report',
  text_price_credits: 'price of a text',
  report_retention_days: 'days that reports are kept',
  suspended_reason: 'suspended because',
}

/** `reports in an hour: £100.00 → none`, of what is not the same. */
export function changeWords({ action, change }: Pick<AuditEvent, 'action' | 'change'>): string {
  if (change === null) return ''
  const asSettings = (side: typeof change.from) => (typeof side === 'object' && side !== null ? side : null)
  const [from, to] = [asSettings(change.from), asSettings(change.to)]
  if (from === null && to === null) {
    const isMoney = action.endsWith('low-balance.set') || action.endsWith('low-balance')
    return `${valueWords(change.from, isMoney)} → ${valueWords(change.to, isMoney)}`
  }
  return [...new Set([...Object.keys(from ?? {}), ...Object.keys(to ?? {})])]
    .filter((name) => from?.[name] !== to?.[name])
    .map((name) => {
      const isMoney = /credits$|^(?:report|text)-(?:hour|day)$/.test(name)
      const [before, after] = [valueWords(from?.[name], isMoney), valueWords(to?.[name], isMoney)]
      return `${SETTINGS[name] ?? name}: ${from === null ? after : `${before} → ${after}`}`
    })
    .join('; ')
}

function valueWords(value: unknown, isMoney: boolean): string {
  if (value === null || value === undefined) return 'none'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return isMoney && typeof value === 'number' ? showCredits(value) : String(value)
}

const CSV_COLUMNS = [
  'Id',
  'Time (UTC)',
  'Kind of actor',
  'Actor',
  'Name',
  'E-mail address',
  'Action',
  'In words',
  'Object',
  'Name of the object',
  'Change',
  'Address',
  'Outcome',
  'Outcome in words',
  'Position',
  'Hash',
]

export async function* auditCsv(pages: AsyncIterable<readonly FoundEvent[]>): AsyncGenerator<string> {
  yield csvRow(CSV_COLUMNS)
  for await (const events of pages) {
    const rows = events.map((event) => {
      const { id, atMs, actorKind, actorId, actorName, actorEmail, action, object, objectName, address, outcome } =
        event
      const who = [actorKind, actorId, actorName, actorEmail]
      const what = [action, actionWords(action), object, objectName ?? null, changeWords(event)]
      const ended = [outcome, outcomeWords(outcome), event.link?.position ?? null, event.link?.hash ?? null]
      return csvRow([id, new Date(atMs).toISOString(), ...who, ...what, address, ...ended])
    })
    yield rows.join('')
  }
}
