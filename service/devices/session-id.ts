// Making and checking session ids: 16 random bytes and 8 that only this service can compute from them. Garbage is
// refused without asking the database, and a deleted session looks like one that never existed.
import { createHmac, randomBytes } from 'node:crypto'
import { deriveKey, isSameSecret, keyedIndex } from '../../kit/keys.ts'

const RANDOM_BYTES = 16
const SEAL_BYTES = 8
const shape = /^[\w-]{32}$/

export type DeviceKeys = { ids: Uint8Array; hashes: Uint8Array }

/** The two keys of this part, from the installation's secret. */
export function deriveDeviceKeys(secretKey: Uint8Array): DeviceKeys {
  const derive = (purpose: string) => deriveKey(secretKey, `devices ${purpose}`)
  return { ids: derive('session ids'), hashes: derive('hashes') }
}

export function mintSessionId(keys: DeviceKeys): string {
  const random = randomBytes(RANDOM_BYTES)
  return Buffer.concat([random, sealOf(keys, random)]).toString('base64url')
}

/** True when this service made the id, whether or not it still remembers it. */
export function isSessionId(keys: DeviceKeys, sessionId: string): boolean {
  if (!shape.test(sessionId)) return false
  const bytes = Buffer.from(sessionId, 'base64url')
  return isSameSecret(bytes.subarray(RANDOM_BYTES), sealOf(keys, bytes.subarray(0, RANDOM_BYTES)))
}

/** A hash that is stored in place of a value that is only ever compared. */
export function keyedHash(keys: DeviceKeys, purpose: string, value: string): string {
  return keyedIndex(keys.hashes, purpose, value)
}

function sealOf(keys: DeviceKeys, random: Uint8Array): Buffer {
  return createHmac('sha256', keys.ids).update(random).digest().subarray(0, SEAL_BYTES)
}
