import type { Profile, Tenant } from '../contract/account.ts'
import type { Clock } from '../kit/clock.ts'
import type { Role } from '../service/http/caller.ts'
import type { Account } from '../service/http/context.ts'
import type { Database, Transactions } from '../service/store/database.ts'
import { newId } from '../service/store/new-id.ts'
import { matchesPassword } from './password.ts'
import type { Login } from './relying-party.ts'
import type { UserRow } from './tables.ts'

export type User = {
  id: string
  email: string
  firstName: string
  lastName: string
  totpEnabled: boolean
  createdAtMs: number
}

type NewUser = {
  email: string
  firstName: string
  lastName: string
  /** Absent: signs in elsewhere only. */
  passwordHash?: string
  tenantIds: readonly string[]
  /** At each of them. @default owner */
  role?: Role
}

/** A lender somebody may act for, and what they may do there. */
export type Membership = Tenant & { role: Role; secondFactorRequired: boolean }

export type Users = ReturnType<typeof createUsers>

export function createUsers({ database, clock }: { database: Database; clock: Clock }) {
  const enabled = 'disabled_at_ms IS NULL'

  async function find(id: string): Promise<User | null> {
    return toUser(await database.first<UserRow>(`SELECT * FROM user_account WHERE id = ? AND ${enabled}`, id))
  }

  async function findByEmail(email: string): Promise<User | null> {
    return toUser(
      await database.first<UserRow>(`SELECT * FROM user_account WHERE email = ? AND ${enabled}`, normaliseEmail(email)),
    )
  }

  return {
    find,
    findByEmail,

    /** Null when someone has this e-mail address already; they stay as they are. */
    create(act: Transactions, { email, firstName, lastName, passwordHash, tenantIds, role = 'owner' }: NewUser) {
      const id = newId(clock())
      return act.transaction(async (queries) => {
        const row = await queries.first<UserRow>(
          `INSERT INTO user_account (id, email, first_name, last_name, password_hash, created_at_ms)
           VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (email) DO NOTHING RETURNING *`,
          id,
          normaliseEmail(email),
          firstName,
          lastName,
          passwordHash ?? null,
          clock(),
        )
        if (row === null) return null
        for (const tenantId of tenantIds) await queries.run(JOIN, row.id, tenantId, role, clock())
        return toUser(row)
      }, id)
    },

    /** Lets an existing user act for a tenant, in this role from now on. False when there is no such user. */
    async join(act: Transactions, email: string, tenantId: string, role: Role): Promise<boolean> {
      const user = await findByEmail(email)
      if (user === null) return false
      await act.transaction((queries) => queries.run(JOIN, user.id, tenantId, role, clock()), user.id)
      return true
    },

    /** Ends a user's membership of a tenant, at once. False when there was none. */
    async leave(act: Transactions, email: string, tenantId: string): Promise<boolean> {
      const sql =
        'DELETE FROM user_tenant WHERE tenant_id = ? AND user_id IN (SELECT id FROM user_account WHERE email = ?)'
      const left = await act.transaction((queries) => queries.run(sql, tenantId, normaliseEmail(email)))
      return left === 1
    },

    /** Deletes the user: every session is over, and their tokens stop working. False when there is no such user. */
    remove(act: Transactions, email: string): Promise<boolean> {
      return act.transaction(async (queries) => {
        const row = await queries.first<Pick<UserRow, 'id'>>(
          'SELECT id FROM user_account WHERE email = ?',
          normaliseEmail(email),
        )
        if (row === null) return false
        for (const table of ['user_session', 'user_recovery_code', 'user_login', 'user_tenant']) {
          await queries.run(`DELETE FROM ${table} WHERE user_id = ?`, row.id)
        }
        return (await queries.run('DELETE FROM user_account WHERE id = ?', row.id)) === 1
      })
    },

    /** A new password for someone who lost theirs: two-step sign-in is off and every session is over. */
    reset(act: Transactions, email: string, passwordHash: string): Promise<boolean> {
      return act.transaction(async (queries) => {
        const row = await queries.first<Pick<UserRow, 'id'>>(
          `UPDATE user_account SET password_hash = ?, totp_wrapped_key = NULL, totp_sealed_secret = NULL,
             totp_enabled_at_ms = NULL WHERE email = ? AND ${enabled} RETURNING id`,
          passwordHash,
          normaliseEmail(email),
        )
        if (row === null) return false
        await queries.run('DELETE FROM user_recovery_code WHERE user_id = ?', row.id)
        await queries.run(
          'UPDATE user_session SET ended_at_ms = ? WHERE user_id = ? AND ended_at_ms IS NULL',
          clock(),
          row.id,
        )
        return true
      })
    },

    /** Whose account it is, for the audit trail. One question, whether there is such an account or not. */
    async findAccount(by: 'id' | 'email', value: string): Promise<Account | undefined> {
      const rows = await database.all<Pick<UserRow, 'id' | 'email'> & { name: string; tenant_id: string | null }>(
        `SELECT id, email, first_name || ' ' || last_name AS name, tenant_id FROM user_account
         LEFT JOIN user_tenant ON user_id = id WHERE ${by} = ? AND ${enabled} ORDER BY tenant_id`,
        value,
      )
      const [first] = rows
      const tenantIds = rows.flatMap(({ tenant_id }) => (tenant_id === null ? [] : [tenant_id]))
      return first && { userId: first.id, name: first.name, email: first.email, tenantIds }
    },

    /** Whom these belong to. Takes the same time for people who do not exist; `signal` ends the wait for a turn. */
    async verifyPassword(email: string, password: string, signal?: AbortSignal): Promise<User | null> {
      const row = await database.first<UserRow>(`SELECT * FROM user_account WHERE email = ?`, normaliseEmail(email))
      const isOpen = row !== null && row.disabled_at_ms === null
      const stored = isOpen ? row.password_hash : null
      return (await matchesPassword(password, stored, signal)) ? toUser(row) : null
    },

    /** The user's own new password; every session but this one is over. */
    changePassword(
      act: Transactions,
      { userId, passwordHash, sessionId }: { userId: string; passwordHash: string; sessionId: string },
    ): Promise<void> {
      return act.transaction(async (queries) => {
        await queries.run('UPDATE user_account SET password_hash = ? WHERE id = ?', passwordHash, userId)
        await queries.run(
          'UPDATE user_session SET ended_at_ms = ? WHERE user_id = ? AND id <> ? AND ended_at_ms IS NULL',
          clock(),
          userId,
          sessionId,
        )
      })
    },

    /** The tenants the user is a member of, by name. */
    async listTenants(id: string): Promise<Membership[]> {
      const rows = await database.all<Tenant & { role: Role; required: number }>(
        `SELECT tenant.id, tenant.name, role, second_factor_required AS required
         FROM user_tenant JOIN tenant ON tenant.id = tenant_id WHERE user_id = ? ORDER BY tenant.name, tenant.id`,
        id,
      )
      return rows.map(({ required, ...tenant }) => ({ ...tenant, secondFactorRequired: required === 1 }))
    },

    /** Remembers the tenant, if the user is a member of it at this moment. */
    async selectTenant(id: string, tenantId: string): Promise<Tenant | null> {
      // One statement: a membership that ends meanwhile is either still there or not selected.
      const selected = await database.run(
        `UPDATE user_account SET selected_tenant_id = ?
         WHERE id = ? AND EXISTS (SELECT 1 FROM user_tenant WHERE user_id = user_account.id AND tenant_id = ?)`,
        tenantId,
        id,
        tenantId,
      )
      if (selected === 0) return null
      return database.first<Tenant>('SELECT id, name FROM tenant WHERE id = ?', tenantId)
    },

    /** Whom another provider means. The first time it makes the link, by an e-mail address that provider has verified. */
    async findByLogin({ issuer, subject, verifiedEmail }: Login): Promise<User | null> {
      const linked = await database.first<{ user_id: string }>(
        'SELECT user_id FROM user_login WHERE issuer = ? AND subject = ?',
        issuer,
        subject,
      )
      if (linked !== null) return find(linked.user_id)
      const user = verifiedEmail === null ? null : await findByEmail(verifiedEmail)
      if (user === null) return null
      // An address that went to another person there: the one who had it before is linked already, and stays so.
      const written = await database.run(
        `INSERT INTO user_login (issuer, subject, user_id, created_at_ms)
         SELECT ?, ?, id, ? FROM user_account WHERE id = ?
           AND NOT EXISTS (SELECT 1 FROM user_login WHERE issuer = ? AND user_id = user_account.id AND subject <> ?)
         ON CONFLICT DO NOTHING`,
        issuer,
        subject,
        clock(),
        user.id,
        issuer,
        subject,
      )
      return written === 1 ? user : null
    },
  }
}

export function profileOf({ id, firstName, lastName, email, totpEnabled, createdAtMs }: User): Profile {
  return { id, firstName, lastName, email, totpEnabled, createdAt: new Date(createdAtMs).toISOString() }
}

export function normaliseEmail(email: string): string {
  return email.trim().toLowerCase()
}

const JOIN = `INSERT INTO user_tenant (user_id, tenant_id, role, created_at_ms) VALUES (?, ?, ?, ?)
  ON CONFLICT (user_id, tenant_id) DO UPDATE SET role = excluded.role`

function toUser(row: UserRow): User
function toUser(row: UserRow | null): User | null
function toUser(row: UserRow | null): User | null {
  if (row === null) return null
  return {
    id: row.id,
    email: row.email,
    firstName: row.first_name,
    lastName: row.last_name,
    totpEnabled: row.totp_enabled_at_ms !== null,
    createdAtMs: row.created_at_ms,
  }
}
