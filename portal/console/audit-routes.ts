// The console's page about who did what.
import type { Hono } from 'hono'
import { html } from 'hono/html'
import { type AuditEvent, listAudit } from '../../service/audit/store.ts'
import type { ServiceEnv } from '../../service/http/context.ts'
import type { Database } from '../../service/store/database.ts'
import type { Members } from '../members.ts'
import type { Markup } from '../pages/layout.ts'
import type { Visits } from './page-context.ts'
import { showTable, showTime } from './show.ts'

type AuditPageOptions = { database: Database; members: Members; visits: Visits }

const path = '/console/audit'
const EVENTS_SHOWN = 200

export function auditPageRoutes({ database, members, visits }: AuditPageOptions): Hono<ServiceEnv> {
  const { show, tenantPages } = visits
  const { routes, get } = tenantPages()

  get(path, async (context, visit) => {
    const people = new Map((await members.list(visit.tenant.id)).map(({ id, name }) => [id, name]))
    const wanted = { tenantId: visit.tenant.id, actorIds: [...people.keys()], limit: EVENTS_SHOWN }
    const body = auditBody(await listAudit(database, wanted), people)
    return show(context, visit, { path, title: 'Audit', body })
  })

  return routes
}

/** `people`: the names of those who act for the lender now, by id. */
function auditBody(events: readonly AuditEvent[], people: ReadonlyMap<string, string>): Markup {
  return html`<h1>Audit</h1>
<p class="lead">Who signed in, changed something or read a report. Nothing here can be changed.</p>
${
  events.length === 0
    ? html`<p>Nothing has been written down yet.</p>`
    : showTable({
        label: 'Audit events',
        columns: ['When', 'Who', 'What', { wide: 'On what' }, 'From', 'Outcome'],
        rows: events.map(({ atMs, actorKind, actorId, action, object, address, outcome }) => [
          showTime(atMs),
          people.get(actorId ?? '') ?? html`${actorKind} <code>${actorId ?? ''}</code>`,
          action,
          object === null ? '' : html`<code>${object}</code>`,
          address ?? '',
          wordsOf(outcome),
        ]),
      })
}`
}

/** A request that changed nothing is recorded with its HTTP status. */
function wordsOf(outcome: string): string {
  const status = Number(outcome)
  if (Number.isNaN(status)) return outcome
  return status < 400 ? 'answered' : `refused (${status})`
}
