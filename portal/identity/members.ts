// The members of a lender and their roles. Every change of a membership goes through this file, which keeps its one
// rule: a lender that has an owner keeps one.
import { ROLES, type Role } from '../../contract/roles.ts'
import { ApiError } from '../../service/http/api-error.ts'
import type { Queries, Transactions } from '../../service/store/database.ts'

export type Member = { id: string; email: string; name: string; role: Role; totpEnabled: boolean }

type Membership = { tenantId: string; userId: string }
type MemberRow = { role: string; id: string; email: string; name: string; totp_enabled_at_ms: number | null }

const NAME = `first_name || ' ' || last_name`

/** A role that a later version wrote means the least. */
export function readRole(role: string): Role {
  return ROLES.find((each) => each === role) ?? 'support'
}

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

/**
 * Another role, or with null none: the membership ends. Resolves to the role before. Throws for someone who is not a
 * member, and for the last owner.
 */
export async function changeMembership(
  queries: Queries,
  { tenantId, userId, role, evenLastOwner = false }: Membership & { role: Role | null; evenLastOwner?: boolean },
): Promise<Role> {
  // Locks the lender: of two owners who remove one another at once, the second is the last and stays.
  await queries.run('UPDATE tenant SET name = name WHERE id = ?', tenantId)
  const members = await queries.all<{ user_id: string; role: string }>(
    'SELECT user_id, role FROM user_tenant WHERE tenant_id = ?',
    tenantId,
  )
  const member = members.find((each) => each.user_id === userId)
  if (member === undefined) throw notMember(userId)
  if (member.role === role) return role
  const otherOwners = members.filter((each) => each.role === 'owner' && each.user_id !== userId)
  if (member.role === 'owner' && otherOwners.length === 0 && !evenLastOwner)
    throw new ApiError('forbidden', `they are the last owner of "${tenantId}": make another person its owner first`)
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
  return readRole(member.role)
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

    /** Another role, or with null none: the membership ends. `person`: their id or e-mail address. */
    async setRole(
      act: Transactions,
      { tenantId, person, role }: { tenantId: string; person: string; role: Role | null },
    ) {
      const members = await this.list(tenantId)
      const member = members.find(({ id, email }) => id === person || email === person.trim().toLowerCase())
      if (member === undefined) throw notMember(person)
      let was = member.role
      const work = async (queries: Queries) => {
        was = await changeMembership(queries, { tenantId, userId: member.id, role })
        return was !== role
      }
      const { id: object, name: objectName } = member
      await act.transaction(work, () => ({ object, objectName, change: { from: was, to: role } }))
      return { person: member.email, role: role ?? ('none' as const), was }
    },

    async isSecondFactorRequired(tenantId: string): Promise<boolean> {
      const row = await database.first<{ required: number }>(
        'SELECT second_factor_required AS required FROM tenant WHERE id = ?',
        tenantId,
      )
      return row?.required === 1
    },

    /**
     * False where it cannot be required: a person without a second factor of their own would shut themselves out.
     * `by`: null for the operator.
     */
    async requireSecondFactor(
      act: Transactions,
      { tenantId, required, by }: { tenantId: string; required: boolean; by: string | null },
    ): Promise<boolean> {
      const hasOwn = 'EXISTS (SELECT 1 FROM user_account WHERE user_account.id = ? AND totp_enabled_at_ms IS NOT NULL)'
      const needsOwn = required && by !== null
      const from = await this.isSecondFactorRequired(tenantId)
      if (from === required) return true
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

function notMember(person: string): ApiError {
  return new ApiError('not-found', `"${person}" does not act for this lender`)
}
