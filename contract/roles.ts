// Permissions of people at a lender. A rule names a permission, never a role: one table gives each role its
// permissions.

export const ROLES = ['owner', 'developer', 'support', 'finance', 'auditor'] as const
export type Role = (typeof ROLES)[number]

export type Permission =
  /** See Today, checks with their timelines, and money. */
  | 'look'
  /** See the lists of API clients and webhooks. */
  | 'connections'
  /** Change API clients and webhooks, and send events again. */
  | 'integration'
  /** Change spend caps and the low-balance alert. */
  | 'money'
  /** See who acts for the lender. */
  | 'members'
  /** Change who acts for the lender, and how they sign in. */
  | 'people'
  /** Read and download the audit trail. */
  | 'audit'
  /** Make links to checks, and revoke them. */
  | 'links'
  /** Run checks, and open a consumer's report. */
  | 'report'
  /** Export and erase what is stored about a consumer. */
  | 'data'

export const PERMISSIONS: { readonly [role in Role]: readonly Permission[] } = {
  owner: ['look', 'connections', 'integration', 'money', 'members', 'people', 'audit', 'links', 'report', 'data'],
  developer: ['look', 'connections', 'integration'],
  support: ['look', 'links'],
  finance: ['look', 'money'],
  auditor: ['look', 'connections', 'members', 'audit'],
}

/** `owner or developer`: the roles that have a permission, in words. */
export function rolesWith(permission: Permission): string {
  return ROLES.filter((role) => PERMISSIONS[role].includes(permission)).join(' or ')
}
