// Browsers that have signed in before, by account. A cookie says so and opens nothing: passwords typed there wait in a
// queue of their own and are counted apart, so that strangers cannot use up the owner's tries or place.
import type { Context } from 'hono'
import type { Clock } from '../../kit/clock.ts'
import { isSameSecret, type KeyList, keyedIndex } from '../../kit/keys.ts'
import type { Cookies } from './cookies.ts'

export const KNOWN_SECONDS = 180 * 86_400

export type KnownDevices = ReturnType<typeof createKnownDevices>

/**
 * The cookie is when it ends and a keyed hash of that and the account: it does not show the account, and cannot be made
 * up.
 */
export function createKnownDevices({ cookies, keys, clock }: { cookies: Cookies; keys: KeyList; clock: Clock }) {
  const markOf = (key: Uint8Array, endsAt: string, email: string) =>
    keyedIndex(key, 'known device', `${endsAt}\n${email}`)
  return {
    remember(context: Context, email: string): void {
      const endsAt = String(Math.floor(clock() / 1000) + KNOWN_SECONDS)
      cookies.set(context, 'known', `${endsAt}.${markOf(keys[0], endsAt, email)}`, KNOWN_SECONDS)
    },

    /** True when this browser has signed in as the owner of this e-mail address. */
    isKnown(context: Context, email: string): boolean {
      const [endsAt = '', mark = ''] = (cookies.read(context.req.raw, 'known') ?? '').split('.')
      if (!(Number(endsAt) * 1000 > clock())) return false
      return keys.some((key) => isSameSecret(mark, markOf(key, endsAt, email)))
    },
  }
}
