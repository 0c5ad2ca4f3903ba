import type { Queries } from '../store/database.ts'
import { type IdempotencyKey, inProgress, requireSameBody } from './key.ts'
import { claimKey, findKey, type KeptAnswer, type KeyUse } from './store.ts'

/**
 * Null when the key is this request's from now on (or it has none); else what it stands for already. Throws when the
 * first request had another body. Of two requests at once, one gets null and the other waits, then sees what became of it.
 */
export async function takeKey(
  queries: Queries,
  key: IdempotencyKey | null,
  { creditReportId, answer, nowMs }: { creditReportId: string; answer: KeptAnswer | null; nowMs: number },
): Promise<KeyUse | null> {
  if (key === null) return null
  const isUsed = key.older.length > 0 && (await findKey(queries, key, nowMs)) !== null
  if (!isUsed && (await claimKey(queries, { ...key, creditReportId, answer }, nowMs))) return null
  const use = await findKey(queries, key, nowMs)
  if (use === null) throw inProgress() // freed between the two statements: the next try finds it free
  requireSameBody(use, key)
  return use
}
