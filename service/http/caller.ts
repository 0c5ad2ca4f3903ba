// The caller of a request.
import { PERMISSIONS, type Permission, type Role } from '../../contract/roles.ts'

/** A lender's server, signed in with API credentials: it acts for exactly one tenant. */
export type ClientCaller = {
  kind: 'client'
  clientId: string
  tenantIds: readonly [string]
  scopes: readonly string[]
  /** It sends `test: true` and sees test checks alone. @default false */
  isTestOnly?: boolean
  /** The person who made the client, for the audit trail. @default the operator */
  maker?: { id: string; name: string; email: string } | null
}

/** A person, signed in through the login page: a member of any number of tenants. */
export type UserCaller = {
  kind: 'user'
  userId: string
  /** First and last name, and e-mail address: the audit trail keeps them as they are now. */
  name: string
  email: string
  sessionId: string
  /** They proved who they are within the last minutes: signed in, or typed their password or a code again. */
  isFresh: boolean
  tenantIds: readonly string[]
  /** By tenant. */
  roles: { readonly [tenantId: string]: Role }
  /** The lender whose pages they look at; null until they chose one. */
  selectedTenantId: string | null
  scopes: readonly string[]
}
export type Caller = ClientCaller | UserCaller

/**
 * Resolves to the caller a request proves to come from, or null when it proves nothing. Never throws on bad
 * credentials.
 */
export type Authenticate = (request: Request) => Promise<Caller | null>

/** True when the caller has `permission` at the tenant. Machines have scopes instead. */
export function hasPermission(caller: Caller, tenantId: string, permission: Permission): boolean {
  if (caller.kind === 'client') return true
  const role = caller.roles[tenantId]
  return role !== undefined && PERMISSIONS[role].includes(permission)
}

/** True for a credential that works in test mode alone. */
export function isTestOnly(caller: Caller): boolean {
  return caller.kind === 'client' && caller.isTestOnly === true
}
