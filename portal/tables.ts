import type { Migration } from '../service/store/migration.ts'
import type { RowOf } from '../service/store/rows.ts'

export const userColumns = {
  id: 'text',
  email: 'text',
  first_name: 'text',
  last_name: 'text',
  password_hash: 'text or null',
  totp_wrapped_key: 'blob or null',
  totp_sealed_secret: 'blob or null',
  totp_enabled_at_ms: 'integer or null',
  totp_last_step: 'integer',
  selected_tenant_id: 'text or null',
  created_at_ms: 'integer',
} as const
export type UserRow = RowOf<typeof userColumns>

export const userSessionColumns = {
  id: 'text',
  user_id: 'text',
  refresh_digest: 'text',
  ended_at_ms: 'integer or null',
  expires_at_ms: 'integer',
  created_at_ms: 'integer',
  seen_at_ms: 'integer',
  browser: 'text or null',
  proven_at_ms: 'integer or null',
  network: 'text or null',
} as const
export type UserSessionRow = RowOf<typeof userSessionColumns>

export const linkColumns = {
  id: 'text',
  kind: 'text',
  token_digest: 'text',
  email: 'text',
  user_id: 'text or null',
  tenant_id: 'text or null',
  role: 'text or null',
  made_by_id: 'text or null',
  made_by: 'text or null',
  created_at_ms: 'integer',
  expires_at_ms: 'integer',
} as const
export type LinkRow = RowOf<typeof linkColumns>

export const pressColumns = {
  id: 'text',
  wrapped_key: 'blob or null',
  content: 'blob or null',
  has_secret: 'integer',
  done_at_ms: 'integer or null',
  created_at_ms: 'integer',
} as const
export type PressRow = RowOf<typeof pressColumns>

