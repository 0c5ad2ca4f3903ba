// What is done, and the audit line that says who did it, are written in one transaction.
import type { Act } from '../../service/http/act.ts'
import type { Database, Queries, Said } from '../../service/store/database.ts'
import { type AuditEvent, writeAudit } from './store.ts'

/** An event short of what only its end says. */
export type ActedBy = Omit<AuditEvent, 'outcome' | 'change'>

/** `who` is called when a line is written: by then the request's guards have said who calls. One line for each lender that it concerns. */
export function createAct(database: Database, who: () => readonly ActedBy[]): Act {
  let isWritten = false

  async function write(queries: Queries, outcome: string, { object, change, tenantIds = [] }: Said = {}) {
    const facts = { change: change ?? null, outcome }
    const events = who().flatMap((event) =>
      event.tenantId !== null || tenantIds.length === 0 ? event : tenantIds.map((tenantId) => ({ ...event, tenantId })),
    )
    // At once: in a batch no statement may wait for another.
    await Promise.all(
      events.map((event) => writeAudit(queries, { ...event, object: object ?? event.object, ...facts })),
    )
  }

  return {
    async transaction(work, said) {
      const value = await database.transaction(async (queries) => {
        const done = await work(queries)
        if (didSomething(done)) await write(queries, 'done', typeof said === 'function' ? said() : { object: said })
        return done
      })
      isWritten ||= didSomething(value)
      return value
    },
    async write(queries, object) {
      await write(queries, 'done', { object })
      isWritten = true
    },
    async note(outcome, { isFailure, object }) {
      if (isFailure || !isWritten) await write(database, outcome, { object })
    },
  }
}

/** Work that found nothing to do resolves to null, false or 0. */
function didSomething(value: unknown): boolean {
  return value !== null && value !== false && value !== 0
}
