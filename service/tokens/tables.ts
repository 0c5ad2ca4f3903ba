import type { Migration } from '../store/migration.ts'
import type { RowOf } from '../store/rows.ts'

export const clientColumns = {
  id: 'text',
  tenant_id: 'text',
  scopes: 'text',
  disabled_at_ms: 'integer or null',
  created_at_ms: 'integer',
  name: 'text',
  test_only: 'integer',
  made_by_id: 'text or null',
  made_by_name: 'text or null',
  made_by_email: 'text or null',
} as const
export type ClientRow = RowOf<typeof clientColumns>

export const clientSecretColumns = {
  client_id: 'text',
  digest: 'text',
  expires_at_ms: 'integer or null',
  created_at_ms: 'integer',
  last_used_at_ms: 'integer or null',
} as const
export type ClientSecretRow = RowOf<typeof clientSecretColumns>

export const signingKeyColumns = {
  id: 'text',
  algorithm: 'text',
  wrapped_key: 'blob',
  sealed_private_jwk: 'blob',
  created_at_ms: 'integer',
  verifies_until_ms: 'integer or null',
  signs_from_ms: 'integer',
  withdrawn: 'integer',
} as const
export type SigningKeyRow = RowOf<typeof signingKeyColumns>

export const tokenTables: Migration = {
  name: 'tokens',
  statements: ({ integer, blob }) => [
    `CREATE TABLE api_client (
      id TEXT PRIMARY KEY,
      tenant_id TEXT NOT NULL REFERENCES tenant (id),
      -- Chosen by people, for people.
      name TEXT NOT NULL,
      -- With spaces between them, as tokens carry them.
      scopes TEXT NOT NULL,
      disabled_at_ms ${integer},
      created_at_ms ${integer} NOT NULL,
      -- 1: it works in test mode alone.
      test_only ${integer} NOT NULL DEFAULT 0 CHECK (test_only IN (0, 1)),
      -- The person who made it, as they were then; NULL: the operator.
      made_by_id TEXT,
      made_by_name TEXT,
      made_by_email TEXT
    )`,
    // Several may be good at once: a lender moves to a new secret before the old one ends.
    `CREATE TABLE api_client_secret (
      client_id TEXT NOT NULL REFERENCES api_client (id),
      digest TEXT NOT NULL,
      -- NULL: until it is replaced.
      expires_at_ms ${integer},
      created_at_ms ${integer} NOT NULL,
      -- When it last obtained a token, to the hour.
      last_used_at_ms ${integer},
      PRIMARY KEY (client_id, digest)
    )`,
    `CREATE TABLE signing_key (
      id TEXT PRIMARY KEY,
      algorithm TEXT NOT NULL,
      -- Sealed like everything secret at rest; the public half is read from it.
      wrapped_key ${blob} NOT NULL,
      sealed_private_jwk ${blob} NOT NULL,
      created_at_ms ${integer} NOT NULL,
      -- NULL: signs new tokens. Otherwise it only verifies, until then.
      verifies_until_ms ${integer},
      -- A new key is published before it signs, so that every verifier has seen it in time.
      signs_from_ms ${integer} NOT NULL,
      -- 1: it has leaked, and is published no more.
      withdrawn ${integer} NOT NULL DEFAULT 0
    )`,
    // One key signs, however many processes make one at the same moment.
    `CREATE UNIQUE INDEX signing_key_current ON signing_key (algorithm) WHERE verifies_until_ms IS NULL`,
  ],
}
