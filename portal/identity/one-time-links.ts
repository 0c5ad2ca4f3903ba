// Links that work once: an invitation to act for a lender, or a new password for someone who lost theirs.
// The token is in the link alone; the database keeps its digest. A link that was used, withdrawn or has expired leaves
// no row.
import { createHash, randomBytes } from 'node:crypto'
import { ROLES, type Role } from '../../contract/roles.ts'
import { type Clock, HOUR_MS } from '../../kit/clock.ts'
import { newId } from '../../kit/new-id.ts'
import type { Database, Queries, Transactions } from '../../service/store/database.ts'
import type { LinkRow } from '../tables.ts'
import { changeMembership, createMembers, join } from './members.ts'
import { normaliseEmail, type User, type Users } from './users.ts'

export const LINK_HOURS = 72
const LINK_MS = LINK_HOURS * HOUR_MS
/** Of a link that a person asked for by mail: they are at their computer. */
const FORGOTTEN_MS = HOUR_MS
/** A second request within so long is the same one: the form was sent twice. */
const FORGOTTEN_AGAIN_MS = 60_000
const TOKEN_BYTES = 32
/** Open invitations of one lender: each is a mail, and a way in. */
export const INVITATIONS_MAX = 50

export type NewInvitation = {
  tenantId: string
  email: string
  role: Role
  /** Null: the operator. */
  by: { id: string; name: string } | null
}

export type Invitation = {
  id: string
  tenantId: string
  tenantName: string
  email: string
  role: Role
  /** The name of who invited, at that time; null: the operator. */
  invitedBy: string | null
  expiresAtMs: number
}

/** The purpose of a link. */
export type OpenLink = ({ kind: 'invitation' } & Invitation) | { kind: 'password'; email: string; expiresAtMs: number }

export type NewLink = { token: string; expiresAtMs: number }
export type OneTimeLinks = ReturnType<typeof createOneTimeLinks>

type Person = { id: string; firstName: string; lastName: string; passwordHash: string | null }

/** There is an account with this address already: only a session of it can accept. */
class AccountExists extends Error {}

