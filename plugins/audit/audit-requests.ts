import type { Context, MiddlewareHandler } from 'hono'
import { type Clock, HOUR_MS } from '../../kit/clock.ts'
import { createCounter } from '../../kit/limits.ts'
import type { AuditAction } from '../../openapi/audit-actions.ts'
import { describeError } from '../../service/describe-error.ts'
import type { Caller } from '../../service/http/caller.ts'
import { clientAddress } from '../../service/http/client-address.ts'
import type { Account, ServiceEnv } from '../../service/http/context.ts'
import type { Log } from '../../service/log.ts'
import type { Database } from '../../service/store/database.ts'
import { type ActedBy, createAct } from './act.ts'

type AuditOptions = { database: Database; clock: Clock; log: Log; trustedHops: number }

/** `filesOnly`: a machine's request has a line only where it is given a person's file, which its route writes, or is refused access. */
type Audited = { action: AuditAction; filesOnly?: boolean }

/** Failed sign-ins at one account that are written down in an hour; the rest are in the log. Anyone who knows an e-mail address can cause them. */
const ATTEMPTS_MAX = 20

type AuditRequests = (audited: Audited) => MiddlewareHandler<ServiceEnv>

/**
 * Lets a route act (`context.get('act')`) and writes down who used it: what it changes in the same transaction, a read or a
 * refusal before the answer leaves. One that cannot be written down is a failure. Requests that prove no one's identity leave no line:
 * they are counted by the metrics and sampled by the log.
 */
export function createAuditRequests({ database, clock, log, trustedHops }: AuditOptions): AuditRequests {
  const attempts = createCounter({ windowMs: HOUR_MS, clock })

  return ({ action, filesOnly = false }) =>
    async (context, next) => {
      const actAs = (as: AuditAction) =>
        createAct(database, () => {
          const event = { atMs: clock(), action: as, address: clientAddress(context, trustedHops) }
          return whose(context).map((who) => ({ ...event, ...who }))
        })
      const act = actAs(action)
      context.set('act', act)
      context.set('actAs', actAs)
      await next()
      if (context.get('isAsked')) return
      const { status } = context.res
      const noted = () => act.note(String(status), { isFailure: status >= 400 })
      const caller: Caller | undefined = context.get('caller')
      if (caller !== undefined) {
        if (!filesOnly || caller.kind === 'user' || status === 403) await noted()
        return
      }
      const account = context.get('account')
      if (account === undefined || attempts.take(account.userId, ATTEMPTS_MAX) > 0) return
      // Not waited for: the time of the answer must not tell whether there is such an account.
      void noted().catch((error: unknown) => log.error('failed sign-in not audited', describeError(error)))
    }
}

type Who = Pick<ActedBy, 'tenantId' | 'actorKind' | 'actorId' | 'actorName' | 'actorEmail' | 'object'>

/** One line for each lender it concerns: a leaver's sign-ins stay in the trails of those they belonged to. */
function whose(context: Context<ServiceEnv>): Who[] {
  const caller: Caller | undefined = context.get('caller')
  const account = context.get('account')
  const tenantId = context.get('tenantId')
  const known = caller?.tenantIds ?? account?.tenantIds ?? []
  const tenantIds = tenantId !== undefined ? [tenantId] : known.length > 0 ? known : [null]
  const actor = caller === undefined && account !== undefined ? triedAs(account) : actorOf(caller)
  return tenantIds.map((id) => ({ tenantId: id, object: objectOf(context), ...actor }))
}

function actorOf(caller: Caller | undefined) {
  const noName = { actorName: null, actorEmail: null }
  if (caller === undefined) return { actorKind: 'unknown' as const, actorId: null, ...noName }
  if (caller.kind === 'client') return { actorKind: 'client' as const, actorId: caller.clientId, ...noName }
  const { userId, name, email } = caller
  return { actorKind: 'person' as const, actorId: userId, actorName: name, actorEmail: email }
}

/** Whose account it was, not who: nothing was proved. */
function triedAs({ userId, name, email }: Account) {
  return { actorKind: 'unknown' as const, actorId: null, actorName: name, actorEmail: email, object: userId }
}

function objectOf(context: Context<ServiceEnv>): string | null {
  const { tenantId: _theirs, uid: _passing, ...ids } = context.req.param() as { [name: string]: string | undefined }
  return Object.values(ids).join(' ') || (context.get('creditReportId') ?? null)
}
