import { createHmac } from 'node:crypto'
import { deriveKey } from '../kit/keys.ts'

/** One key per purpose, all from the key the portal was given: one that leaks opens nothing else. */
export type PortalKeys = {
  /** Encrypts what a browser carries through a sign-in. */
  loginCookie: Uint8Array
  /** Signs the provider's cookies. */
  providerCookies: string
  /** Seals what the provider remembers. */
  providerRecords: Uint8Array
  /** Seals the secrets shared with authenticator apps. */
  totp: Uint8Array
  /** Makes the secrets of the services that send people here to sign in. */
  signInClients: Uint8Array
}

export function derivePortalKeys(root: Uint8Array): PortalKeys {
  const derive = (purpose: string) => deriveKey(root, `identity ${purpose}`)
  return {
    loginCookie: derive('login cookie'),
    providerCookies: Buffer.from(derive('provider cookies')).toString('base64url'),
    providerRecords: derive('provider records'),
    totp: derive('totp'),
    signInClients: derive('sign-in clients'),
  }
}

/** The secret of a sign-in client: made again whenever it is needed, so that it is stored nowhere. */
export function signInClientSecret(key: Uint8Array, clientId: string): string {
  return createHmac('sha256', key).update(clientId).digest('base64url')
}