export function createOneTimeLinks({ database, clock, users }: { database: Database; clock: Clock; users: Users }) {
  const open = 'token_digest = ? AND kind = ? AND expires_at_ms > ?'

  async function insert(
    queries: Queries,
    row: Omit<LinkRow, 'id' | 'token_digest' | 'created_at_ms' | 'expires_at_ms'>,
    lifetimeMs = LINK_MS,
  ) {
    const token = randomBytes(TOKEN_BYTES).toString('base64url')
    const expiresAtMs = clock() + lifetimeMs
    await queries.run(
      `INSERT INTO one_time_link
         (id, kind, token_digest, email, user_id, tenant_id, role, made_by_id, made_by, created_at_ms, expires_at_ms)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      newId(clock()),
      row.kind,
      digest(token),
      row.email,
      row.user_id,
      row.tenant_id,
      row.role,
      row.made_by_id,
      row.made_by,
      clock(),
      expiresAtMs,
    )
    return { token, expiresAtMs }
  }

  const insertPassword = (queries: Queries, user: { id: string; email: string }, lifetimeMs?: number) =>
    insert(
      queries,
      {
        kind: 'password',
        email: user.email,
        user_id: user.id,
        tenant_id: null,
        role: null,
        made_by_id: null,
        made_by: null,
      },
      lifetimeMs,
    )

  /** Uses the link up. Of any number at once, one gets the row. */
  const take = (queries: Queries, token: string, kind: LinkRow['kind']) =>
    queries.first<LinkRow>(`DELETE FROM one_time_link WHERE ${open} RETURNING *`, digest(token), kind, clock())

  return {
    /**
     * Invites an address, whether or not it has an account: nothing here looks. An invitation that was open for it
     * stops working. Null when too many are open.
     */
    invite(act: Transactions, { tenantId, email: given, role, by }: NewInvitation): Promise<NewLink | null> {
      const email = normaliseEmail(given)
      return act.transaction(
        async (queries) => {
          // Locks the lender: two at once for one address leave one invitation.
          await queries.run('UPDATE tenant SET name = name WHERE id = ?', tenantId)
          await queries.run(
            `DELETE FROM one_time_link WHERE kind = 'invitation' AND tenant_id = ? AND email = ?`,
            tenantId,
            email,
          )
          const counted = await queries.first<{ count: number }>(
            'SELECT COUNT(*) AS count FROM one_time_link WHERE tenant_id = ? AND expires_at_ms > ?',
            tenantId,
            clock(),
          )
          if ((counted?.count ?? 0) >= INVITATIONS_MAX) return null
          return insert(queries, {
            kind: 'invitation',
            email,
            user_id: null,
            tenant_id: tenantId,
            role,
            made_by_id: by?.id ?? null,
            made_by: by?.name ?? null,
          })
        },
        () => ({ object: `${email} ${role}`, objectName: email }),
      )
    },

    /** A link that could not be delivered. */
    async discard({ token }: NewLink): Promise<void> {
      await database.run('DELETE FROM one_time_link WHERE token_digest = ?', digest(token))
    },

    /** Open invitations of a lender, newest first. */
    async listInvitations(tenantId: string): Promise<Invitation[]> {
      const rows = await database.all<InvitationRow>(
        `${INVITATIONS} WHERE kind = 'invitation' AND tenant_id = ? AND expires_at_ms > ? ORDER BY one_time_link.id DESC`,
        tenantId,
        clock(),
      )
      return rows.map(toInvitation)
    },

    /** Open invitations that an address was sent, newest first. */
    async listFor(email: string): Promise<Invitation[]> {
      const rows = await database.all<InvitationRow>(
        `${INVITATIONS} WHERE kind = 'invitation' AND email = ? AND expires_at_ms > ? ORDER BY one_time_link.id DESC`,
        email,
        clock(),
      )
      return rows.map(toInvitation)
    },

    /** An open invitation by its id, which opens nothing: only a session of the address accepts it. */
    async findInvitation(id: string): Promise<Invitation | null> {
      const row = await database.first<InvitationRow>(
        `${INVITATIONS} WHERE kind = 'invitation' AND one_time_link.id = ? AND expires_at_ms > ?`,
        id,
        clock(),
      )
      return row === null ? null : toInvitation(row)
    },

    /** Resolves to the address it was for; null when it was used or withdrawn before. */
    async withdraw(act: Transactions, { tenantId, id }: { tenantId: string; id: string }): Promise<string | null> {
      const sql = `DELETE FROM one_time_link WHERE kind = 'invitation' AND id = ? AND tenant_id = ? RETURNING email`
      let email: string | null = null
      const withdraw = async (queries: Queries) => {
        email = (await queries.first<Pick<LinkRow, 'email'>>(sql, id, tenantId))?.email ?? null
        return email
      }
      return act.transaction(withdraw, () => ({ object: id, objectName: email ?? undefined }))
    },

    /** The link of a token; null for one that was used, withdrawn, has expired or never was. */
    async find(token: string, kind: OpenLink['kind']): Promise<OpenLink | null> {
      if (!TOKEN.test(token)) return null
      const row = await database.first<InvitationRow>(`${INVITATIONS} WHERE ${open}`, digest(token), kind, clock())
      if (row === null) return null
      if (kind === 'invitation') return { kind, ...toInvitation(row) }
      return { kind, email: row.email, expiresAtMs: row.expires_at_ms }
    },

    /**
     * A new account and its membership, in exchange for the link. `exists`: the address has an account; the link stays.
     */
    async acceptAsNew(act: Transactions, token: string, person: Person): Promise<User | 'exists' | null> {
      try {
        return await act.transaction(async (queries) => {
          const row = await take(queries, token, 'invitation')
          if (row === null) return null
          const user = await users.insert(queries, { email: row.email, ...person })
          if (user === null) throw new AccountExists()
          await joinBy(queries, row, user.id)
          return user
        })
      } catch (error) {
        if (error instanceof AccountExists) return 'exists'
        throw error
      }
    },

    /**
     * The membership for an account whose own session accepts. False when the invitation is over, or for another
     * address.
     */
    accept(act: Transactions, { id, tenantId }: Invitation, user: Pick<User, 'id' | 'email'>): Promise<boolean> {
      let change: { from: Role | null; to: Role } | undefined
      return act.transaction(
        async (queries) => {
          // Locks the lender first, as every other change of its people does.
          await queries.run('UPDATE tenant SET name = name WHERE id = ?', tenantId)
          const row = await queries.first<LinkRow>(
            `DELETE FROM one_time_link WHERE id = ? AND kind = 'invitation' AND email = ? AND expires_at_ms > ? RETURNING *`,
            id,
            user.email,
            clock(),
          )
          if (row === null) return false
          change = await joinBy(queries, row, user.id)
          return true
        },
        () => ({ change }),
      )
    },

    /**
     * Closes the account at once (no password, no second factor, no session); the link sets a new password. Null
     * without such an account.
     */
    async resetPassword(act: Transactions, email: string): Promise<NewLink | null> {
      const account = await users.findAccount('email', normaliseEmail(email))
      const reset = async (queries: Queries) => {
        const userId = await users.close(queries, email)
        if (userId === null) return null
        await queries.run(`DELETE FROM one_time_link WHERE kind = 'password' AND user_id = ?`, userId)
        return insertPassword(queries, { id: userId, email: normaliseEmail(email) })
      }
      return act.transaction(reset, () => ({ tenantIds: account?.tenantIds }))
    },

    /**
     * For someone who says that they forgot it, which proves nothing: the account stays as it is, and links that are
     * open stay so. Null when one was made a moment ago.
     */
    forgotPassword(act: Transactions, user: { id: string; email: string }): Promise<NewLink | null> {
      return act.transaction(async (queries) => {
        // Locks the account: two at once make one link.
        await queries.run('UPDATE user_account SET email = email WHERE id = ?', user.id)
        const recent = await queries.first(
          `SELECT 1 AS one FROM one_time_link WHERE kind = 'password' AND user_id = ? AND created_at_ms > ?`,
          user.id,
          clock() - FORGOTTEN_AGAIN_MS,
        )
        return recent === null ? insertPassword(queries, user, FORGOTTEN_MS) : null
      })
    },

    /** Ends the account's sessions and its other links. False when the link is over, or its account is gone. */
    setPassword(act: Transactions, token: string, passwordHash: string): Promise<boolean> {
      return act.transaction(async (queries) => {
        const row = await take(queries, token, 'password')
        return row !== null && users.setPassword(queries, { userId: row.user_id ?? '', passwordHash })
      })
    },

    /** Resolves to how many had expired. */
    forgetOld: () => database.run('DELETE FROM one_time_link WHERE expires_at_ms <= ?', clock()),
  }

  /**
   * Joining selects no lender, and takes nothing from a member: only an offer to become an owner changes their role.
   */
  async function joinBy(queries: Queries, { tenant_id: tenantId, role: stored }: LinkRow, userId: string) {
    if (tenantId === null || stored === null) throw new TypeError('an invitation without a lender')
    const role = roleOf(stored)
    const members = await createMembers({ database: queries }).list(tenantId)
    const from = members.find(({ id }) => id === userId)?.role ?? null
    if (from === null) await join(queries, { tenantId, userId, role, nowMs: clock() })
    else if (role === 'owner') await changeMembership(queries, { tenantId, userId, role })
    return { from, to: from === null || role === 'owner' ? role : from }
  }
}

const TOKEN = /^[\w-]{43}$/

/** A fast hash is enough for 256 random bits. */
function digest(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}

/** An invitation's role. */
function roleOf(stored: string | null): Role {
  return ROLES.find((role) => role === stored) ?? 'support'
}

const INVITATIONS =
  'SELECT one_time_link.*, tenant.name AS tenant_name FROM one_time_link LEFT JOIN tenant ON tenant.id = tenant_id'

type InvitationRow = LinkRow & { tenant_name: string | null }

function toInvitation(row: InvitationRow): Invitation {
  return {
    id: row.id,
    tenantId: row.tenant_id ?? '',
    tenantName: row.tenant_name ?? '',
    email: row.email,
    role: roleOf(row.role),
    invitedBy: row.made_by,
    expiresAtMs: row.expires_at_ms,
  }
}
