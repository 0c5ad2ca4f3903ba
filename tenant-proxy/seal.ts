// What a browser may carry but neither read nor change: AES-256-GCM.
//
//   sealed = base64url( 12 random bytes ‖ ciphertext ‖ 16-byte tag )
import { type CipherGCM, createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { deriveKey } from './derive-key.ts'

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16
/** Browsers drop cookies above 4096 bytes; nothing longer was sealed here. */
export const SEALED_LENGTH_MAX = 3_800

export type Seal = {
  /** Encrypts `text` so that it opens only with the same `context`. */
  seal(text: string, context: string): string
  /** The text, or null when `sealed` was made elsewhere, altered, or sealed for another context. Never throws. */
  open(sealed: string, context: string): string | null
}

type Begun = { nonce: Buffer; cipher: CipherGCM }

/** The first secret seals; all of them open, so that a secret can be replaced without ending challenges under way. */
export function createSeal(secrets: readonly [string, ...string[]]): Seal {
  const sealing = deriveKey(secrets[0], 'sealed cookie')
  const opening = [sealing, ...secrets.slice(1).map((secret) => deriveKey(secret, 'sealed cookie'))]
  // Most of a seal's time goes into its beginning, which needs no text: it is made while nobody waits, and used once.
  let begun: Begun | null = null
  const begin = (): Begun => {
    const nonce = randomBytes(NONCE_BYTES)
    return { nonce, cipher: createCipheriv(CIPHER, sealing, nonce) }
  }

  return {
    seal(text, context) {
      const { nonce, cipher } = begun ?? begin()
      begun = null
      setImmediate(() => {
        begun ??= begin()
      })
      cipher.setAAD(Buffer.from(context))
      return Buffer.concat([nonce, cipher.update(text), cipher.final(), cipher.getAuthTag()]).toString('base64url')
    },
    open(sealed, context) {
      if (sealed.length > SEALED_LENGTH_MAX) return null
      const bytes = Buffer.from(sealed, 'base64url')
      if (bytes.length < NONCE_BYTES + TAG_BYTES) return null
      for (const key of opening) {
        const text = decrypt(bytes, key, context)
        if (text !== null) return text
      }
      return null
    },
  }
}

function decrypt(bytes: Buffer, key: Buffer, context: string): string | null {
  const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
  decipher.setAAD(Buffer.from(context)).setAuthTag(bytes.subarray(-TAG_BYTES))
  try {
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]).toString()
  } catch {
    return null
  }
}
