import { createHash } from 'node:crypto'
import type { Clock } from '../clock.ts'
import type { Authenticate, ClientCaller, UserCaller } from '../http/caller.ts'
import type { AccessTokens, UserToken } from './access-token.ts'
import type { Clients } from './clients.ts'
import type { Cookies } from './cookies.ts'
import type { Sessions } from './sessions.ts'

/** A verified token is believed for so long without another look, and a disabled client's is no good after as much. */
const REMEMBER_MS = 60_000
const REMEMBERED_MAX = 5_000

const bearer = /^Bearer +([\w-]+\.[\w-]+\.[\w-]+)$/i

export type AuthenticateOptions = {
  tokens: AccessTokens
  clients: Clients
  sessions: Pick<Sessions, 'find'>
  cookies: Pick<Cookies, 'read'>
  clock: Clock
}

/** Reads the `Authorization` header, or else the cookie. Anything but one good token is nobody. */
export function createAuthenticate({ tokens, clients, sessions, cookies, clock }: AuthenticateOptions): Authenticate {
  // By digest: a dump of this process's memory holds no more tokens than it must.
  const remembered = new Map<string, { caller: ClientCaller; untilMs: number }>()

  return async (request) => {
    const header = request.headers.get('Authorization')
    // Whoever sends a header means the header, however wrong it is.
    const token = header === null ? cookies.read(request, 'access') : bearer.exec(header)?.[1]
    if (token === undefined) return null
    const digest = createHash('sha256').update(token).digest('base64')
    const known = remembered.get(digest)
    if (known && header !== null && clock() < known.untilMs) return known.caller

    remembered.delete(digest)
    const verified = await tokens.verify(token)
    if (verified?.kind === 'user') return signedIn(verified)
    // A cookie is a person's; a machine's token in one was put there by somebody else.
    if (verified === null || header === null || !(await clients.isEnabled(verified.clientId))) return null
    const { clientId, tenantId, scopes, expiresAtMs } = verified
    const caller: ClientCaller = { kind: 'client', clientId, tenantIds: [tenantId], scopes }
    const oldest = remembered.keys().next()
    if (remembered.size >= REMEMBERED_MAX && !oldest.done) remembered.delete(oldest.value)
    remembered.set(digest, { caller, untilMs: Math.min(expiresAtMs, clock() + REMEMBER_MS) })
    return caller
  }

  /** Asked each time: signing out and leaving a tenant count at once. */
  async function signedIn({ sessionId, scopes }: UserToken): Promise<UserCaller | null> {
    const session = await sessions.find(sessionId)
    return session && { kind: 'user', userId: session.userId, tenantIds: session.tenantIds, scopes }
  }
}
