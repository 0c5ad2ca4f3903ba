import type { Context } from 'hono'
import type { Clock } from '../../kit/clock.ts'
import { networkOf } from '../../kit/network.ts'
import { clientAddress } from '../../service/http/client-address.ts'
import type { ServiceEnv } from '../../service/http/context.ts'
import type { AccessTokens } from '../../service/tokens/access-token.ts'
import { ACCESS_COOKIE_SECONDS, type Cookies } from './cookies.ts'
import type { Held, Session, Sessions } from './sessions.ts'

export type BrowserSession = ReturnType<typeof createBrowserSession>
type BrowserSessionOptions = {
  sessions: Sessions
  tokens: AccessTokens
  cookies: Cookies
  clock: Clock
  trustedHops: number
}

/** A session as a browser holds it: an access token for minutes, a refresh token for hours, both in cookies. */
export function createBrowserSession({ sessions, tokens, cookies, clock, trustedHops }: BrowserSessionOptions) {
  async function give(context: Context, session: Session, refreshToken: string | null): Promise<void> {
    cookies.set(context, 'access', await tokens.issueToUser(session), ACCESS_COOKIE_SECONDS)
    const leftSeconds = Math.max(0, Math.floor((session.expiresAtMs - clock()) / 1000))
    if (refreshToken !== null) cookies.set(context, 'refresh', refreshToken, leftSeconds)
  }

  async function heldBy(context: Context): Promise<Held> {
    const accessToken = cookies.read(context.req.raw, 'access')
    const verified = accessToken === undefined ? null : await tokens.verify(accessToken)
    return {
      refreshToken: cookies.read(context.req.raw, 'refresh'),
      id: verified?.kind === 'user' ? verified.sessionId : undefined,
    }
  }

  /** Takes the cookies away. */
  function clear(context: Context): void {
    cookies.clear(context, 'access')
    cookies.clear(context, 'refresh')
  }

  return {
    clear,
    /**
     * A new session for this browser; the one it had is over. `provenAtMs`: when they proved who they are, where that
     * was not now.
     */
    async begin(context: Context<ServiceEnv>, userId: string, provenAtMs?: number): Promise<void> {
      const address = clientAddress(context, trustedHops)
      const { session, refreshToken } = await sessions.open(context.get('act'), {
        userId,
        replaces: await heldBy(context),
        provenAtMs: provenAtMs ?? null,
        browser: nameBrowser(context.req.header('User-Agent')),
        network: address && networkOf(address),
      })
      await give(context, session, refreshToken)
    },
    /** Fresh cookies for a session whose access token has expired; null when it cannot be renewed. */
    async renew(context: Context): Promise<Session | null> {
      const refreshToken = cookies.read(context.req.raw, 'refresh')
      const renewal = refreshToken === undefined ? null : await sessions.renew(refreshToken)
      if (renewal === null) return null
      await give(context, renewal.session, renewal.refreshToken)
      return renewal.session
    },
    /** Signs out: the session is over, the cookies are gone. */
    async end(context: Context<ServiceEnv>): Promise<void> {
      const held = await heldBy(context)
      const person = held.id === undefined ? null : await sessions.find(held.id)
      // The audit trail names them.
      if (person !== null) context.set('caller', { kind: 'user', ...person, scopes: [] })
      await sessions.end(context.get('act'), held)
      clear(context)
    },
  }
}

const AGENT_LENGTH_MAX = 400

/** The first that fits: most browsers also carry the names of those below theirs. */
const BROWSERS = [
  [/\bEdg(?:A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
] as const
const SYSTEMS = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bWindows\b/, 'Windows'],
  [/\bMacintosh\b/, 'macOS'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bLinux\b/, 'Linux'],
] as const

/** A `User-Agent` header in words, for people to recognise; null when it names no browser we know. */
export function nameBrowser(agent = ''): string | null {
  const given = agent.slice(0, AGENT_LENGTH_MAX)
  const browser = BROWSERS.find(([pattern]) => pattern.test(given))?.[1]
  const system = SYSTEMS.find(([pattern]) => pattern.test(given))?.[1]
  if (browser === undefined) return null
  return system === undefined ? browser : `${browser} on ${system}`
}
