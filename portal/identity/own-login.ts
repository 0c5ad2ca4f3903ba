// The built-in sign-in, from the login page to the callback.
//
//   /v1/oauth/login ──▶ /v1/oauth/sign-in/{state} ──▶ /v1/oauth/callback?code&state ──▶ session
//     sealed cookie:       password right: a row;        the row is deleted, whatever
//     state, verifier      second factor: five codes     the code turns out to be
//
// Nothing is stored before the right password. The row is found by a digest of the verifier, and the code is derived
// from it: the verifier is in this browser's sealed cookie alone, so the table is of no use to its reader, and a form
// that was sent twice leads to the same code.
import { randomBytes } from 'node:crypto'
import type { Clock } from '../../kit/clock.ts'
import { isSameSecret, keyedIndex } from '../../kit/keys.ts'
import type { Database } from '../../service/store/database.ts'
import type { Checks } from './login-state.ts'

export const SIGN_IN_PATH = '/v1/oauth/sign-in'
export const CALLBACK_PATH = '/v1/oauth/callback'

/** Time after the password within which the second factor may be typed. */
const ATTEMPT_MS = 600_000
/** Time for the browser to follow the redirect to the callback. */
export const CODE_MS = 60_000
/** Codes of the second factor for one right password. */
export const CODES_PER_PASSWORD = 5

/** The progress of a sign-in since the password was right. */
type Progress = { userId: string; isProven: boolean }

export type OwnLogin = ReturnType<typeof createOwnLogin>

export function createOwnLogin({ database, clock }: { database: Database; clock: Clock }) {
  return {
    async begin(): Promise<{ url: string; checks: Checks }> {
      const checks = { state: newSecret(), verifier: newSecret(), nonce: '' }
      return { url: `${SIGN_IN_PATH}/${checks.state}`, checks }
    },

    /** Null before the password was right, and when too much time has passed since. */
    async find(verifier: string): Promise<Progress | null> {
      const row = await database.first<{ user_id: string; proven_until_ms: number | null }>(
        'SELECT user_id, proven_until_ms FROM sign_in_attempt WHERE verifier_digest = ? AND expires_at_ms > ?',
        digest(verifier),
        clock(),
      )
      return row && { userId: row.user_id, isProven: (row.proven_until_ms ?? 0) > clock() }
    },

    /**
     * The password was right. Whether a second factor is still to come is read as the row is written. Null when the
     * password was changed while it was being checked.
     */
    async passPassword(verifier: string, user: { id: string; passwordHash: string }): Promise<Progress | null> {
      const row = await database.first<{ proven_until_ms: number | null }>(
        `INSERT INTO sign_in_attempt (verifier_digest, user_id, codes_tried, proven_until_ms, expires_at_ms)
         SELECT ?, id, 0, CASE WHEN totp_enabled_at_ms IS NULL THEN CAST(? AS BIGINT) END, ?
         FROM user_account WHERE id = ? AND password_hash = ?
         ON CONFLICT (verifier_digest) DO UPDATE SET user_id = excluded.user_id, codes_tried = 0,
           proven_until_ms = excluded.proven_until_ms, expires_at_ms = excluded.expires_at_ms
         RETURNING proven_until_ms`,
        digest(verifier),
        clock() + CODE_MS,
        clock() + ATTEMPT_MS,
        user.id,
        user.passwordHash,
      )
      return row && { userId: user.id, isProven: row.proven_until_ms !== null }
    },

    /**
     * Counts a code of the second factor before it is judged; null when none may be tried. However many come at once,
     * five are judged.
     */
    async takeCodeTry(verifier: string): Promise<{ userId: string; isLast: boolean } | null> {
      const row = await database.first<{ user_id: string; codes_tried: number }>(
        `UPDATE sign_in_attempt SET codes_tried = codes_tried + 1
         WHERE verifier_digest = ? AND expires_at_ms > ? AND proven_until_ms IS NULL AND codes_tried < ?
         RETURNING user_id, codes_tried`,
        digest(verifier),
        clock(),
        CODES_PER_PASSWORD,
      )
      return row && { userId: row.user_id, isLast: row.codes_tried === CODES_PER_PASSWORD }
    },

    /** The second factor was right too. Changes nothing when the sign-in is over, or has become another person's. */
    async passCode(verifier: string, userId: string): Promise<void> {
      await database.run(
        'UPDATE sign_in_attempt SET proven_until_ms = ? WHERE verifier_digest = ? AND user_id = ? AND expires_at_ms > ?',
        clock() + CODE_MS,
        digest(verifier),
        userId,
        clock(),
      )
    },

    /** Back to the password, unless the second factor was right meanwhile. */
    async forgetPassword(verifier: string): Promise<void> {
      await database.run(
        'DELETE FROM sign_in_attempt WHERE verifier_digest = ? AND proven_until_ms IS NULL',
        digest(verifier),
      )
    },

    /** Resolves to how many had expired. */
    forgetOld: () => database.run('DELETE FROM sign_in_attempt WHERE expires_at_ms <= ?', clock()),

    callbackOf({ state, verifier }: Checks): string {
      return `${CALLBACK_PATH}?${new URLSearchParams({ code: codeOf(verifier), state })}`
    },

    /**
     * The person who came back; null when it is not the one answer to this sign-in. Right or wrong, the sign-in ends.
     */
    async finish(search: string, { state, verifier }: Checks): Promise<{ userId: string } | null> {
      const row = await database.first<{ user_id: string; proven_until_ms: number | null }>(
        'DELETE FROM sign_in_attempt WHERE verifier_digest = ? RETURNING user_id, proven_until_ms',
        digest(verifier),
      )
      if (row === null || (row.proven_until_ms ?? 0) <= clock()) return null
      return isAnswer(new URLSearchParams(search), { state, code: codeOf(verifier) }) ? { userId: row.user_id } : null
    },

    signOutUrl: async () => null,
  }
}

/** Exactly the parameters we sent, each once. */
function isAnswer(given: URLSearchParams, { state, code }: { state: string; code: string }): boolean {
  return given.size === 2 && given.get('state') === state && isSameSecret(given.get('code') ?? '', code)
}

function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

function codeOf(verifier: string): string {
  return keyedIndex(verifier, 'sign-in code', '')
}

function digest(verifier: string): string {
  return keyedIndex(verifier, 'sign-in attempt', '')
}
