// The cookies of a browser that signs in. None can be read by a script, sent by another site's form, or set by a
// sub-domain.
import type { Context } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { CLOCK_TOLERANCE_SECONDS } from '../../service/tokens/access-token.ts'
import { TOKEN_LIFETIME_SECONDS } from '../../service/tokens/signing-keys.ts'

/**
 * `login-…`: what the callback must be compared with, one for each sign-in in progress in this browser.
 * `form`: what was typed into a form whose session was over.
 * `known`: this browser has signed in before. `ready`: an account that was made or given a password here a moment ago.
 */
type Name = `login-${string}` | 'access' | 'refresh' | 'known' | 'ready' | 'form'

export const ACCESS_COOKIE_SECONDS = TOKEN_LIFETIME_SECONDS - CLOCK_TOLERANCE_SECONDS

export type Cookies = ReturnType<typeof createCookies>

/** `secure` is false only where the service itself is reached by plain http, on a developer's machine. */
export function createCookies({ secure }: { secure: boolean }) {
  const full = (name: Name) => (secure ? `__Host-${name}` : name)
  return {
    read(request: Request, name: Name): string | undefined {
      const pairs = (request.headers.get('Cookie') ?? '').split(/; */).map((pair) => pair.split('='))
      // Two of the same name are refused: a sub-domain may have added one.
      const values = pairs.filter(([key]) => key === full(name)).map(([, ...value]) => value.join('='))
      return values.length === 1 ? values[0] : undefined
    },
    set(context: Context, name: Name, value: string, seconds: number): void {
      setCookie(context, full(name), value, { path: '/', httpOnly: true, sameSite: 'Lax', secure, maxAge: seconds })
    },
    clear(context: Context, name: Name): void {
      deleteCookie(context, full(name), { path: '/', httpOnly: true, sameSite: 'Lax', secure })
    },
    /** The sign-ins in progress, by what their cookies' names end with; oldest first, as browsers send them. */
    logins(context: Context): string[] {
      const prefix = full('login-')
      const names = Object.keys(getCookie(context)).filter((name) => name.startsWith(prefix))
      return names.map((name) => name.slice(prefix.length))
    },
  }
}
