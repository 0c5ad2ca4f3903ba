import { deriveKey } from '../kit/keys.ts'

const LABEL = 'credit-report-widget tenant-proxy v1'

/** A key of its own for each purpose, always the same for the same secret: restarts and several instances agree. */
export function deriveProxyKey(secret: string, purpose: string): Uint8Array {
  return deriveKey(secret, `${LABEL} ${purpose}`)
}
