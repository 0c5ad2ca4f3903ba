// The second factor: codes from an authenticator app (RFC 6238), and recovery codes for the day the phone is lost.
import { randomInt } from 'node:crypto'
import { type Clock, HOUR_MS } from '../../kit/clock.ts'
import { type KeyList, keyedIndex } from '../../kit/keys.ts'
import { seal, unseal } from '../../kit/seal.ts'
import { deriveKeys } from '../../service/keys.ts'
import type { SealedTable } from '../../service/plugin.ts'
import type { Database, Transactions } from '../../service/store/database.ts'
import { derivePortalKeys } from '../derive-keys.ts'
import type { UserRow } from '../tables.ts'
import type { Guesses, Limit } from './guesses.ts'

const PERIOD_SECONDS = 30
/** One step either way, because phones' clocks differ from ours. */
const TOLERANCE_SECONDS = 30
const RECOVERY_CODES = 10
const RECOVERY_LENGTH = 10
/** Without letters and digits that look alike on paper. */
const RECOVERY_LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789'

/** The page on which a code is typed. */
type From = 'session' | 'known device' | 'new device'

/**
 * Codes for one account, counted apart by where they are typed: a stranger who knows the password uses up the tries of
 * new devices, never those of the owner's own. A sign-in has a smaller limit of its own (own-login.ts).
 */
export const CODE_TRIES: { readonly [from in From]: Limit } = {
  session: { triesMax: 5, windowMs: 300_000 },
  'known device': { triesMax: 20, windowMs: HOUR_MS },
  'new device': { triesMax: 20, windowMs: HOUR_MS },
}

const TOTP_PLACE = 'totp'

export type Enrolment = { secret: string; uri: string }
type Refusal = { outcome: 'wrong' } | { outcome: 'wait'; seconds: number }
type Verdict = { outcome: 'right' } | Refusal
type Enrolling = { id: string; email: string }
type Confirmation = { userId: string; sessionId: string; code: string }
type Confirmed = { recoveryCodes: string[] }

type SecondFactorOptions = {
  database: Database
  clock: Clock
  keys: KeyList
  guesses: Guesses
  issuer: string
}

/** Loaded when a code is first asked for: the service starts without it. */
const otplib = () => import('otplib')

export type SecondFactor = ReturnType<typeof createSecondFactor>

