// The acting of a request's caller.
import type { Context } from 'hono'
import type { Clock } from '../../kit/clock.ts'
import type { AuditAction } from '../../openapi/audit-actions.ts'
import type { Database } from '../store/database.ts'
import { type ActedAs, type Acting, createActing, type Tell } from './acting.ts'
import type { Caller } from './caller.ts'
import { clientAddress } from './client-address.ts'
import type { Account, ServiceEnv } from './context.ts'

type RequestOptions = { database: Database; tell: Tell; clock: Clock; trustedHops: number }

/** Under the name of an action. */
export function createRequestActing({ database, tell, clock, trustedHops }: RequestOptions) {
  return (context: Context<ServiceEnv>) =>
    (action: AuditAction, as?: ActedAs): Acting =>
      createActing(database, tell, () => {
        const { tenantIds, ...who } = as ?? actorOf(context)
        const act = { atMs: clock(), action, address: clientAddress(context, trustedHops), ...who }
        return (tenantIds.length > 0 ? tenantIds : [null]).map((tenantId) => ({ ...act, tenantId }))
      })
}

/** For each lender it concerns: a leaver's sign-ins stay in the trails of those they belonged to. */
function actorOf(context: Context<ServiceEnv>): ActedAs {
  const caller: Caller | undefined = context.get('caller')
  const account = context.get('account')
  const tenantId = context.get('tenantId')
  const known = caller?.tenantIds ?? account?.tenantIds ?? []
  const tenantIds = tenantId !== undefined ? [tenantId] : known
  if (caller === undefined && account !== undefined) return { tenantIds, ...triedAs(account) }
  return { tenantIds, object: objectOf(context), ...nameOf(caller) }
}

function nameOf(caller: Caller | undefined) {
  const noName = { actorName: null, actorEmail: null }
  if (caller === undefined) return { actorKind: 'unknown' as const, actorId: null, ...noName }
  if (caller.kind === 'client') {
    // A machine acts for the person who made it: both are in the line.
    const { name = null, email = null } = caller.maker ?? {}
    return { actorKind: 'client' as const, actorId: caller.clientId, actorName: name, actorEmail: email }
  }
  const { userId, name, email } = caller
  return { actorKind: 'person' as const, actorId: userId, actorName: name, actorEmail: email }
}

/** Names the account and not the person, because the sign-in failed. */
function triedAs({ userId, name, email }: Account) {
  return { actorKind: 'unknown' as const, actorId: null, actorName: name, actorEmail: email, object: userId }
}

function objectOf(context: Context<ServiceEnv>): string | null {
  const { tenantId: _theirs, uid: _passing, ...ids } = context.req.param() as { [name: string]: string | undefined }
  return Object.values(ids).join(' ') || (context.get('creditReportId') ?? null)
}
