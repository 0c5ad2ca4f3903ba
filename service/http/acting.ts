// A caller's transactions. Each that changed something tells plugins what was done, inside itself (`act` in plugin.ts):
// a plugin that cannot write it down ends it.
import type { AuditDetail, Change, Database, Queries, Transactions } from '../store/database.ts'

/** Something that was done, read or refused, and by whom. */
export type Done = {
  atMs: number
  tenantId: string | null
  /** `unknown`: nothing proved who it was, as when a password is wrong; `object` then says whose account was tried. */
  actorKind: 'person' | 'client' | 'operator' | 'unknown'
  actorId: string | null
  /** A person's name and e-mail address as they were then; of a client, those of the person who made it. */
  actorName: string | null
  actorEmail: string | null
  /** For example `client.create`. */
  action: string
  /** The id of what it was done to. */
  object: string | null
  /** Its name as it was then. @default none */
  objectName?: string | undefined
  /** The change; null where there was none, or something was made or ended. */
  change: Change | null
  /** The address it came from, as far as the service can trust that. */
  address: string | null
  outcome: string
}

/** The same short of what only its end says. */
export type ActedBy = Omit<Done, 'outcome' | 'change'>

/** The trails that record an act, and its actor where the request's guards do not name one. */
export type ActedAs = Omit<ActedBy, 'atMs' | 'tenantId' | 'action' | 'address'> & { tenantIds: readonly string[] }

/** The moment of plugins. */
export type Tell = (queries: Queries, done: Done) => Promise<unknown>

export type Acting = Transactions & {
  /** The same inside a transaction that is open. */
  within(queries: Queries): Acting
  /** For something done in a transaction that runs elsewhere. */
  write(queries: Queries, object: string): Promise<void>
  /** For a read, or what failed. A success whose transaction found nothing to change gets no line. */
  note(outcome: string, ended: { isFailure: boolean; object?: string }): Promise<void>
}

/**
 * `who` is called when something was done: by then the guards of the request have said who calls. Plugins get one
 * `Done` for each lender that it concerns.
 */
export function createActing(database: Database, tell: Tell, who: () => readonly ActedBy[]): Acting {
  /** True once everything is done and recorded. */
  let isSettled = false

  async function tellEach(
    queries: Queries,
    outcome: string,
    { object, objectName, change, tenantIds = [] }: AuditDetail = {},
  ) {
    const facts = { change: change ?? null, outcome }
    const acts = who().flatMap((act) =>
      act.tenantId !== null || tenantIds.length === 0 ? act : tenantIds.map((tenantId) => ({ ...act, tenantId })),
    )
    // At once: in a batch no statement may wait for another.
    await Promise.all(acts.map((act) => tell(queries, { ...act, object: object ?? act.object, objectName, ...facts })))
  }

  const actingIn = (transactions: Transactions): Acting => ({
    async transaction(work, said) {
      const value = await transactions.transaction(async (queries) => {
        const done = await work(queries)
        if (didSomething(done)) await tellEach(queries, 'done', typeof said === 'function' ? said() : { object: said })
        return done
      })
      isSettled = true
      return value
    },
    within: (queries) => actingIn({ transaction: (work) => work(queries) }),
    async write(queries, object) {
      await tellEach(queries, 'done', { object })
      isSettled = true
    },
    async note(outcome, { isFailure, object }) {
      if (isFailure || !isSettled) await tellEach(database, outcome, { object })
    },
  })
  return actingIn(database)
}

/** Work that found nothing to do resolves to null, false or 0. */
function didSomething(value: unknown): boolean {
  return value !== null && value !== false && value !== 0
}
