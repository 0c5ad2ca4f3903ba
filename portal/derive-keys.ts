import { deriveKeyList, type KeyList } from '../kit/keys.ts'

/** One key per purpose, all from the key the portal was given: one that leaks opens nothing else. */
export function derivePortalKeys(roots: KeyList) {
  const derive = (purpose: string) => deriveKeyList(roots, `identity ${purpose}`)
  return {
    /** Encrypts what a browser carries through a sign-in. */
    loginCookie: derive('login cookie'),
    /** Marks browsers that have signed in before. */
    knownDevices: derive('known devices'),
    /** Encrypts which account was made ready for a sign-in. */
    readyAccounts: derive('ready accounts'),
    /** Encrypts a form whose session was over. */
    keptForms: derive('kept forms'),
    /** Seals the secrets shared with authenticator apps. */
    totp: derive('totp'),
    /** Seals what the console shows once. */
    presses: derive('presses'),
  }
}
