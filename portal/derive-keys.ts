import { createHmac } from 'node:crypto'
import { deriveKeyList, type KeyList } from '../kit/keys.ts'

/** One key per purpose, all from the key the portal was given: one that leaks opens nothing else. */
export type PortalKeys = {
  /** Encrypts what a browser carries through a sign-in. */
  loginCookie: KeyList
  /** Signs the provider's cookies. */
  providerCookies: readonly string[]
  /** Seals what the provider remembers. */
  providerRecords: KeyList
  /** Seals the secrets shared with authenticator apps. */
  totp: KeyList
  /** Makes the secrets of the services that send people here to sign in. */
  signInClients: Uint8Array
}

export function derivePortalKeys(roots: KeyList): PortalKeys {
  const derive = (purpose: string) => deriveKeyList(roots, `identity ${purpose}`)
  return {
    loginCookie: derive('login cookie'),
    providerCookies: derive('provider cookies').map((key) => Buffer.from(key).toString('base64url')),
    providerRecords: derive('provider records'),
    totp: derive('totp'),
    signInClients: derive('sign-in clients')[0],
  }
}

/** The secret of a sign-in client: made again whenever it is needed, so that it is stored nowhere. */
export function signInClientSecret(key: Uint8Array, clientId: string): string {
  return createHmac('sha256', key).update(clientId).digest('base64url')
}
