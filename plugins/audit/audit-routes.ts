// A lender's audit trail for programs.
import { Hono } from 'hono'
import type { AuditEntry, AuditHeadsResponse } from '../../contract/audit.ts'
import { DAY_MS } from '../../kit/clock.ts'
import { AUDIT_ACTIONS } from '../../openapi/audit-actions.ts'
import { unknownCursor, validationError } from '../../service/http/api-error.ts'
import { type ServiceEnv, timeTakenMs } from '../../service/http/context.ts'
import { serve } from '../../service/http/serve.ts'
import type { Queries } from '../../service/store/database.ts'
import { pageOf } from '../../service/store/rows.ts'
import { listKeptHeads } from './chain.ts'
import { readVerified } from './check-chain.ts'
import { auditRows } from './operations.ts'
import { type FoundEvent, searchAudit } from './store.ts'

export function auditRoutes({ database }: { database: Queries }): Hono<ServiceEnv> {
  const routes = new Hono<ServiceEnv>()

  serve(
    routes,
    auditRows.operations.listAuditEvents,
    async (context, _body, { after: before = null, limit, ...filters }) => {
      const { action, from, to } = filters
      if (action !== undefined && !Object.hasOwn(AUDIT_ACTIONS, action) && !action.startsWith('admin '))
        throw validationError([{ path: 'action', expected: 'must be an action of the trail, such as "caps.set"' }])
      if (from !== undefined && to !== undefined && to < from)
        throw validationError([{ path: 'to', expected: 'must not be before `from`' }])
      const found = await searchAudit(database, { tenantId: context.get('tenantId'), filters, before, limit })
      if (found === null) throw unknownCursor()
      const verified = await readVerified(database, context.get('tenantId'))
      return {
        events: found.events.map(toEntry),
        ...(verified === null
          ? {}
          : {
              verified: {
                position: verified.position,
                checkedAt: new Date(verified.atMs).toISOString(),
                ...(verified.problem === null ? {} : { problem: verified.problem }),
              },
            }),
        ...(found.nextBefore === null ? {} : { nextAfter: found.nextBefore }),
      }
    },
  )

  serve(routes, auditRows.operations.listAuditHeads, async (context, _body, { after = null, limit }) => {
    const { rows, last } = pageOf(
      await listKeptHeads(database, { tenantId: context.get('tenantId'), after, limit: limit + 1 }),
      limit,
    )
    const heads = rows.map(({ signed_at_ms: atMs, position, hash, jws }) => ({
      signedAt: new Date(atMs).toISOString(),
      position,
      hash,
      jws,
    }))
    const meta = { request: { timeTakenMs: timeTakenMs(context) } }
    const data = { heads, ...(last && { nextAfter: new Date(last.day * DAY_MS).toISOString().slice(0, 10) }) }
    return context.json({ meta, data } satisfies AuditHeadsResponse)
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
