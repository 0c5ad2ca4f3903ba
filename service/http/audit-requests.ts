import type { Context, MiddlewareHandler } from 'hono'
import type { Clock } from '../../kit/clock.ts'
import { type AuditEvent, writeAudit } from '../audit/store.ts'
import type { Queries } from '../store/database.ts'
import type { Caller } from './caller.ts'
import { clientAddress } from './client-address.ts'
import type { ServiceEnv } from './context.ts'

export type AuditOptions = { database: Queries; clock: Clock; trustedHops: number }

/** Writes down who used a route, and how it ended, before the answer leaves. One that cannot be written down is a failure. */
export function auditRequests(
  action: string,
  { database, clock, trustedHops }: AuditOptions,
): MiddlewareHandler<ServiceEnv> {
  return async (context, next) => {
    await next()
    const caller: Caller | undefined = context.get('caller')
    await writeAudit(database, {
      ...actorOf(caller),
      atMs: clock(),
      tenantId: context.get('tenantId') ?? (caller?.kind === 'client' ? caller.tenantIds[0] : null),
      action,
      object: objectOf(context),
      address: clientAddress(context, trustedHops),
      outcome: String(context.res.status),
    })
  }
}

function actorOf(caller: Caller | undefined): Pick<AuditEvent, 'actorKind' | 'actorId'> {
  if (caller === undefined) return { actorKind: 'unknown', actorId: null }
  if (caller.kind === 'user') return { actorKind: 'person', actorId: caller.userId }
  return { actorKind: 'client', actorId: caller.clientId }
}

function objectOf(context: Context<ServiceEnv>): string | null {
  const { tenantId: _theirs, uid: _passing, ...ids } = context.req.param() as { [name: string]: string | undefined }
  return Object.values(ids).join(' ') || null
}
