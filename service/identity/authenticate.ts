import { createHash } from 'node:crypto'
import type { Clock } from '../clock.ts'
import type { Authenticate, ClientCaller } from '../http/caller.ts'
import type { AccessTokens } from './access-token.ts'
import type { Clients } from './clients.ts'

/** A verified token is believed for so long without another look, and a disabled client's is no good after as much. */
const REMEMBER_MS = 60_000
const REMEMBERED_MAX = 5_000

const bearer = /^Bearer +([\w-]+\.[\w-]+\.[\w-]+)$/i

export type AuthenticateOptions = { tokens: AccessTokens; clients: Clients; clock: Clock }

/** Reads the `Authorization` header. Anything but one good token is nobody. */
export function createAuthenticate({ tokens, clients, clock }: AuthenticateOptions): Authenticate {
  // By digest: a dump of this process's memory holds no more tokens than it must.
  const remembered = new Map<string, { caller: ClientCaller; untilMs: number }>()

  return async (request) => {
    const token = bearer.exec(request.headers.get('Authorization') ?? '')?.[1]
    if (token === undefined) return null
    const digest = createHash('sha256').update(token).digest('base64')
    const known = remembered.get(digest)
    if (known && clock() < known.untilMs) return known.caller

    remembered.delete(digest)
    const verified = await tokens.verify(token)
    if (verified === null || !(await clients.isEnabled(verified.clientId))) return null
    const { clientId, tenantId, scopes, expiresAtMs } = verified
    const caller: ClientCaller = { kind: 'client', clientId, tenantIds: [tenantId], scopes }
    const oldest = remembered.keys().next()
    if (remembered.size >= REMEMBERED_MAX && !oldest.done) remembered.delete(oldest.value)
    remembered.set(digest, { caller, untilMs: Math.min(expiresAtMs, clock() + REMEMBER_MS) })
    return caller
  }
}
