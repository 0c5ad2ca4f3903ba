import { html } from 'hono/html'
import type { AuditEvent } from '../../service/audit/store.ts'
import type { Markup } from '../pages/layout.ts'
import { showTime } from './show.ts'

export function auditBody(events: readonly AuditEvent[]): Markup {
  return html`<h1>Audit</h1>
<p class="lead">Who signed in, changed something or read a report. Nothing here can be changed.</p>
${
  events.length === 0
    ? html`<p>Nothing has been written down yet.</p>`
    : html`<div class="scroll" tabindex="0" role="region" aria-label="Audit events">
<table>
  <caption>Newest first</caption>
  <thead><tr><th scope="col">When</th><th scope="col">Who</th><th scope="col">What</th><th scope="col">On what</th><th scope="col">From</th><th scope="col">Outcome</th></tr></thead>
  <tbody>${events.map(
    ({ atMs, actorKind, actorId, action, object, address, outcome }) => html`
    <tr><td class="when">${showTime(atMs)}</td><td>${actorKind} <code>${actorId ?? ''}</code></td><td>${action}</td><td><code>${object ?? ''}</code></td><td>${address ?? ''}</td><td>${outcome}</td></tr>`,
  )}
  </tbody>
</table>
</div>`
}`
}
