// What is done, and the audit line that says who did it, are written in one transaction.
import type { Database, Transactions } from '../store/database.ts'
import { type AuditEvent, writeAudit } from './store.ts'

export type Act = Transactions & {
  /** For what changed nothing, or failed. A success whose transactions have their lines already gets no other. */
  note(outcome: string, ended: { isFailure: boolean }): Promise<void>
}

/** `who` is called when a line is written: by then the request's guards have said who calls. */
export function createAct(database: Database, who: () => Omit<AuditEvent, 'outcome'>): Act {
  let isWritten = false
  return {
    async transaction(work, object) {
      const value = await database.transaction(async (queries) => {
        const done = await work(queries)
        const event = who()
        if (didSomething(done))
          await writeAudit(queries, { ...event, object: event.object ?? object ?? null, outcome: 'done' })
        return done
      })
      isWritten ||= didSomething(value)
      return value
    },
    async note(outcome, { isFailure }) {
      if (isFailure || !isWritten) await writeAudit(database, { ...who(), outcome })
    },
  }
}

/** Work that found nothing to do resolves to null, false or 0. */
function didSomething(value: unknown): boolean {
  return value !== null && value !== false && value !== 0
}
