// Who is calling. Identity answers this question; routes only ask it.

/** A lender's server, signed in with API credentials: it acts for exactly one tenant. */
export type ClientCaller = { kind: 'client'; clientId: string; tenantIds: readonly [string]; scopes: readonly string[] }
/** What a person may do for a tenant, each more than the one before: look; everything. */
export const ROLES = ['viewer', 'owner'] as const
export type Role = (typeof ROLES)[number]

/** A role as it is stored. 0.2.0 also wrote `operator`, which means `viewer` now. */
export function readRole(stored: string): Role {
  return stored === 'owner' ? 'owner' : 'viewer'
}

/** A person, signed in through the login page: a member of any number of tenants. */
export type UserCaller = {
  kind: 'user'
  userId: string
  /** First and last name, and e-mail address: the audit trail keeps them as they are now. */
  name: string
  email: string
  sessionId: string
  tenantIds: readonly string[]
  /** By tenant. */
  roles: { readonly [tenantId: string]: Role }
  /** Whose pages they look at; null until they chose one. */
  selectedTenantId: string | null
  scopes: readonly string[]
}
export type Caller = ClientCaller | UserCaller

/** Resolves to the caller a request proves to come from, or null when it proves nothing. Never throws on bad credentials. */
export type Authenticate = (request: Request) => Promise<Caller | null>

/** Whether the caller may do what needs `role` at the tenant. Machines have scopes instead. */
export function hasRole(caller: Caller, tenantId: string, role: Role): boolean {
  if (caller.kind === 'client') return true
  const held = caller.roles[tenantId]
  return held !== undefined && ROLES.indexOf(held) >= ROLES.indexOf(role)
}

/** The one string that names a caller in rate limits, idempotency scopes and logs. */
export function callerKey(caller: Caller): string {
  return caller.kind === 'client' ? `client:${caller.clientId}` : `user:${caller.userId}`
}
