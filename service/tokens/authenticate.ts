import { createHash } from 'node:crypto'
import { createBoundedMap } from '../../kit/bounded-map.ts'
import type { Clock } from '../../kit/clock.ts'
import type { Authenticate, ClientCaller, UserCaller } from '../http/caller.ts'
import type { AccessTokens, UserToken } from './access-token.ts'
import type { Clients } from './clients.ts'

/** A verified token is believed for so long without another look, and a disabled client's is no good after as much. */
const REMEMBER_MS = 60_000
const REMEMBERED_MAX = 5_000

const bearer = /^Bearer +([\w-]+\.[\w-]+\.[\w-]+)$/i

/** Authentication of people, where the portal is mounted. */
export type People = {
  /** The access token of a browser's cookie. */
  tokenOf(request: Request): string | undefined
  /**
   * The person who signed in; null once the session is over. Asked each time: signing out and leaving a tenant take
   * effect at once.
   */
  find(token: UserToken): Promise<UserCaller | null>
}

type AuthenticateOptions = {
  tokens: AccessTokens
  clients: Clients
  /** Null: machines only. */
  people: People | null
  clock: Clock
}

/** Reads the `Authorization` header, or else the cookie. Null for anything but one valid token. */
export function createAuthenticate({ tokens, clients, people, clock }: AuthenticateOptions): Authenticate {
  // By digest: a dump of this process's memory holds no more tokens than it must.
  const remembered = createBoundedMap<{ caller: ClientCaller; untilMs: number }>(REMEMBERED_MAX)

  return async (request) => {
    const header = request.headers.get('Authorization')
    // A header takes precedence over the cookie, also when it is invalid.
    const token = header === null ? people?.tokenOf(request) : bearer.exec(header)?.[1]
    if (token === undefined) return null
    const digest = createHash('sha256').update(token).digest('base64')
    const known = remembered.get(digest)
    if (known && header !== null && clock() < known.untilMs) return known.caller

    remembered.delete(digest)
    const verified = await tokens.verify(token)
    if (verified?.kind === 'user') return people?.find(verified) ?? null
    // Cookies carry people's tokens only; a client's token in one was planted.
    const client = verified === null || header === null ? null : await clients.find(verified.clientId)
    if (verified === null || client === null) return null
    const { clientId, tenantId, scopes, expiresAtMs } = verified
    const caller: ClientCaller = { kind: 'client', clientId, tenantIds: [tenantId], scopes, ...client }
    remembered.set(digest, { caller, untilMs: Math.min(expiresAtMs, clock() + REMEMBER_MS) })
    return caller
  }
}
