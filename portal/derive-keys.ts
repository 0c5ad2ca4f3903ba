import { createHmac } from 'node:crypto'
import { deriveKeyList, type KeyList } from '../kit/keys.ts'

export type PortalKeys = ReturnType<typeof derivePortalKeys>

/** One key per purpose, all from the key the portal was given: one that leaks opens nothing else. */
export function derivePortalKeys(roots: KeyList) {
  const derive = (purpose: string) => deriveKeyList(roots, `identity ${purpose}`)
  return {
    /** Encrypts what a browser carries through a sign-in. */
    loginCookie: derive('login cookie'),
    /** Signs the provider's cookies. */
    providerCookies: derive('provider cookies').map((key) => Buffer.from(key).toString('base64url')),
    /** Seals what the provider remembers. */
    providerRecords: derive('provider records'),
    /** Seals the secrets shared with authenticator apps. */
    totp: derive('totp'),
    /** Makes the secrets of the services that send people here to sign in. */
    signInClients: derive('sign-in clients')[0],
  }
}

/** The secret of a sign-in client: made again whenever it is needed, so that it is stored nowhere. */
export function signInClientSecret(key: Uint8Array, clientId: string): string {
  return createHmac('sha256', key).update(clientId).digest('base64url')
}
