// What a browser may carry but neither read nor change: AES-256-GCM through WebCrypto.
//
//   sealed = base64url( 12 random bytes ‖ ciphertext ‖ 16-byte tag )
import { deriveKey } from './derive-key.ts'

const NONCE_BYTES = 12
const TAG_BYTES = 16
/** Browsers drop cookies above 4096 bytes; nothing longer was sealed here. */
export const SEALED_LENGTH_MAX = 3_800

export type Seal = {
  /** Encrypts `text` so that it opens only with the same `context`. */
  seal(text: string, context: string): Promise<string>
  /** The text, or null when `sealed` was made elsewhere, altered, or sealed for another context. Never throws. */
  open(sealed: string, context: string): Promise<string | null>
}

/** The first secret seals; all of them open, so that a secret can be replaced without ending challenges under way. */
export function createSeal(secrets: readonly [string, ...string[]]): Seal {
  const sealing = aesKey(secrets[0])
  const opening = [sealing, ...secrets.slice(1).map(aesKey)]

  return {
    async seal(text, context) {
      const nonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES))
      const ciphertext = await crypto.subtle.encrypt(algorithm(nonce, context), await sealing, Buffer.from(text))
      return Buffer.concat([nonce, Buffer.from(ciphertext)]).toString('base64url')
    },
    async open(sealed, context) {
      if (sealed.length > SEALED_LENGTH_MAX) return null
      const bytes = Uint8Array.from(Buffer.from(sealed, 'base64url'))
      if (bytes.length < NONCE_BYTES + TAG_BYTES) return null
      const [nonce, ciphertext] = [bytes.subarray(0, NONCE_BYTES), bytes.subarray(NONCE_BYTES)]
      for (const key of opening) {
        try {
          return Buffer.from(await crypto.subtle.decrypt(algorithm(nonce, context), await key, ciphertext)).toString()
        } catch {
          // Not sealed with this secret; perhaps with an older one.
        }
      }
      return null
    },
  }
}

function aesKey(secret: string): Promise<CryptoKey> {
  return deriveKey(secret, 'sealed cookie', { name: 'AES-GCM', length: 256 }, ['encrypt', 'decrypt'])
}

function algorithm(iv: Uint8Array<ArrayBuffer>, context: string): AesGcmParams {
  return { name: 'AES-GCM', iv, additionalData: Buffer.from(context) }
}
