import type { Profile, Tenant } from '../../contract/account.ts'
import type { Role } from '../../contract/roles.ts'
import type { Clock } from '../../kit/clock.ts'
import { newId } from '../../kit/new-id.ts'
import type { Account } from '../../service/http/context.ts'
import type { Database, Queries, Transactions } from '../../service/store/database.ts'
import type { UserRow } from '../tables.ts'
import { changeMembership, join, readRole } from './members.ts'
import { matchesPassword, type Turn } from './password.ts'
import type { Login } from './relying-party.ts'

export type User = {
  id: string
  email: string
  firstName: string
  lastName: string
  totpEnabled: boolean
  createdAtMs: number
}

type AccountRow = {
  id: string
  email: string
  firstName: string
  lastName: string
  /** Null: signs in elsewhere only. */
  passwordHash: string | null
}

type NewUser = Omit<AccountRow, 'id' | 'passwordHash'> & {
  /** @default null */
  passwordHash?: string | null
  tenantIds: readonly string[]
  /** At each of them. @default owner */
  role?: Role
}

type NewPassword = { userId: string; passwordHash: string; sessionId?: string }

/** A lender a person may act for, and what they may do there. */
export type Membership = Tenant & { role: Role; secondFactorRequired: boolean }

export type Users = ReturnType<typeof createUsers>

