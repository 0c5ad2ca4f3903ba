// The state that must be the same when the browser comes back from signing in. It is kept in the browser's own cookie,
// sealed, so that a callback which another browser began is refused.
import type { Context } from 'hono'
import * as z from 'zod/mini'
import type { Clock } from '../../kit/clock.ts'
import type { KeyList } from '../../kit/keys.ts'
import type { Cookies } from './cookies.ts'
import { createSealer } from './sealed-cookie.ts'

const LOGIN_SECONDS = 600
const LOGINS_MAX = 8

const LoginState = z.object({ state: z.string(), nonce: z.string(), verifier: z.string(), returnTo: z.string() })
type LoginState = z.infer<typeof LoginState>
export type Checks = Omit<LoginState, 'returnTo'>

export type LoginStates = ReturnType<typeof createLoginStates>

/** One cookie for each sign-in in progress, named by its `state`: several tabs may sign in at once. */
export function createLoginStates({ cookies, keys, clock }: { cookies: Cookies; keys: KeyList; clock: Clock }) {
  const sealer = createSealer(LoginState, { keys, clock, seconds: LOGIN_SECONDS })
  return {
    async keep(context: Context, login: LoginState): Promise<void> {
      // The oldest are dropped: sign-ins that never end must not fill the header.
      for (const state of cookies.logins(context).slice(0, 1 - LOGINS_MAX)) cookies.clear(context, `login-${state}`)
      cookies.set(context, `login-${login.state}`, await sealer.seal(login), LOGIN_SECONDS)
    },

    /** Null for a sign-in that this browser did not begin, or began too long ago. */
    async read(context: Context, state: string): Promise<LoginState | null> {
      const login = await sealer.open(cookies.read(context.req.raw, `login-${state}`))
      // A cookie put under another name is not that sign-in's.
      return login?.state === state ? login : null
    },

    drop(context: Context, state: string): void {
      if (cookies.read(context.req.raw, `login-${state}`) !== undefined) cookies.clear(context, `login-${state}`)
    },
  }
}
