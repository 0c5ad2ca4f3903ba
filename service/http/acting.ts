// A caller's transactions. Each that changed something tells plugins what was done, inside itself (`act` in plugin.ts): a plugin
// that cannot write it down ends it.
import type { Context } from 'hono'
import type { Clock } from '../../kit/clock.ts'
import type { AuditAction } from '../../openapi/audit-actions.ts'
import type { Change, Database, Queries, Said, Transactions } from '../store/database.ts'
import type { Caller } from './caller.ts'
import { clientAddress } from './client-address.ts'
import type { Account, ServiceEnv } from './context.ts'

/** Something that was done, read or refused, and by whom. */
export type Done = {
  atMs: number
  tenantId: string | null
  /** `unknown`: nothing proved who it was, as when a password is wrong; `object` then says whose account was tried. */
  actorKind: 'person' | 'client' | 'operator' | 'unknown'
  actorId: string | null
  /** A person's name and e-mail address as they were then. */
  actorName: string | null
  actorEmail: string | null
  /** For example `client.create`. */
  action: string
  /** The id of what it was done to. */
  object: string | null
  /** What was changed; null where nothing was, or something was made or ended. */
  change: Change | null
  /** Where it came from, as far as the service can trust that. */
  address: string | null
  outcome: string
}

/** The same short of what only its end says. */
export type ActedBy = Omit<Done, 'outcome' | 'change'>

/** The moment of plugins. */
export type Tell = (queries: Queries, done: Done) => Promise<unknown>

export type Acting = Transactions & {
  /** For something done in a transaction that runs elsewhere. */
  write(queries: Queries, object: string): Promise<void>
  /** For what changed nothing, or failed. */
  note(outcome: string, ended: { isFailure: boolean; object?: string }): Promise<void>
}

/** `who` is called when something was done: by then the request's guards have said who calls. Told once for each lender that it concerns. */
export function createActing(database: Database, tell: Tell, who: () => readonly ActedBy[]): Acting {
  let isTold = false

  async function tellEach(queries: Queries, outcome: string, { object, change, tenantIds = [] }: Said = {}) {
    const facts = { change: change ?? null, outcome }
    const acts = who().flatMap((act) =>
      act.tenantId !== null || tenantIds.length === 0 ? act : tenantIds.map((tenantId) => ({ ...act, tenantId })),
    )
    // At once: in a batch no statement may wait for another.
    await Promise.all(acts.map((act) => tell(queries, { ...act, object: object ?? act.object, ...facts })))
  }

  return {
    async transaction(work, said) {
      const value = await database.transaction(async (queries) => {
        const done = await work(queries)
        if (didSomething(done)) await tellEach(queries, 'done', typeof said === 'function' ? said() : { object: said })
        return done
      })
      isTold ||= didSomething(value)
      return value
    },
    async write(queries, object) {
      await tellEach(queries, 'done', { object })
      isTold = true
    },
    async note(outcome, { isFailure, object }) {
      if (isFailure || !isTold) await tellEach(database, outcome, { object })
    },
  }
}

/** Work that found nothing to do resolves to null, false or 0. */
function didSomething(value: unknown): boolean {
  return value !== null && value !== false && value !== 0
}

/** Whose trails an act belongs to, and who did it, where the request's guards do not say. */
export type ActedAs = Omit<ActedBy, 'atMs' | 'tenantId' | 'action' | 'address'> & { tenantIds: readonly string[] }

type RequestOptions = { database: Database; tell: Tell; clock: Clock; trustedHops: number }

/** How the caller of a request acts, under the name of an action. */
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
