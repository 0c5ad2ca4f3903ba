import { hkdfSync } from 'node:crypto'

const LABEL = 'credit-report-widget tenant-proxy v1'
const KEY_BYTES = 32

/** A key of its own for each purpose, always the same for the same secret: restarts and several instances agree. */
export function deriveKey(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', `${LABEL} ${purpose}`, KEY_BYTES))
}
