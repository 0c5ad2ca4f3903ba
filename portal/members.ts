// Who may act for a lender, and as what.
import type { Role } from '../service/http/caller.ts'
import type { Queries, Transactions } from '../service/store/database.ts'

export type Member = { id: string; email: string; name: string; role: Role; totpEnabled: boolean }

type NewRole = { tenantId: string; userId: string; role: Role | null }
type MemberRow = { id: string; email: string; name: string; role: Role; totp_enabled_at_ms: number | null }

export type Members = ReturnType<typeof createMembers>

export function createMembers({ database }: { database: Queries }) {
  return {
    /** By e-mail address. */
    async list(tenantId: string): Promise<Member[]> {
      const rows = await database.all<MemberRow>(
        `SELECT id, email, first_name || ' ' || last_name AS name, role, totp_enabled_at_ms
         FROM user_tenant JOIN user_account ON id = user_id WHERE tenant_id = ? AND disabled_at_ms IS NULL ORDER BY email`,
        tenantId,
      )
      return rows.map(({ totp_enabled_at_ms, ...member }) => ({ ...member, totpEnabled: totp_enabled_at_ms !== null }))
    },

    /** Another role, or with null none: the membership ends. False for the last owner, and without such a member. */
    setRole(act: Transactions, { tenantId, userId, role }: NewRole): Promise<boolean> {
      let from: Role | null = null
      const work = async (queries: Queries) => {
        // Locks the lender: of two owners who remove one another at once, the second is the last and stays.
        await queries.run('UPDATE tenant SET name = name WHERE id = ?', tenantId)
        const other = await queries.first(
          `SELECT 1 AS one FROM user_tenant WHERE tenant_id = ? AND role = 'owner' AND user_id <> ?`,
          tenantId,
          userId,
        )
        if (other === null && role !== 'owner') return false
        const held = await queries.first<{ role: Role }>(
          'SELECT role FROM user_tenant WHERE tenant_id = ? AND user_id = ?',
          tenantId,
          userId,
        )
        from = held?.role ?? null
        const changed =
          role === null
            ? await queries.run('DELETE FROM user_tenant WHERE tenant_id = ? AND user_id = ?', tenantId, userId)
            : await queries.run(
                'UPDATE user_tenant SET role = ? WHERE tenant_id = ? AND user_id = ?',
                role,
                tenantId,
                userId,
              )
        return changed === 1
      }
      return act.transaction(work, () => ({ change: { from, to: role } }))
    },

    async isSecondFactorRequired(tenantId: string): Promise<boolean> {
      const row = await database.first<{ required: number }>(
        'SELECT second_factor_required AS required FROM tenant WHERE id = ?',
        tenantId,
      )
      return row?.required === 1
    },

    async requireSecondFactor(act: Transactions, tenantId: string, required: boolean): Promise<void> {
      const from = await this.isSecondFactorRequired(tenantId)
      const sql = 'UPDATE tenant SET second_factor_required = ? WHERE id = ?'
      await act.transaction(
        (queries) => queries.run(sql, required ? 1 : 0, tenantId),
        () => ({ change: { from, to: required } }),
      )
    },
  }
}
