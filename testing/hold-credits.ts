// Test support: a hold with what follows from it, as a check of the whole app writes it.
import { noteThresholds } from '../plugins/limits/spend-alerts.ts'
import { countSpend } from '../plugins/limits/spend-caps.ts'
import { hold, holdIdOf } from '../service/ledger/ledger.ts'
import type { Queries } from '../service/store/database.ts'

/** Throws `insufficient-funds` or `spend-cap-reached`. */
export async function holdCredits(queries: Queries, held: Parameters<typeof hold>[1]): Promise<void> {
  const { tenantId, purpose, nowMs } = held
  const spending = { tenantId, purpose, holdId: holdIdOf(held), nowMs }
  await Promise.all([hold(queries, held), countSpend(queries, spending), noteThresholds(queries, spending)])
}
