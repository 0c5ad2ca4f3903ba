import { AuditQuery } from '../contract/audit.ts'
import { AUDIT_ACTIONS } from './audit-actions.ts'
import { DATE } from './component.ts'
import { type Operations, query } from './operation.ts'
import { LIMIT } from './wallet-operations.ts'

export const auditOperations = {
  listAuditEvents: {
    route: 'GET /:tenantId/v1/audit',
    rule: { who: 'tenant', scope: 'audit', permission: 'audit', audit: 'audit.read' },
    tag: 'Account',
    summary: 'Who did what, newest first',
    description: `Sign-ins, failed ones of members too, changes, and every access to a consumer’s file, with names as they were then. Actions: ${Object.keys(
      AUDIT_ACTIONS,
    )
      .map((action) => `\`${action}\``)
      .join(
        ', ',
      )}, and \`admin …\` for an operator’s command. Filters must all match; a page with filters may be short or empty and still have a \`nextBefore\`.`,
    query: query(AuditQuery, {
      who: ['A name or part of it, an e-mail address, or the id of a person or an API client.', 'Sam Lee'],
      action: ['An action.', 'caps.set'],
      from: ['The first UTC day.', '2026-11-01', DATE],
      to: ['The last UTC day.', '2026-11-30', DATE],
      outcome: ['What was done, or what was refused or failed.', 'refused'],
      limit: LIMIT,
      before: ['The `nextBefore` of the page before.', '4711'],
    }),
    answers: {
      200: { says: 'A page of events.', schema: 'AuditTrail' },
    },
    errors: ['validation-error'],
  },
} satisfies Operations
