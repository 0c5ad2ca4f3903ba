import type { Context, MiddlewareHandler } from 'hono'
import type { Clock } from '../../kit/clock.ts'
import { createAct } from '../audit/act.ts'
import type { AuditEvent } from '../audit/store.ts'
import type { Database } from '../store/database.ts'
import type { Caller } from './caller.ts'
import { clientAddress } from './client-address.ts'
import type { ServiceEnv } from './context.ts'

type AuditOptions = { database: Database; clock: Clock; trustedHops: number }

/**
 * Lets a route act (`context.get('act')`) and writes down who used it: what it changes in the same transaction, a read or a
 * refusal before the answer leaves. One that cannot be written down is a failure.
 */
export function auditRequests(
  action: string,
  { database, clock, trustedHops }: AuditOptions,
): MiddlewareHandler<ServiceEnv> {
  return async (context, next) => {
    const act = createAct(database, () => {
      const caller: Caller | undefined = context.get('caller')
      return {
        ...actorOf(caller),
        atMs: clock(),
        tenantId: context.get('tenantId') ?? (caller?.kind === 'client' ? caller.tenantIds[0] : null),
        action,
        object: objectOf(context),
        address: clientAddress(context, trustedHops),
      }
    })
    context.set('act', act)
    await next()
    const { status } = context.res
    await act.note(String(status), { isFailure: status >= 400 })
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