const identityTables: Migration = {
  name: 'identity',
  statements: ({ integer, blob }) => [
    `CREATE TABLE user_account (
      id TEXT PRIMARY KEY,
      -- In lower case: how a person writes it does not make another person.
      email TEXT NOT NULL UNIQUE,
      first_name TEXT NOT NULL,
      last_name TEXT NOT NULL,
      -- NULL: signs in elsewhere only.
      password_hash TEXT,
      -- The secret shared with an authenticator app, sealed. It counts once totp_enabled_at_ms is set.
      totp_wrapped_key ${blob},
      totp_sealed_secret ${blob},
      totp_enabled_at_ms ${integer},
      -- The last step whose code was used; that code and all before it are spent.
      totp_last_step ${integer} NOT NULL DEFAULT 0,
      -- Remembered for the console. Never a grant: membership is asked every time.
      selected_tenant_id TEXT REFERENCES tenant (id),
      created_at_ms ${integer} NOT NULL
    )`,
    `CREATE TABLE user_tenant (
      user_id TEXT NOT NULL REFERENCES user_account (id),
      tenant_id TEXT NOT NULL REFERENCES tenant (id),
      -- A word that only a later version knows is read as the least of them (members.ts).
      role TEXT NOT NULL,
      created_at_ms ${integer} NOT NULL,
      PRIMARY KEY (user_id, tenant_id)
    )`,
    // A person's identity at another provider.
    `CREATE TABLE user_login (
      issuer TEXT NOT NULL,
      subject TEXT NOT NULL,
      user_id TEXT NOT NULL REFERENCES user_account (id),
      created_at_ms ${integer} NOT NULL,
      PRIMARY KEY (issuer, subject)
    )`,
    `CREATE TABLE user_recovery_code (
      user_id TEXT NOT NULL REFERENCES user_account (id),
      digest TEXT NOT NULL,
      used_at_ms ${integer},
      PRIMARY KEY (user_id, digest)
    )`,
    // One row per sign-in, whatever number of times its tokens were renewed.
    `CREATE TABLE user_session (
      id TEXT PRIMARY KEY,
      user_id TEXT NOT NULL REFERENCES user_account (id),
      -- The one refresh token that renews it.
      refresh_digest TEXT NOT NULL UNIQUE,
      -- Set on signing out, and when a refresh token that had been replaced came back: someone copied it.
      ended_at_ms ${integer},
      expires_at_ms ${integer} NOT NULL,
      -- When it was used last, to the minute: an unused session ends.
      seen_at_ms ${integer} NOT NULL,
      -- When its person last proved who they are. NULL: when they signed in.
      proven_at_ms ${integer},
      -- In words, such as "Firefox on Linux", so that people know their sessions apart.
      browser TEXT,
      -- The /24 or /48 of the address it was opened from. NULL: not known.
      network TEXT,
      created_at_ms ${integer} NOT NULL
    )`,
    `CREATE INDEX user_session_age ON user_session (expires_at_ms)`,
    `CREATE TABLE refresh_token_used (
      digest TEXT PRIMARY KEY,
      session_id TEXT NOT NULL REFERENCES user_session (id) ON DELETE CASCADE,
      used_at_ms ${integer} NOT NULL
    )`,
    `CREATE INDEX refresh_token_used_of_session ON refresh_token_used (session_id)`,
    // Tries that count against the caller, for all processes together.
    `CREATE TABLE guess (
      subject TEXT PRIMARY KEY,
      tries ${integer} NOT NULL,
      ends_at_ms ${integer} NOT NULL
    )`,
    `CREATE INDEX guess_age ON guess (ends_at_ms)`,
    // 1: members without two-step sign-in may not act for the lender.
    `ALTER TABLE tenant ADD COLUMN second_factor_required ${integer} NOT NULL DEFAULT 0`,
    // A sign-in from the right password to the callback; nothing of it is stored before.
    `CREATE TABLE sign_in_attempt (
      -- Of a secret that only the browser's sealed cookie holds.
      verifier_digest TEXT PRIMARY KEY,
      user_id TEXT NOT NULL REFERENCES user_account (id) ON DELETE CASCADE,
      codes_tried ${integer} NOT NULL,
      -- NULL while the second factor is still to come; until then the callback may open a session.
      proven_until_ms ${integer},
      expires_at_ms ${integer} NOT NULL
    )`,
    `CREATE INDEX sign_in_attempt_age ON sign_in_attempt (expires_at_ms)`,
    `CREATE INDEX sign_in_attempt_of_user ON sign_in_attempt (user_id)`,
    // Links that work once. The row is deleted when its link is used or withdrawn.
    `CREATE TABLE one_time_link (
      id TEXT PRIMARY KEY,
      kind TEXT NOT NULL CHECK (kind IN ('invitation', 'password')),
      -- The token itself is in the link alone.
      token_digest TEXT NOT NULL UNIQUE,
      email TEXT NOT NULL,
      -- Of a password link.
      user_id TEXT REFERENCES user_account (id) ON DELETE CASCADE,
      -- Of an invitation.
      tenant_id TEXT REFERENCES tenant (id),
      role TEXT,
      -- Who invited, and their name at that time; NULL: the operator.
      made_by_id TEXT,
      made_by TEXT,
      created_at_ms ${integer} NOT NULL,
      expires_at_ms ${integer} NOT NULL
    )`,
    // One open invitation for each address at each lender: the newest.
    `CREATE UNIQUE INDEX one_time_link_of_person ON one_time_link (tenant_id, email) WHERE kind = 'invitation'`,
    `CREATE INDEX one_time_link_age ON one_time_link (expires_at_ms)`,
    // Notices mailed to a lender's people: one row for as long as the cause lasts, so that it is mailed once.
    `CREATE TABLE mail_notice (
      kind TEXT NOT NULL,
      -- The lender or the webhook endpoint.
      about TEXT NOT NULL,
      -- Who sends it has some minutes to do so; then another process may.
      claimed_at_ms ${integer} NOT NULL,
      sent_at_ms ${integer},
      PRIMARY KEY (kind, about)
    )`,
    // A receiver that is down may have a long queue; these are the few that say so.
    `CREATE INDEX webhook_delivery_failing ON webhook_delivery (endpoint_id) WHERE status = 'queued' AND attempts >= 5`,
  ],
}

const consoleTables: Migration = {
  name: 'console',
  statements: ({ integer, blob }) => [
    // Forms of the console that were sent, so that none is carried out twice, and what is shown once afterwards.
    `CREATE TABLE console_press (
      -- The session and the id in the form.
      id TEXT PRIMARY KEY,
      -- What is to be shown, sealed. NULL: still running, or shown already.
      wrapped_key ${blob},
      content ${blob},
      has_secret ${integer} NOT NULL DEFAULT 0,
      done_at_ms ${integer},
      created_at_ms ${integer} NOT NULL
    )`,
    `CREATE INDEX console_press_age ON console_press (created_at_ms)`,
  ],
}

export const portalTables: readonly Migration[] = [identityTables, consoleTables]