export function createSecondFactor({ database, clock, keys, guesses, issuer }: SecondFactorOptions) {
  async function uriOf(secret: string, email: string): Promise<string> {
    const { generateURI } = await otplib()
    return generateURI({ issuer: new URL(issuer).host, label: email, secret })
  }

  async function readSecret(userId: string, condition: string): Promise<{ secret: string; lastStep: number } | null> {
    const row = await database.first<UserRow>(
      `SELECT * FROM user_account
       WHERE id = ? AND totp_sealed_secret IS NOT NULL AND totp_enabled_at_ms IS ${condition}`,
      userId,
    )
    return row === null ? null : { secret: open(row, userId), lastStep: row.totp_last_step }
  }

  function open(row: UserRow, userId: string): string {
    const { totp_wrapped_key: wrappedKey, totp_sealed_secret: content } = row
    if (wrappedKey === null || content === null) throw new TypeError('not sealed')
    return unseal(keys, { tenantId: TOTP_PLACE, rowId: userId }, { wrappedKey, content })
  }

  /** The step a code belongs to, if it is one of the three that count now. */
  async function stepOf(secret: string, code: string): Promise<number | null> {
    if (!/^\d{6}$/.test(code)) return null
    const epoch = Math.floor(clock() / 1000)
    const { verify } = await otplib()
    const result = await verify({
      secret,
      token: code,
      epoch,
      period: PERIOD_SECONDS,
      epochTolerance: TOLERANCE_SECONDS,
    })
    return result.valid && 'timeStep' in result ? result.timeStep : null
  }

  /** True once for each step, and never for one before it. */
  async function spendStep(userId: string, step: number): Promise<boolean> {
    const spent = await database.run(
      'UPDATE user_account SET totp_last_step = ? WHERE id = ? AND totp_last_step < ?',
      step,
      userId,
      step,
    )
    return spent === 1
  }

  async function spendRecoveryCode(userId: string, secret: string, code: string): Promise<boolean> {
    const spent = await database.run(
      `UPDATE user_recovery_code SET used_at_ms = ?
       WHERE user_id = ? AND digest = ? AND used_at_ms IS NULL`,
      clock(),
      userId,
      recoveryDigest(secret, userId, code),
    )
    return spent === 1
  }

  /** Counts the try, then asks; the right answer gives the tries back. */
  async function judge(userId: string, from: From, isRight: () => Promise<boolean>): Promise<Verdict> {
    const subject = `code ${from} ${userId}`
    const seconds = await guesses.take(subject, CODE_TRIES[from])
    if (seconds !== null) return { outcome: 'wait', seconds }
    if (!(await isRight())) return { outcome: 'wrong' }
    await guesses.forget(subject)
    return { outcome: 'right' }
  }

  /** Judges a code of the app, or a recovery code. A code that was right once is wrong from then on. */
  async function check(userId: string, given: string, from: From): Promise<Verdict> {
    const code = given.toLowerCase().replace(/[\s-]/g, '')
    return judge(userId, from, async () => {
      const enrolled = await readSecret(userId, 'NOT NULL')
      if (enrolled === null) return false
      const step = await stepOf(enrolled.secret, code)
      return step === null ? spendRecoveryCode(userId, enrolled.secret, code) : spendStep(userId, step)
    })
  }

  return {
    check,

    /**
     * A new secret for an app. Nothing changes for the user until a code of it is confirmed; null when they have one
     * already.
     */
    async begin(act: Transactions, { id, email }: Enrolling): Promise<Enrolment | null> {
      const { generateSecret } = await otplib()
      const secret = generateSecret()
      const sealed = seal(keys, { tenantId: TOTP_PLACE, rowId: id }, secret)
      const begun = await act.transaction((queries) =>
        queries.run(
          `UPDATE user_account SET totp_wrapped_key = ?, totp_sealed_secret = ?, totp_last_step = 0
           WHERE id = ? AND totp_enabled_at_ms IS NULL`,
          sealed.wrappedKey,
          sealed.content,
          id,
        ),
      )
      return begun === 0 ? null : { secret, uri: await uriOf(secret, email) }
    },

    /** The enrolment in progress, to show it again; null when there is none. */
    async pending({ id, email }: Enrolling): Promise<Enrolment | null> {
      const enrolment = await readSecret(id, 'NULL')
      return enrolment === null ? null : { secret: enrolment.secret, uri: await uriOf(enrolment.secret, email) }
    },

    /**
     * Turns it on when the code is right; resolves to the recovery codes, which are shown this once. Every session but
     * this one ends, and so do sign-ins in progress: they began with the password alone.
     */
    async confirm(act: Transactions, { userId, sessionId, code: given }: Confirmation): Promise<Confirmed | Refusal> {
      const enrolment = await readSecret(userId, 'NULL')
      const verdict = await judge(userId, 'session', async () => {
        const step = enrolment && (await stepOf(enrolment.secret, given.replace(/\s/g, '')))
        return step !== null && spendStep(userId, step)
      })
      if (verdict.outcome !== 'right') return verdict
      if (enrolment === null) return { outcome: 'wrong' }
      const recoveryCodes = Array.from({ length: RECOVERY_CODES }, newRecoveryCode)
      await act.transaction(async (queries) => {
        await queries.run('DELETE FROM user_recovery_code WHERE user_id = ?', userId)
        for (const code of recoveryCodes) {
          const digest = recoveryDigest(enrolment.secret, userId, code)
          await queries.run('INSERT INTO user_recovery_code (user_id, digest) VALUES (?, ?)', userId, digest)
        }
        await queries.run(
          'UPDATE user_account SET totp_enabled_at_ms = ? WHERE id = ? AND totp_enabled_at_ms IS NULL',
          clock(),
          userId,
        )
        await queries.run('DELETE FROM sign_in_attempt WHERE user_id = ?', userId)
        await queries.run(
          'UPDATE user_session SET ended_at_ms = ? WHERE user_id = ? AND id <> ? AND ended_at_ms IS NULL',
          clock(),
          userId,
          sessionId,
        )
      })
      return { recoveryCodes: recoveryCodes.map((code) => `${code.slice(0, 5)}-${code.slice(5)}`) }
    },

    /** Turns it off, with a code. */
    async disable(act: Transactions, userId: string, code: string): Promise<Verdict> {
      const verdict = await check(userId, code, 'session')
      if (verdict.outcome !== 'right') return verdict
      await act.transaction(async (queries) => {
        await queries.run('DELETE FROM user_recovery_code WHERE user_id = ?', userId)
        await queries.run(
          `UPDATE user_account SET totp_wrapped_key = NULL, totp_sealed_secret = NULL, totp_enabled_at_ms = NULL
           WHERE id = ?`,
          userId,
        )
      })
      return verdict
    },
  }
}

/**
 * Ten letters are too few for a bare hash, so it has a key: the secret shared with the app, which stays the same when
 * SECRET_KEY is replaced.
 */
function recoveryDigest(key: Uint8Array | string, userId: string, code: string): string {
  return keyedIndex(key, 'recovery', `${userId}\n${code}`)
}

function newRecoveryCode(): string {
  return Array.from({ length: RECOVERY_LENGTH }, () => RECOVERY_LETTERS[randomInt(RECOVERY_LETTERS.length)]).join('')
}

/** The message for a code that failed. */
export function problemOfCode(refusal: Refusal): string {
  if (refusal.outcome === 'wrong') return 'That code is wrong, too old or was used before.'
  const { seconds } = refusal
  const wait = seconds < 120 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`
  return `Too many wrong codes. Wait ${wait}, then try again.`
}

export const portalSealedTables: readonly SealedTable[] = [
  {
    name: 'authenticator secrets',
    table: 'user_account',
    id: 'id',
    wrappedKey: 'totp_wrapped_key',
    tenant: `'${TOTP_PLACE}'`,
    keys: (secretKeys) => derivePortalKeys(deriveKeys(secretKeys).signing).totp,
  },
]
