// Seals what a browser carries for us: it can neither read nor change it.
import { decrypt, encrypt } from '../../kit/aes-gcm.ts'
import { deriveKeyList } from '../../kit/keys.ts'

/** Browsers drop cookies above 4096 bytes; nothing longer was sealed here. */
export const SEALED_LENGTH_MAX = 3_800

/** Always the same key for the same secret: restarts and several instances agree. */
const KEY_LABEL = 'credit-report-widget tenant-proxy v1 sealed cookie'

export type Seal = {
  /** Encrypts `plain` so that it opens only with the same `context`. */
  seal(plain: string, context: string): string
  /**
   * The sealed value, or null when `sealed` was made elsewhere, altered, or sealed for another context. Never throws.
   */
  open(sealed: string, context: string): string | null
}

/** The first secret seals; all of them open, so that a secret can be replaced without ending challenges in progress. */
export function createSeal(secrets: readonly [string, ...string[]]): Seal {
  const keys = deriveKeyList(secrets, KEY_LABEL)
  return {
    seal: (plain, context) => encrypt(keys[0], context, Buffer.from(plain, 'utf8')).toString('base64url'),
    open(sealed, context) {
      if (sealed.length > SEALED_LENGTH_MAX) return null
      const bytes = Buffer.from(sealed, 'base64url')
      for (const key of keys) {
        const plain = decrypt(key, context, bytes)
        if (plain !== null) return plain.toString('utf8')
      }
      return null
    },
  }
}
