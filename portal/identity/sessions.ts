// Sessions of people. A session is renewed by its one refresh token, which is replaced each time it is used:
//
//   sign in ──▶ r1 ──renew──▶ r2 ──renew──▶ r3 …          at most twelve hours, however often
//               r1 again, within seconds ──▶ still fine: two tabs, or an answer that was lost
//               r1 again, later          ──▶ someone copied it: the session is over for both
import { createHash, randomBytes } from 'node:crypto'
import type { Role } from '../../contract/roles.ts'
import { type Clock, HOUR_MS } from '../../kit/clock.ts'
import { newId } from '../../kit/new-id.ts'
import type { UserCaller } from '../../service/http/caller.ts'
import type { Database, Queries, Transactions } from '../../service/store/database.ts'
import type { UserSessionRow } from '../tables.ts'
import { readRole } from './members.ts'

export const SESSION_MS = 12 * HOUR_MS
/** A session that was not used for so long is over. */
export const IDLE_MS = 30 * 60_000
/** The interval at which a use is recorded. */
const SEEN_EVERY_MS = 60_000
/** Time for which a refresh token that was just replaced counts as an honest repetition. */
export const REPETITION_MS = 10_000
const TOKEN_BYTES = 32
/** Time after authenticating within which a person may do what needs a fresh sign-in. */
export const FRESH_MS = 15 * 60_000

export type Session = { id: string; userId: string; expiresAtMs: number }
/** `refreshToken` is null when this was a repetition: the first request got the new one. */
type Renewal = { session: Session; refreshToken: string | null }
type SignedIn = Omit<UserCaller, 'kind' | 'scopes'>
/** The key of a session: its id, or a refresh token that belongs or belonged to it. */
export type Held = { id?: string | undefined; refreshToken?: string | undefined }
export type OpenSession = { id: string; createdAtMs: number; seenAtMs: number } & Origin
/** The description of a session for its person. */
type Origin = {
  /** In words. */
  browser: string | null
  /** The /24 or /48 of the address. */
  network: string | null
}
type NewSession = Partial<Origin> & {
  userId: string
  /** The session that the browser held until now; it ends. */
  replaces?: Held
  /** When they proved who they are, where that was not now. */
  provenAtMs?: number | null
}

type FoundRow = {
  user_id: string
  name: string
  email: string
  tenant_id: string | null
  role: string | null
  seen_at_ms: number
  proven_at_ms: number
  selected_tenant_id: string | null
}

type SessionsOptions = {
  database: Database
  clock: Clock
  /** False where another provider looks after second factors: what a lender requires cannot be checked here. */
  hasOwnLogin: boolean
}

export type Sessions = ReturnType<typeof createSessions>

