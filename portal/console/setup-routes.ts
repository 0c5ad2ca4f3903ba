// The console's page about a lender's set-up, as the service sees it.
import type { Hono } from 'hono'
import { html } from 'hono/html'
import { DOCTOR_FINDINGS } from '../../contract/doctor.ts'
import type { Clock } from '../../kit/clock.ts'
import { isOlder, type SeenVersion } from '../../plugins/stats/versions.ts'
import type { ServiceEnv } from '../../service/http/context.ts'
import type { Markup } from '../pages/layout.ts'
import { type Finding, type FindingCode, findSetUp, readSetUp, type SetUpFacts, type SetUpOptions } from './findings.ts'
import type { Visits } from './page-context.ts'
import { showMinute, showStatus, showTable, type Tone } from './show.ts'

const path = '/console/setup'

export function setUpPageRoutes({
  clock,
  visits,
  ...options
}: SetUpOptions & { clock: Clock; visits: Visits }): Hono<ServiceEnv> {
  const { show, choose, tenantPages } = visits
  const { routes, get } = tenantPages()

  get(path, async (context, visit) => {
    const facts = await readSetUp(options, visit.tenant.id, clock())
    if (facts === null) return choose(context, visit)
    return show(context, visit, { path, title: 'Set-up', body: setUpBody(facts) })
  })

  return routes
}

const LEVEL: Record<Finding['level'], [word: string, tone: Tone]> = {
  problem: ['Problem', 'bad'],
  advice: ['Advice', 'neutral'],
}

/** Where to do something about it; null: not here. */
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

function setUpBody(facts: SetUpFacts): Markup {
  const findings = findSetUp(facts)
  return html`<h1>Set-up</h1>
<p class="lead">What the service sees of your integration, and what to do about it.</p>
${findings.length === 0 ? html`<p>${showStatus('Nothing to do', 'good')}</p>` : findingsTable(findings)}
<h2>From your server</h2>
<p class="hint">What the proxy’s doctor found when it last ran: at the first request outside production, or when you call <code>proxy.doctor()</code>.</p>
${facts.doctor.length === 0 ? html`<p class="lead">The doctor has not reported yet.</p>` : doctorTable(facts.doctor)}
<h2>Versions seen</h2>
<p class="hint">Of the last 90 days, to the hour. The proxy is the package on your server; the widget is in your pages.</p>
${facts.versions.length === 0 ? html`<p class="lead">No check has named a version yet.</p>` : versionsTable(facts)}`
}

function findingsTable(findings: readonly Finding[]): Markup {
  return showTable({
    label: 'Findings',
    columns: ['Level', 'Found', 'Where'],
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
    columns: ['Level', 'Found', 'Mode', 'When'],
    rows: reports.flatMap(({ test, findings, reportedAtMs }) => {
      const place = [test ? 'Test' : 'Live', showMinute(reportedAtMs)]
      if (findings.length === 0) return [[showStatus('Good', 'good'), 'The doctor found nothing wrong.', ...place]]
      return findings.map((code) => [showStatus('Problem', 'bad'), html`${DOCTOR_FINDINGS[code]}`, ...place])
    }),
  })
}

function versionsTable({ versions, newest }: SetUpFacts): Markup {
  return showTable({
    label: 'Versions seen',
    columns: [{ wide: 'What' }, 'Version', 'Mode', 'Last seen', 'State'],
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
