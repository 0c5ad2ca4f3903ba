import { AUDIT_OUTCOMES } from '../contract/audit.ts'
import { NAME_LENGTH_MAX } from '../contract/limits.ts'
import { AUDIT_ACTIONS } from './audit-actions.ts'
import type { Operations, Parameter } from './operation.ts'
import { PAGE_SIZE } from './wallet-operations.ts'

const query = (name: string, description: string, schema: Parameter['schema'], example: string): Parameter => ({
  name,
  in: 'query',
  description,
  schema,
  example,
})
const DAY = { type: 'string', format: 'date' }
const TEXT = { type: 'string', minLength: 1, maxLength: NAME_LENGTH_MAX }

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
    parameters: [
      query('who', 'A name or part of it, an e-mail address, or the id of a person or an API client.', TEXT, 'Sam Lee'),
      query('action', 'An action.', TEXT, 'caps.set'),
      query('from', 'The first UTC day.', DAY, '2026-11-01'),
      query('to', 'The last UTC day.', DAY, '2026-11-30'),
      query(
        'outcome',
        'What was done, or what was refused or failed.',
        { type: 'string', enum: [...AUDIT_OUTCOMES] },
        'refused',
      ),
      PAGE_SIZE,
      query('before', 'The `nextBefore` of the page before.', TEXT, '4711'),
    ],
    answers: {
      200: { says: 'A page of events.', schema: 'AuditTrail' },
    },
    errors: ['validation-error'],
  },
} satisfies Operations