export function createSessions({ database, clock, hasOwnLogin }: SessionsOptions) {
  // A lender that requires two-step sign-in is closed to those who have not turned it on.
  const isOpenTo = hasOwnLogin ? '(second_factor_required = 0 OR totp_enabled_at_ms IS NOT NULL)' : '1 = 1'
  const open = 'ended_at_ms IS NULL AND expires_at_ms > ? AND seen_at_ms > ?'
  // A proof from the future was written by a clock that has been put right since.
  const isFresh = (provenAtMs: number) => Math.abs(clock() - provenAtMs) < FRESH_MS
  const openNow = () => [clock(), clock() - IDLE_MS] as const

  async function end(queries: Queries, { id = '', refreshToken }: Held): Promise<number> {
    const given = refreshToken === undefined ? '' : digest(refreshToken)
    return queries.run(
      `UPDATE user_session SET ended_at_ms = ? WHERE ended_at_ms IS NULL AND
         (id = ? OR refresh_digest = ? OR id IN (SELECT session_id FROM refresh_token_used WHERE digest = ?))`,
      clock(),
      id,
      given,
      given,
    )
  }

  return {
    async open(act: Transactions, { userId, replaces = {}, provenAtMs = null, browser, network }: NewSession) {
      const refreshToken = newToken()
      const session = { id: newId(clock()), userId, expiresAtMs: clock() + SESSION_MS }
      await act.transaction(async (queries) => {
        await end(queries, replaces)
        await queries.run(
          `INSERT INTO user_session (id, user_id, refresh_digest, expires_at_ms, created_at_ms, seen_at_ms, proven_at_ms,
             browser, network)
           VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
          session.id,
          userId,
          digest(refreshToken),
          session.expiresAtMs,
          clock(),
          clock(),
          provenAtMs,
          browser ?? null,
          network ?? null,
        )
      })
      return { session, refreshToken }
    },

    /** Null when the token is not one of ours, is spent, or its session is over. */
    renew(refreshToken: string): Promise<Renewal | null> {
      const given = digest(refreshToken)
      const next = newToken()
      return database.transaction(async (queries) => {
        const renewed = await queries.first<SessionRow>(
          `UPDATE user_session SET refresh_digest = ?, seen_at_ms = ? WHERE refresh_digest = ? AND ${open}
           RETURNING id, user_id, expires_at_ms`,
          digest(next),
          clock(),
          given,
          ...openNow(),
        )
        if (renewed !== null) {
          await queries.run(
            'INSERT INTO refresh_token_used (digest, session_id, used_at_ms) VALUES (?, ?, ?)',
            given,
            renewed.id,
            clock(),
          )
          return { session: toSession(renewed), refreshToken: next }
        }
        const known = await queries.first<SessionRow & { used_at_ms: number }>(
          `SELECT used_at_ms, user_session.id, user_id, expires_at_ms FROM refresh_token_used
           JOIN user_session ON user_session.id = session_id WHERE digest = ? AND ${open}`,
          given,
          ...openNow(),
        )
        if (known === null) return null
        if (clock() - known.used_at_ms <= REPETITION_MS) return { session: toSession(known), refreshToken: null }
        await queries.run('UPDATE user_session SET ended_at_ms = ? WHERE id = ?', clock(), known.id)
        return null
      })
    },

    /** The person of a session and their tenants at this moment; null once the session or the account has ended. */
    async find(id: string): Promise<SignedIn | null> {
      const rows = await database.all<FoundRow>(
        `SELECT user_session.user_id, first_name || ' ' || last_name AS name, email, tenant.id AS tenant_id, role,
           seen_at_ms, COALESCE(proven_at_ms, user_session.created_at_ms) AS proven_at_ms, selected_tenant_id
         FROM user_session
         JOIN user_account ON user_account.id = user_session.user_id
         LEFT JOIN user_tenant ON user_tenant.user_id = user_session.user_id
         LEFT JOIN tenant ON tenant.id = user_tenant.tenant_id AND ${isOpenTo}
         WHERE user_session.id = ? AND ${open} ORDER BY tenant_id`,
        id,
        ...openNow(),
      )
      const [first] = rows
      if (first === undefined) return null
      if (clock() - first.seen_at_ms >= SEEN_EVERY_MS) {
        await database.run('UPDATE user_session SET seen_at_ms = ? WHERE id = ?', clock(), id)
      }
      const roles: { [tenantId: string]: Role } = {}
      for (const { tenant_id, role } of rows) {
        if (tenant_id !== null && role !== null) roles[tenant_id] = readRole(role)
      }
      return {
        userId: first.user_id,
        name: first.name,
        email: first.email,
        sessionId: id,
        isFresh: isFresh(first.proven_at_ms),
        tenantIds: Object.keys(roles),
        roles,
        selectedTenantId: first.selected_tenant_id,
      }
    },

    /**
     * The person whose session this refresh token belongs or belonged to, also once it has ended. It no longer proves
     * anything.
     */
    async findAnyBy(refreshToken: string): Promise<{ id: string; userId: string } | null> {
      const given = digest(refreshToken)
      const row = await database.first<Pick<UserSessionRow, 'id' | 'user_id'>>(
        `SELECT id, user_id FROM user_session WHERE refresh_digest = ?
           OR id IN (SELECT session_id FROM refresh_token_used WHERE digest = ?)`,
        given,
        given,
      )
      return row === null ? null : { id: row.id, userId: row.user_id }
    },

    /** The person proved again who they are. False when the session is over. */
    async prove(act: Transactions, id: string): Promise<boolean> {
      const sql = `UPDATE user_session SET proven_at_ms = ? WHERE id = ? AND ${open}`
      return (await act.transaction((queries) => queries.run(sql, clock(), id, ...openNow()))) === 1
    },

    /** Resolves to how many had expired. */
    forgetOld: () => database.run('DELETE FROM user_session WHERE expires_at_ms <= ?', clock()),

    /** Resolves to how many that ended. */
    end: (act: Transactions, held: Held) => act.transaction((queries) => end(queries, held)),

    /** The sessions of a person, newest first. */
    async list(userId: string): Promise<OpenSession[]> {
      const rows = await database.all<
        Pick<UserSessionRow, 'id' | 'created_at_ms' | 'seen_at_ms' | 'browser' | 'network'>
      >(
        `SELECT id, created_at_ms, seen_at_ms, browser, network FROM user_session WHERE user_id = ? AND ${open} ORDER BY created_at_ms DESC`,
        userId,
        ...openNow(),
      )
      return rows.map((row) => ({
        id: row.id,
        createdAtMs: row.created_at_ms,
        seenAtMs: row.seen_at_ms,
        browser: row.browser,
        network: row.network,
      }))
    },

    /** Ends one of the user's sessions, or with null all but `except`. */
    endOf(act: Transactions, userId: string, { id, except }: { id: string | null; except: string }) {
      return act.transaction((queries) =>
        queries.run(
          `UPDATE user_session SET ended_at_ms = ? WHERE user_id = ? AND ended_at_ms IS NULL AND ${id === null ? 'id <> ?' : 'id = ?'}`,
          clock(),
          userId,
          id ?? except,
        ),
      )
    },
  }
}

function newToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url')
}

/** A fast hash is enough for 256 random bits; looking one up by its digest says nothing about how close a guess was. */
function digest(token: string): string {
  return createHash('sha256').update(token).digest('base64url')
}

type SessionRow = Pick<UserSessionRow, 'id' | 'user_id' | 'expires_at_ms'>

function toSession(row: SessionRow): Session {
  return { id: row.id, userId: row.user_id, expiresAtMs: row.expires_at_ms }
}
