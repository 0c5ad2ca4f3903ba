// Acts that leave a trace: what is done, and who did it, are one transaction.
import type { Database, Transactions } from '../store/database.ts'
import { type AuditEvent, writeAudit } from './store.ts'

export type Act = Transactions & {
  /** For what changed nothing, or failed. A success whose acts are written down already is not written down again. */
  note(outcome: string, ended: { isFailure: boolean }): Promise<void>
}

/** `who` is asked when something is written: by then the guards have said who it is. */
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

/** Work that found nothing to do answers with nothing, no or none. */
function didSomething(value: unknown): boolean {
  return value !== null && value !== false && value !== 0
}
