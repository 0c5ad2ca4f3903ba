// What must be the same when the browser comes back from the provider. It is kept in the browser's own cookie, sealed, so
// that a callback which another browser began is refused.
import { EncryptJWT, errors, jwtDecrypt } from 'jose'
import * as z from 'zod/mini'
import type { Clock } from '../kit/clock.ts'
import type { KeyList } from '../kit/keys.ts'

export const LOGIN_SECONDS = 600

const LoginState = z.object({ state: z.string(), nonce: z.string(), verifier: z.string(), returnTo: z.string() })
type LoginState = z.infer<typeof LoginState>

export function sealLoginState([key]: KeyList, state: LoginState, clock: Clock): Promise<string> {
  return new EncryptJWT(state)
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
    .setExpirationTime(Math.floor(clock() / 1000) + LOGIN_SECONDS)
    .encrypt(key)
}

/** Null for anything we did not seal, and for what has expired. */
export async function openLoginState(keys: KeyList, sealed: string, clock: Clock): Promise<LoginState | null> {
  const opened = await Promise.all(keys.map((key) => open(key, sealed, clock)))
  return opened.find((state) => state !== null) ?? null
}

async function open(key: Uint8Array, sealed: string, clock: Clock): Promise<LoginState | null> {
  try {
    const { payload } = await jwtDecrypt(sealed, key, {
      keyManagementAlgorithms: ['dir'],
      contentEncryptionAlgorithms: ['A256GCM'],
      requiredClaims: ['exp'],
      currentDate: new Date(clock()),
    })
    const state = LoginState.safeParse(payload)
    return state.success ? state.data : null
  } catch (error) {
    if (error instanceof errors.JOSEError) return null
    throw error
  }
}
