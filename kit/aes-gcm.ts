// AES-256-GCM with a fresh nonce each time: sealed = 12 random bytes ‖ ciphertext ‖ 16-byte tag.
import { createCipheriv, createDecipheriv } from 'node:crypto'
import { takeRandom } from './random.ts'

const ALGORITHM = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Opens only with the same key and the same label. Text is sealed as UTF-8. */
export function encrypt(key: Uint8Array, label: string, plain: Uint8Array | string): Buffer {
  const nonce = takeRandom(NONCE_BYTES)
  const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(Buffer.from(label))
  const sealed = typeof plain === 'string' ? cipher.update(plain, 'utf8') : cipher.update(plain)
  return Buffer.concat([nonce, sealed, cipher.final(), cipher.getAuthTag()])
}

/** Null when the content was sealed under another key or label, changed, or cut short. */
export function decrypt(key: Uint8Array, label: string, sealed: Uint8Array): Buffer | null {
  if (sealed.length < NONCE_BYTES + TAG_BYTES) return null
  const nonce = sealed.subarray(0, NONCE_BYTES)
  const tag = sealed.subarray(sealed.length - TAG_BYTES)
  const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(label))
  decipher.setAuthTag(tag)
  try {
    return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, sealed.length - TAG_BYTES)), decipher.final()])
  } catch {
    return null
  }
}
