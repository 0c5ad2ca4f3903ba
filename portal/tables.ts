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

const userTables: Migration = {
  name: 'users',
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
      -- Never set, and read by 0.2.0 alone. To be dropped once no 0.2.0 runs.
      disabled_at_ms ${integer},
      created_at_ms ${integer} NOT NULL
    )`,
    `CREATE TABLE user_tenant (
      user_id TEXT NOT NULL REFERENCES user_account (id),
      tenant_id TEXT NOT NULL REFERENCES tenant (id),
      created_at_ms ${integer} NOT NULL,
      PRIMARY KEY (user_id, tenant_id)
    )`,
    // Who someone is at another provider.
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
    // Read by 0.2.0 alone: services that may send people here to sign in. To be dropped once no 0.2.0 runs.
    `CREATE TABLE sign_in_client (
      id TEXT PRIMARY KEY,
      -- A JSON list; compared letter by letter.
      redirect_uris TEXT NOT NULL,
      created_at_ms ${integer} NOT NULL
    )`,
    // Read by 0.2.0 alone: what its OpenID provider remembers between two requests. To be dropped likewise.
    `CREATE TABLE provider_record (
      -- Digests: whoever reads the table cannot use a code that is still good.
      key_digest TEXT PRIMARY KEY,
      model TEXT NOT NULL,
      grant_digest TEXT,
      uid_digest TEXT,
      wrapped_key ${blob} NOT NULL,
      content ${blob} NOT NULL,
      consumed_at_ms ${integer},
      expires_at_ms ${integer} NOT NULL
    )`,
    `CREATE INDEX provider_record_of_grant ON provider_record (grant_digest) WHERE grant_digest IS NOT NULL`,
    `CREATE INDEX provider_record_of_uid ON provider_record (uid_digest) WHERE uid_digest IS NOT NULL`,
    `CREATE INDEX provider_record_age ON provider_record (expires_at_ms)`,
  ],
}

const sessionUseTables: Migration = {
  name: 'session-use',
  statements: ({ integer }) => [
    // When it was used last, to the minute: an unused session ends.
    `ALTER TABLE user_session ADD COLUMN seen_at_ms ${integer} NOT NULL DEFAULT 0`,
  ],
}

const sessionBrowserTables: Migration = {
  name: 'session-browsers',
  statements: () => [
    // In words, such as "Firefox on Linux", so that people know their sessions apart. NULL: opened by 0.2.0.
    `ALTER TABLE user_session ADD COLUMN browser TEXT`,
  ],
}

const roleTables: Migration = {
  name: 'roles',
  statements: ({ integer }) => [
    // Those who were there before could do everything. `operator` is read as `viewer`; only 0.2.0 writes it.
    `ALTER TABLE user_tenant ADD COLUMN role TEXT NOT NULL DEFAULT 'owner' CHECK (role IN ('viewer', 'operator', 'owner'))`,
    // 1: members without two-step sign-in may not act for it.
    `ALTER TABLE tenant ADD COLUMN second_factor_required ${integer} NOT NULL DEFAULT 0`,
  ],
}

const memberRoleTables: Migration = {
  name: 'member-roles',
  statements: () => [
    // Of a `viewer`: developer, finance or auditor. NULL: support. 0.2.0 knows `role` alone, refuses other words in it, and
    // sees all four as viewers.
    `ALTER TABLE user_tenant ADD COLUMN viewer_role TEXT`,
  ],
}

const sessionProofTables: Migration = {
  name: 'session-proof',
  statements: ({ integer }) => [
    // When its person last proved who they are. NULL: when they signed in.
    `ALTER TABLE user_session ADD COLUMN proven_at_ms ${integer}`,
    // From where it was opened: the /24 or /48 of the address. NULL: not known, or opened by 0.2.0.
    `ALTER TABLE user_session ADD COLUMN network TEXT`,
  ],
}

const signInAttemptTables: Migration = {
  name: 'sign-in-attempts',
  statements: ({ integer }) => [
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
  ],
}

const linkTables: Migration = {
  name: 'one-time-links',
  statements: ({ integer, blob }) => [
    // Links that work once. The row is deleted when its link is used or withdrawn.
    `CREATE TABLE one_time_link (
      id TEXT PRIMARY KEY,
      kind TEXT NOT NULL CHECK (kind IN ('invitation', 'password')),
      -- The token itself is in the link alone.
      token_digest TEXT NOT NULL UNIQUE,
      email TEXT NOT NULL,
      -- Of a password link. No foreign key: 0.2.0 deletes people without knowing this table.
      user_id TEXT,
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

const noticeTables: Migration = {
  name: 'mail-notices',
  statements: ({ integer }) => [
    // What a lender's people were mailed about: one row for as long as it lasts, so that it is mailed once.
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

export const portalTables: readonly Migration[] = [
  userTables,
  sessionUseTables,
  roleTables,
  signInAttemptTables,
  linkTables,
  sessionBrowserTables,
  noticeTables,
  memberRoleTables,
  sessionProofTables,
]
