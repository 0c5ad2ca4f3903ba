// The members of a lender and their roles. Every change of a membership goes through this file, which keeps its one
// rule: a lender that has an owner keeps one.
import { ROLES, type Role } from '../../contract/roles.ts'
import type { Queries, Transactions } from '../../service/store/database.ts'

export type Member = { id: string; email: string; name: string; role: Role; totpEnabled: boolean }

type Membership = { tenantId: string; userId: string }
type MemberRow = { role: string; id: string; email: string; name: string; totp_enabled_at_ms: number | null }

const NAME = `first_name || ' ' || last_name`

/** A role that a later version wrote means the least. */
export function readRole(role: string): Role {
  return ROLES.find((each) => each === role) ?? 'support'
}

/** Why a membership stays as it is. */
export type Unchanged = 'not a member' | 'last owner'

export const LAST_OWNER = 'They are the last owner. Make another person an owner first.'

export type Members = ReturnType<typeof createMembers>

/** Makes a person a member. One who is a member already keeps the role they have: joining never takes anything away. */
export async function join(
  queries: Queries,
  { tenantId, userId, role, nowMs }: Membership & { role: Role; nowMs: number },
): Promise<void> {
  await queries.run(
    `INSERT INTO user_tenant (user_id, tenant_id, role, created_at_ms) VALUES (?, ?, ?, ?)
     ON CONFLICT (user_id, tenant_id) DO NOTHING`,
    userId,
    tenantId,
    role,
    nowMs,
  )
}

/** Another role, or with null none: the membership ends. Null when it was changed. */
export async function changeMembership(
  queries: Queries,
  { tenantId, userId, role }: Membership & { role: Role | null },
): Promise<Unchanged | null> {
  // Locks the lender: of two owners who remove one another at once, the second is the last and stays.
  await queries.run('UPDATE tenant SET name = name WHERE id = ?', tenantId)
  const members = await queries.all<{ user_id: string; role: string }>(
    'SELECT user_id, role FROM user_tenant WHERE tenant_id = ?',
    tenantId,
  )
  const member = members.find((each) => each.user_id === userId)
  if (member === undefined) return 'not a member'
  const otherOwners = members.filter((each) => each.role === 'owner' && each.user_id !== userId)
  if (member.role === 'owner' && role !== 'owner' && otherOwners.length === 0) return 'last owner'
  // Only an owner may invite, so what others sent stops working.
  if (role !== 'owner') {
    await queries.run('DELETE FROM one_time_link WHERE tenant_id = ? AND made_by_id = ?', tenantId, userId)
  }
  // So does an offer to become an owner that waits for this person.
  await queries.run(
    `DELETE FROM one_time_link WHERE kind = 'invitation' AND tenant_id = ?
       AND email = (SELECT email FROM user_account WHERE id = ?)`,
    tenantId,
    userId,
  )
  if (role === null) {
    await queries.run('DELETE FROM user_tenant WHERE tenant_id = ? AND user_id = ?', tenantId, userId)
  } else {
    const sql = 'UPDATE user_tenant SET role = ? WHERE tenant_id = ? AND user_id = ?'
    await queries.run(sql, role, tenantId, userId)
  }
  return null
}

export function createMembers({ database }: { database: Queries }) {
  return {
    /** By e-mail address. */
    async list(tenantId: string): Promise<Member[]> {
      const rows = await database.all<MemberRow>(
        `SELECT id, email, ${NAME} AS name, role, totp_enabled_at_ms
         FROM user_tenant JOIN user_account ON id = user_id WHERE tenant_id = ? ORDER BY email`,
        tenantId,
      )
      return rows.map(({ totp_enabled_at_ms, role, ...member }) => ({
        ...member,
        role: readRole(role),
        totpEnabled: totp_enabled_at_ms !== null,
      }))
    },

    async isLastOwner(tenantId: string, { id, role }: Pick<Member, 'id' | 'role'>): Promise<boolean> {
      const sql = `SELECT 1 AS one FROM user_tenant WHERE tenant_id = ? AND role = 'owner' AND user_id <> ?`
      return role === 'owner' && (await database.first(sql, tenantId, id)) === null
    },

    /** Another role, or with null none: the membership ends. Null when it was changed. */
    async setRole(act: Transactions, change: Membership & { role: Role | null }): Promise<Unchanged | null> {
      let unchanged: Unchanged | null = null
      let from: Role | null = null
      let name: string | undefined
      await act.transaction(
        async (queries) => {
          const held = await queries.first<Pick<MemberRow, 'role' | 'name'>>(
            `SELECT role, ${NAME} AS name FROM user_tenant JOIN user_account ON id = user_id WHERE tenant_id = ? AND user_id = ?`,
            change.tenantId,
            change.userId,
          )
          from = held && readRole(held.role)
          name = held?.name
          if (held !== null && held.role === change.role) return false
          unchanged = await changeMembership(queries, change)
          return unchanged === null
        },
        () => ({ object: change.userId, objectName: name, change: { from, to: change.role } }),
      )
      return unchanged
    },

    async isSecondFactorRequired(tenantId: string): Promise<boolean> {
      const row = await database.first<{ required: number }>(
        'SELECT second_factor_required AS required FROM tenant WHERE id = ?',
        tenantId,
      )
      return row?.required === 1
    },

    /** `by`: who presses; without a second factor of their own they cannot require one. Null: the operator. */
    async requireSecondFactor(
      act: Transactions,
      { tenantId, required, by }: { tenantId: string; required: boolean; by: string | null },
    ): Promise<boolean> {
      const hasOwn = 'EXISTS (SELECT 1 FROM user_account WHERE user_account.id = ? AND totp_enabled_at_ms IS NOT NULL)'
      const needsOwn = required && by !== null
      const from = await this.isSecondFactorRequired(tenantId)
      const changed = await act.transaction(
        (queries) =>
          queries.run(
            `UPDATE tenant SET second_factor_required = ? WHERE id = ?${needsOwn ? ` AND ${hasOwn}` : ''}`,
            required ? 1 : 0,
            tenantId,
            ...(needsOwn ? [by] : []),
          ),
        () => ({ change: { from, to: required } }),
      )
      return changed === 1
    },
  }
}
