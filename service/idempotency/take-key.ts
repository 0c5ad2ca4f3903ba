import type { Queries } from '../store/database.ts'
import { type IdempotencyKey, inProgress, requireSameBody } from './key.ts'
import { claimKey, findKey, type KeptAnswer, KeyInUse, type KeyUse } from './store.ts'

/** Takes the key of a request that has one, or throws `KeyInUse`. */
export async function takeKey(
  queries: Queries,
  key: IdempotencyKey | null,
  { creditReportId, answer, nowMs }: { creditReportId: string; answer: KeptAnswer | null; nowMs: number },
): Promise<void> {
  if (key !== null) await claimKey(queries, { ...key, creditReportId, answer }, nowMs)
}

/** What a key that is in use stands for; any other `error` is thrown again. Throws when the first request had another body. */
export async function findUse(
  queries: Queries,
  key: IdempotencyKey | null,
  { error, nowMs }: { error: unknown; nowMs: number },
): Promise<KeyUse> {
  if (key === null || !(error instanceof KeyInUse)) throw error
  const use = await findKey(queries, key, nowMs)
  if (use === null) throw inProgress() // freed meanwhile: the next try finds it free
  requireSameBody(use, key)
  return use
}