export function createUsers({ database, clock }: { database: Database; clock: Clock }) {
  async function find(id: string): Promise<User | null> {
    return toUser(await database.first<UserRow>('SELECT * FROM user_account WHERE id = ?', id))
  }

  async function findByEmail(email: string): Promise<User | null> {
    return toUser(await database.first<UserRow>('SELECT * FROM user_account WHERE email = ?', normaliseEmail(email)))
  }

  /** Null when someone has this e-mail address already; they stay as they are. */
  async function insert(queries: Queries, { id, email, firstName, lastName, passwordHash }: AccountRow) {
    const row = await queries.first<UserRow>(
      `INSERT INTO user_account (id, email, first_name, last_name, password_hash, created_at_ms)
       VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (email) DO NOTHING RETURNING *`,
      id,
      normaliseEmail(email),
      firstName,
      lastName,
      passwordHash,
      clock(),
    )
    return toUser(row)
  }

  /**
   * Everything that began with the old password ends: sessions but `sessionId`, sign-ins, links for another one. False
   * without such a user.
   */
  async function setPassword(
    queries: Queries,
    { userId, passwordHash, sessionId = '' }: NewPassword,
  ): Promise<boolean> {
    const sql = 'UPDATE user_account SET password_hash = ? WHERE id = ?'
    if ((await queries.run(sql, passwordHash, userId)) === 0) return false
    await queries.run('DELETE FROM sign_in_attempt WHERE user_id = ?', userId)
    await queries.run(`DELETE FROM one_time_link WHERE kind = 'password' AND user_id = ?`, userId)
    await queries.run(
      'UPDATE user_session SET ended_at_ms = ? WHERE user_id = ? AND id <> ? AND ended_at_ms IS NULL',
      clock(),
      userId,
      sessionId,
    )
    return true
  }

  return {
    find,
    findByEmail,
    insert,

    /** Null when someone has this e-mail address already; they stay as they are. */
    create(act: Transactions, { tenantIds, role = 'owner', passwordHash = null, ...person }: NewUser) {
      const id = newId(clock())
      return act.transaction(async (queries) => {
        const user = await insert(queries, { id, passwordHash, ...person })
        if (user === null) return null
        for (const tenantId of tenantIds) await join(queries, { tenantId, userId: id, role, nowMs: clock() })
        return user
      }, id)
    },

    /**
     * Deletes the user: every session is over, and their tokens stop working. Throws for the last owner of a lender;
     * false without such a user.
     */
    remove(act: Transactions, email: string, { evenLastOwner = false } = {}): Promise<boolean> {
      let tenantIds: string[] = []
      const remove = async (queries: Queries) => {
        const row = await queries.first<Pick<UserRow, 'id'>>(
          'SELECT id FROM user_account WHERE email = ?',
          normaliseEmail(email),
        )
        if (row === null) return false
        const memberships = await queries.all<{ tenant_id: string }>(
          'SELECT tenant_id FROM user_tenant WHERE user_id = ? ORDER BY tenant_id',
          row.id,
        )
        tenantIds = memberships.map(({ tenant_id }) => tenant_id)
        for (const tenantId of tenantIds)
          await changeMembership(queries, { tenantId, userId: row.id, role: null, evenLastOwner })
        for (const table of ['user_session', 'user_recovery_code', 'user_login', 'user_tenant', 'one_time_link']) {
          await queries.run(`DELETE FROM ${table} WHERE user_id = ?`, row.id)
        }
        return (await queries.run('DELETE FROM user_account WHERE id = ?', row.id)) === 1
      }
      return act.transaction(remove, () => ({ tenantIds }))
    },

    /**
     * Until a new password is set no one signs in: no password, no second factor, every session over. Null without such
     * a user.
     */
    async close(queries: Queries, email: string): Promise<string | null> {
      const row = await queries.first<Pick<UserRow, 'id'>>(
        `UPDATE user_account SET password_hash = NULL, totp_wrapped_key = NULL, totp_sealed_secret = NULL,
           totp_enabled_at_ms = NULL WHERE email = ? RETURNING id`,
        normaliseEmail(email),
      )
      if (row === null) return null
      await queries.run('DELETE FROM user_recovery_code WHERE user_id = ?', row.id)
      await queries.run('DELETE FROM sign_in_attempt WHERE user_id = ?', row.id)
      await queries.run(
        'UPDATE user_session SET ended_at_ms = ? WHERE user_id = ? AND ended_at_ms IS NULL',
        clock(),
        row.id,
      )
      return row.id
    },

    setPassword,

    /** The owner of the account, for the audit trail. One query, whether there is such an account or not. */
    async findAccount(by: 'id' | 'email', value: string): Promise<Account | undefined> {
      const rows = await database.all<Pick<UserRow, 'id' | 'email'> & { name: string; tenant_id: string | null }>(
        `SELECT id, email, first_name || ' ' || last_name AS name, tenant_id FROM user_account
         LEFT JOIN user_tenant ON user_id = id WHERE ${by} = ? ORDER BY tenant_id`,
        value,
      )
      const [first] = rows
      const tenantIds = rows.flatMap(({ tenant_id }) => (tenant_id === null ? [] : [tenant_id]))
      return first && { userId: first.id, name: first.name, email: first.email, tenantIds }
    },

    /** Whom these belong to. Takes the same time for people who do not exist. */
    async verifyPassword(email: string, password: string, turn: Turn = {}) {
      const row = await database.first<UserRow>('SELECT * FROM user_account WHERE email = ?', normaliseEmail(email))
      const passwordHash = row?.password_hash ?? null
      const isRight = await matchesPassword(password, passwordHash, turn)
      return row !== null && passwordHash !== null && isRight ? { ...toUser(row), passwordHash } : null
    },

    /** The user's own new password, set in a session, which stays. */
    changePassword: (act: Transactions, change: NewPassword & { sessionId: string }) =>
      act.transaction((queries) => setPassword(queries, change)),

    /** The tenants the user is a member of, by name. */
    async listTenants(id: string): Promise<Membership[]> {
      const rows = await database.all<Tenant & { role: string; required: number }>(
        `SELECT tenant.id, tenant.name, role, second_factor_required AS required
         FROM user_tenant JOIN tenant ON tenant.id = tenant_id WHERE user_id = ? ORDER BY tenant.name, tenant.id`,
        id,
      )
      return rows.map(({ required, role, ...tenant }) => ({
        ...tenant,
        role: readRole(role),
        secondFactorRequired: required === 1,
      }))
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

    /**
     * Whom another provider means. The first time it makes the link, by an e-mail address that provider has verified.
     */
    async findByLogin({ issuer, subject, verifiedEmail }: Omit<Login, 'authenticatedAtMs'>): Promise<User | null> {
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
