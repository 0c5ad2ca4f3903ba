import { deriveKey } from '../kit/keys.ts'

/** One key per purpose, all from the installation's secret: a key that leaks opens nothing else. */
export type Keys = {
  /** Wraps the data key of each report. */
  reports: Uint8Array
  /** Makes the security codes. */
  codes: Uint8Array
  /** Turns a telephone number or an idempotency key into an index that says nothing about it. */
  indexes: Uint8Array
  /** Wraps the keys that sign tokens. */
  signing: Uint8Array
  /** Wraps the secrets that sign webhooks. */
  webhooks: Uint8Array
}

export function deriveKeys(secretKey: Uint8Array): Keys {
  const derive = (purpose: string) => deriveKey(secretKey, `service ${purpose}`)
  return {
    reports: derive('reports'),
    codes: derive('codes'),
    indexes: derive('indexes'),
    signing: derive('signing'),
    webhooks: derive('webhooks'),
  }
}
