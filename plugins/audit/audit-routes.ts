// A lender's audit trail for programs.
import { Hono } from 'hono'
import type { AuditEntry, AuditTrail } from '../../contract/audit.ts'
import { validationError } from '../../service/http/api-error.ts'
import type { ServiceEnv } from '../../service/http/context.ts'
import { serve } from '../../service/http/serve.ts'
import type { Queries } from '../../service/store/database.ts'
import { readVerified } from './check-chain.ts'
import { auditRows } from './operations.ts'
import { type FoundEvent, searchAudit } from './store.ts'

export function auditRoutes({ database }: { database: Queries }): Hono<ServiceEnv> {
  const routes = new Hono<ServiceEnv>()

  serve(routes, auditRows.operations.listAuditEvents, async (context, _body, { before = null, limit, ...filters }) => {
    const found = await searchAudit(database, { tenantId: context.get('tenantId'), filters, before, limit })
    if (found === null)
      throw validationError([{ path: 'before', expected: 'must be the nextBefore of an earlier page' }])
    const verified = await readVerified(database, context.get('tenantId'))
    const trail: AuditTrail = {
      events: found.events.map(toEntry),
      ...(verified === null
        ? {}
        : {
            verified: {
              position: verified.position,
              at: new Date(verified.atMs).toISOString(),
              ...(verified.problem === null ? {} : { problem: verified.problem }),
            },
          }),
      ...(found.nextBefore === null ? {} : { nextBefore: found.nextBefore }),
    }
    return context.json(trail)
  })

  return routes
}

export function toEntry(event: FoundEvent): AuditEntry {
  const { id, atMs, actorKind, actorId, actorName, actorEmail, action, object, objectName } = event
  const { change, address, outcome, link } = event
  return {
    id,
    createdAt: new Date(atMs).toISOString(),
    actor: {
      kind: actorKind,
      ...(actorId === null ? {} : { id: actorId }),
      ...(actorName === null ? {} : { name: actorName }),
      ...(actorEmail === null ? {} : { email: actorEmail }),
    },
    action,
    ...(object === null ? {} : { object }),
    ...(objectName === undefined ? {} : { objectName }),
    ...(change === null ? {} : { from: JSON.stringify(change.from), to: JSON.stringify(change.to) }),
    ...(address === null ? {} : { address }),
    outcome,
    ...link,
  }
}
