// What a route does, as one transaction. A plugin may write down who did it in the same transaction (`request` in plugin.ts); without
// one the work is done and nothing is written down.
import type { Database, Queries, Transactions } from '../store/database.ts'

export type Act = Transactions & {
  /** For something done in a transaction that runs elsewhere. */
  write(queries: Queries, object: string): Promise<void>
  /** For what changed nothing, or failed. */
  note(outcome: string, ended: { isFailure: boolean; object?: string }): Promise<void>
}

export function createPlainAct(database: Pick<Database, 'transaction'>): Act {
  return {
    transaction: (work) => database.transaction(work),
    async write() {},
    async note() {},
  }
}
