// Who is calling. Identity answers this question; routes only ask it.

/** A lender's server, signed in with API credentials: it acts for exactly one tenant. */
export type ClientCaller = { kind: 'client'; clientId: string; tenantIds: readonly [string]; scopes: readonly string[] }
/** A person, signed in through the login page: a member of any number of tenants. */
export type UserCaller = { kind: 'user'; userId: string; tenantIds: readonly string[]; scopes: readonly string[] }
export type Caller = ClientCaller | UserCaller

/** Resolves to the caller a request proves to come from, or null when it proves nothing. Never throws on bad credentials. */
export type Authenticate = (request: Request) => Promise<Caller | null>

/** The one text that names a caller in rate limits, idempotency scopes and logs. */
export function callerKey(caller: Caller): string {
  return caller.kind === 'client' ? `client:${caller.clientId}` : `user:${caller.userId}`
}
