import { deriveKeyList, type KeyList } from '../kit/keys.ts'

/** One key per purpose, all from the installation's secret: a key that leaks opens nothing else. */
export type Keys = {
  /** Wraps the data key of each report. */
  reports: KeyList
  /** Makes the security codes. */
  codes: KeyList
  /** Turns a telephone number or an idempotency key into an index that says nothing about it. */
  indexes: KeyList
  /** Wraps the keys that sign tokens. */
  signing: KeyList
  /** Wraps the secrets that sign webhooks. */
  webhooks: KeyList
}

export function deriveKeys(secretKeys: KeyList): Keys {
  const derive = (purpose: string) => deriveKeyList(secretKeys, `service ${purpose}`)
  return {
    reports: derive('reports'),
    codes: derive('codes'),
    indexes: derive('indexes'),
    signing: derive('signing'),
    webhooks: derive('webhooks'),
  }
}
