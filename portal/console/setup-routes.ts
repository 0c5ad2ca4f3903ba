// The console's page about a lender's set-up, as the service sees it.
import type { Hono } from 'hono'
import { html } from 'hono/html'
import { DOCTOR_FINDINGS } from '../../contract/doctor.ts'
import { type Clock, DAY_MS, HOUR_MS } from '../../kit/clock.ts'
import type { Refusals } from '../../plugins/refusals/refusals.ts'
import { isOlder, type SeenVersion } from '../../plugins/stats/versions.ts'
import type { ServiceEnv } from '../../service/http/context.ts'
import type { Markup } from '../pages/layout.ts'
import { type Finding, type FindingCode, findSetUp, readSetUp, type SetUpFacts, type SetUpOptions } from './findings.ts'
import type { Visits } from './page-context.ts'
import { showMinute, showNumber, showStatus, showTable, showTime, type Tone } from './show.ts'

const path = '/console/setup'

export type SetUpPageOptions = SetUpOptions & { refusals: Refusals | undefined; clock: Clock; visits: Visits }

export function setUpPageRoutes({ clock, visits, refusals, ...options }: SetUpPageOptions): Hono<ServiceEnv> {
  const { show, choose, tenantPages } = visits
  const { routes, get } = tenantPages()

  get(path, async (context, visit) => {
    const facts = await readSetUp(options, visit.tenant.id, clock())
    if (facts === null) return choose(context, visit)
    return show(context, visit, {
      path,
      title: 'Set-up',
      body: setUpBody(facts, (await refusals?.list(visit.tenant.id)) ?? null),
    })
  })

  return routes
}

const LEVEL: Record<Finding['level'], [word: string, tone: Tone]> = {
  problem: ['Problem', 'bad'],
  advice: ['Advice', 'neutral'],
}

/** The address of its remedy; null: none here. */
const PLACE: Record<FindingCode, [href: string, name: string] | null> = {
  suspended: null,
  'balance-empty': ['/console/money', 'Money'],
  'balance-low': ['/console/money', 'Money'],
  'no-client': ['/console/clients', 'API clients'],
  'secret-ends': ['/console/clients', 'API clients'],
  'secret-in-use': ['/console/clients', 'API clients'],
  'webhook-failing': ['/console/webhooks', 'Webhooks'],
  'no-webhook': ['/console/webhooks', 'Webhooks'],
  'no-live-check': null,
  'no-low-balance-alert': ['/console/money', 'Money'],
  'no-match-provider': null,
  'newer-version': null,
}

type Refused = Awaited<ReturnType<Refusals['list']>>

/** `refused`: null where the service keeps none. */
function setUpBody(facts: SetUpFacts, refused: Refused | null): Markup {
  const findings = findSetUp(facts)
  return html`<h1>Set-up</h1>
<p class="lead">The state of your integration as the service sees it, with advice.</p>
${findings.length === 0 ? html`<p>${showStatus('Nothing to do', 'good')}</p>` : findingsTable(findings)}
${refused === null ? '' : refusedCalls(refused, facts.nowMs)}
<h2>From your server</h2>
<p class="hint">The findings of the proxy’s doctor. It runs at the first request outside production, and when you call <code>proxy.doctor()</code>.</p>
${facts.doctor.length === 0 ? html`<p class="lead">The doctor has not reported yet.</p>` : doctorTable(facts.doctor)}
<h2>Versions seen</h2>
<p class="hint">Of the last 90 days, to the hour. The proxy is the package on your server; the widget is in your pages.</p>
${facts.versions.length === 0 ? html`<p class="lead">No check has named a version yet.</p>` : versionsTable(facts)}`
}

/** Counted in hours: a deploy that breaks calls shows in the hour it was made. */
function refusedCalls({ refusals, hours }: Refused, nowMs: number): Markup {
  const head = html`<h2>Refused calls</h2>
<p class="hint">Calls of your API clients that got an error, by code. Nothing of their bodies is kept; test mode’s played errors are left out.</p>`
  if (refusals.length === 0) return html`${head}<p>${showStatus('None in the last 30 days', 'good')}</p>`
  const since = (ms: number) => hours.filter(({ hourMs }) => hourMs + HOUR_MS > nowMs - ms)
  const sum = (of: typeof hours) => of.reduce((total, { count }) => total + count, 0)
  const codes = [...new Set(hours.map(({ code }) => code))]
  return html`${head}
${showTable({
  label: 'Refused calls by code',
  columns: ['Code', { number: 'Last hour' }, { number: 'Last 24 hours' }, { number: 'Last 7 days' }],
  rows: codes.map((code) => [
    html`<code>${code}</code>`,
    ...[HOUR_MS, DAY_MS, 7 * DAY_MS].map((ms) => showNumber(sum(since(ms).filter((each) => each.code === code)))),
  ]),
})}
<details><summary>The newest ${showNumber(refusals.length)}</summary>
${showTable({
  label: 'The newest refused calls',
  columns: ['Time', { wide: 'Call' }, { number: 'Status' }, 'Code', 'API client', 'Request id'],
  rows: refusals.map(({ atMs, method, route, status, code, clientId, requestId }) => [
    showTime(atMs),
    html`<code>${method} ${route}</code>`,
    String(status),
    html`<code>${code}</code>`,
    html`<code>${clientId}</code>`,
    html`<code>${requestId}</code>`,
  ]),
})}</details>`
}

function findingsTable(findings: readonly Finding[]): Markup {
  return showTable({
    label: 'Findings',
    columns: ['Level', 'Finding', 'Page'],
    rows: findings.map(({ code, level, says, atMs }) => {
      const place = PLACE[code]
      return [
        showStatus(...LEVEL[level]),
        html`${says}${atMs === undefined ? '' : html` (${showMinute(atMs)})`}`,
        place === null ? '' : html`<a href="${place[0]}">${place[1]}</a>`,
      ]
    }),
  })
}

function doctorTable(reports: SetUpFacts['doctor']): Markup {
  return showTable({
    label: 'From your server',
    columns: ['Level', 'Finding', 'Mode', 'Time'],
    rows: reports.flatMap(({ test, findings, reportedAtMs }) => {
      const place = [test ? 'Test' : 'Live', showMinute(reportedAtMs)]
      if (findings.length === 0) return [[showStatus('Good', 'good'), 'The doctor found nothing wrong.', ...place]]
      return findings.map((code) => [showStatus('Problem', 'bad'), withCode(DOCTOR_FINDINGS[code]), ...place])
    }),
  })
}

/** Text between backticks is a name of the code. */
function withCode(words: string): Markup {
  return html`${words.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : part))}`
}

function versionsTable({ versions, newest }: SetUpFacts): Markup {
  return showTable({
    label: 'Versions seen',
    columns: [{ wide: 'Part' }, 'Version', 'Mode', 'Last seen', 'State'],
    rows: versions.map((seen) => [
      KIND[seen.kind],
      html`<code>${seen.version}</code>`,
      seen.test ? 'Test' : 'Live',
      showMinute(seen.seenAtMs),
      isOlder(seen.version, newest)
        ? showStatus(`Newer available: ${newest}`, 'waiting')
        : showStatus('Current', 'good'),
    ]),
  })
}

const KIND: Record<SeenVersion['kind'], string> = { proxy: 'Proxy', widget: 'Widget' }
