import {
  AuditActor,
  AuditEntry,
  AuditHeadItem,
  AuditHeadQuery,
  AuditHeads,
  AuditHeadsResponse,
  AuditQuery,
  AuditTrail,
  AuditVerified,
} from '../../contract/audit.ts'
import { AUDIT_ACTIONS } from '../../openapi/audit-actions.ts'
import { COUNT, component, DATE, TIME } from '../../openapi/component.ts'
import { query, type Rows } from '../../openapi/operation.ts'
import { afterWords, LIMIT_WORDS } from '../../openapi/page-words.ts'
import { CREATED_AT, CREDIT_REPORT_ID } from '../../openapi/samples.ts'

export const auditRows = {
  operations: {
    listAuditEvents: {
      route: 'GET /:tenantId/v1/audit',
      rule: { who: 'tenant', scope: 'audit', permission: 'audit', audit: 'audit.read' },
      tag: 'Audit trail',
      summary: 'Events of the audit trail, newest first',
      description: `Sign-ins, failed ones of members too, changes, and every access to a consumer’s file, with names as they were then. Actions: ${Object.keys(
        AUDIT_ACTIONS,
      )
        .map((action) => `\`${action}\``)
        .join(
          ', ',
        )}, and \`admin …\` for an operator’s command. Filters must all match; a page with filters may be short or empty and still have a \`nextAfter\`.`,
      query: query(AuditQuery, {
        who: ['A name or part of it, an e-mail address, or the id of a person or an API client.', 'Sam Lee'],
        object: ['The id of the object, or its name or part of it.', CREDIT_REPORT_ID],
        action: ['An action.', 'caps.set'],
        from: ['The first day in the United Kingdom.', '2026-11-01', DATE],
        to: ['The last day in the United Kingdom.', '2026-11-30', DATE],
        outcome: ['The outcome: done, refused or failed.', 'refused'],
        limit: LIMIT_WORDS,
        after: ['The `nextAfter` of the page before.', '4711'],
      }),
      answers: {
        200: { says: 'A page of events.', data: AuditTrail },
      },
      errors: ['validation-error'],
    },
    listAuditHeads: {
      route: 'GET /:tenantId/v1/audit/heads',
      rule: { who: 'tenant', scope: 'audit', permission: 'audit', audit: 'audit.read' },
      tag: 'Audit trail',
      summary: 'The signed heads of your audit trail, newest first',
      description:
        'One for each day. Keep them outside the service: an export of the trail that was changed no longer leads to them. `docs/auditor/trail.md` says how to check.',
      query: query(AuditHeadQuery, { limit: LIMIT_WORDS, after: afterWords('2026-11-15') }),
      answers: { 200: { says: 'A page of heads.', schema: 'AuditHeadsResponse' } },
      errors: ['validation-error'],
    },
  },
  words: () => ({
    answers: [
      component('AuditTrail', AuditTrail, 'A page of the audit trail, newest first.', {
        events: 'The events.',
        verified: 'The last whole check of the trail; absent before the first.',
        nextAfter: ['Pass as `after` for the next, older page; absent on the last.', '4711'],
      }),
      component('AuditHeadsResponse', AuditHeadsResponse, 'A page of signed heads.', {
        meta: 'About the request.',
        data: 'The page.',
      }),
      component(
        'AuditHeads',
        AuditHeads,
        'A page of signed heads, newest first.',
        {
          heads: 'The heads.',
          nextAfter: ['Pass as `after` for the next, older page; absent on the last.', '2026-11-15'],
        },
        { without: ['nextAfter'] },
      ),
      component('AuditHeadItem', AuditHeadItem, 'The newest event of one day, signed.', {
        signedAt: ['The time of the signature.', CREATED_AT, TIME],
        position: ['The number of events in the chain then.', 1_042, COUNT],
        hash: ['The hash of the newest.', 'a1b2c3d4'.repeat(8)],
        jws: [
          'Both, signed: a compact JWS by a key of `/.well-known/jwks.json`.',
          'eyJhbGciOiJFUzI1NiIsInR5cCI6ImF1ZGl0LWhlYWQiLCJraWQiOiIwMTlhODc1NiJ9.eyJ0ZW5hbnRJZCI6ImRlbW8ifQ.c2lnbmVk',
        ],
      }),
      component(
        'AuditVerified',
        AuditVerified,
        'The last whole check of your chain of hashes.',
        {
          position: ['Events up to this number are as they were written.', 5312, COUNT],
          checkedAt: ['The time of the check.', CREATED_AT, TIME],
          problem: ['The problem found; absent when there is none.', 'event 17 was changed'],
        },
        { without: ['problem'] },
      ),
      component(
        'AuditEntry',
        AuditEntry,
        'An event of the trail: done or refused.',
        {
          id: ['The event’s id.', '4712'],
          createdAt: ['The time of the event.', CREATED_AT, TIME],
          actor: 'The person or program that did it.',
          action: ['The action.', 'caps.set'],
          object: ['The id of its object.', CREDIT_REPORT_ID],
          objectName: ['The object’s name at that time.', 'Leo Moss'],
          from: ['The values before the change, in JSON.', '{"report-hour":100000}'],
          to: ['The values after the change, in JSON.', '{"report-hour":200000}'],
          address: ['The IP address it came from.', '203.0.113.7'],
          outcome: ['`done`, `begun`, `failed`, or the HTTP status of what changed nothing.', 'done'],
          position: ['Its place in your chain, from 1; absent for the seconds until it is linked.', 1_042, COUNT],
          hash: ['SHA-256 over the event and the hash before it, in hexadecimal.', 'a1b2c3d4'.repeat(8)],
        },
        { without: ['object', 'objectName'] },
      ),
      component('AuditActor', AuditActor, 'The person or program that did it, by the name of that time.', {
        kind: [
          '`unknown`: nothing proved who it was, as when a password is wrong; the name is that of the account.',
          'person',
        ],
        id: ['The id of the person, API client or operator.', 'd4f0f5a2-7a3e-4f43-9a55-3f0d1b2c4e5f'],
        name: ['A person’s name.', 'Sam Lee'],
        email: ['A person’s e-mail address.', 'sam@demo-lender.example'],
      }),
    ],
  }),
} satisfies Rows
