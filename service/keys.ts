import { deriveKeyList, type KeyList } from '../kit/keys.ts'

export type Keys = ReturnType<typeof deriveKeys>

/** One key per purpose, all from the installation's secret: a key that leaks opens nothing else. */
export function deriveKeys(secretKeys: KeyList) {
  const derive = (purpose: string) => deriveKeyList(secretKeys, `service ${purpose}`)
  return {
    /** Wraps the data key of each report. */
    reports: derive('reports'),
    /** Makes the security codes. */
    codes: derive('codes'),
    /** Turns a telephone number or an idempotency key into an index that says nothing about it. */
    indexes: derive('indexes'),
    /** Wraps the keys that sign tokens. */
    signing: derive('signing'),
    /** Wraps the secrets that sign webhooks. */
    webhooks: derive('webhooks'),
    /** Wraps the answers that are kept for a repeat of the request. */
    answers: derive('answers'),
  }
}
