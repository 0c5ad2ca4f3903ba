// What a browser may carry but neither read nor change.
import { decrypt, encrypt } from '../kit/aes-gcm.ts'
import { deriveProxyKey } from './derive-key.ts'

/** Browsers drop cookies above 4096 bytes; nothing longer was sealed here. */
export const SEALED_LENGTH_MAX = 3_800

export type Seal = {
  /** Encrypts `text` so that it opens only with the same `context`. */
  seal(text: string, context: string): string
  /** The text, or null when `sealed` was made elsewhere, altered, or sealed for another context. Never throws. */
  open(sealed: string, context: string): string | null
}

/** The first secret seals; all of them open, so that a secret can be replaced without ending challenges under way. */
export function createSeal(secrets: readonly [string, ...string[]]): Seal {
  const sealing = deriveProxyKey(secrets[0], 'sealed cookie')
  const opening = [sealing, ...secrets.slice(1).map((secret) => deriveProxyKey(secret, 'sealed cookie'))]
  return {
    seal: (text, context) => encrypt(sealing, context, Buffer.from(text, 'utf8')).toString('base64url'),
    open(sealed, context) {
      if (sealed.length > SEALED_LENGTH_MAX) return null
      const bytes = Buffer.from(sealed, 'base64url')
      for (const key of opening) {
        const plain = decrypt(key, context, bytes)
        if (plain !== null) return plain.toString('utf8')
      }
      return null
    },
  }
}
