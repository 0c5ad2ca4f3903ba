import { LINK_TRIES_MAX } from '../contract/link.ts'
import { deriveKeyList, type KeyList } from '../kit/keys.ts'
import type { SealedTable } from '../service/plugin.ts'
import type { Migration } from '../service/store/migration.ts'
import type { RowOf } from '../service/store/rows.ts'

export const hostedLinkColumns = {
  id: 'text',
  tenant_id: 'text',
  test: 'integer',
  token_hash: 'text',
  external_reference: 'text or null',
  return_url: 'text or null',
  wrapped_key: 'blob or null',
  start: 'blob or null',
  made_key: 'text or null',
  made_body: 'text or null',
  tries_left: 'integer',
  created_at_ms: 'integer',
  expires_at_ms: 'integer',
  opened_at_ms: 'integer or null',
  revoked_at_ms: 'integer or null',
  is_forgotten: 'integer',
} as const
export type LinkRow = RowOf<typeof hostedLinkColumns>

export const linkCheckColumns = {
  report_id: 'text',
  link_id: 'text',
  bought: 'integer',
  born: 'text',
} as const
export type LinkCheckRow = RowOf<typeof linkCheckColumns>

export const visitColumns = {
  session_hash: 'text',
  link_id: 'text',
  report_id: 'text or null',
  is_handed: 'integer',
  cookies: 'text',
  seen_at_ms: 'integer',
} as const
export type VisitRow = RowOf<typeof visitColumns>

export const pageColumns = {
  tenant_id: 'text',
  name: 'text or null',
  accent: 'text or null',
  privacy_url: 'text or null',
  logo: 'blob or null',
  return_urls: 'text',
} as const
export type PageRow = RowOf<typeof pageColumns>

export const hostedTables: Migration = {
  name: 'hosted',
  statements: ({ integer, blob }) => [
    `CREATE TABLE hosted_link (
      id TEXT PRIMARY KEY,
      tenant_id TEXT NOT NULL REFERENCES tenant (id),
      test ${integer} NOT NULL CHECK (test IN (0, 1)),
      -- Of the token in its address, which is derived from the id by a key that is not in the database.
      token_hash TEXT NOT NULL UNIQUE,
      -- May name a person: deleted with an erasure, as is the start.
      external_reference TEXT,
      return_url TEXT,
      -- The known applicant, sealed.
      wrapped_key ${blob},
      start ${blob},
      -- Indexes of the Idempotency-Key and of the body that it came with.
      made_key TEXT,
      made_body TEXT,
      -- Dates of birth that may still be tried on other devices.
      tries_left ${integer} NOT NULL DEFAULT ${LINK_TRIES_MAX} CHECK (tries_left BETWEEN 0 AND ${LINK_TRIES_MAX}),
      created_at_ms ${integer} NOT NULL,
      expires_at_ms ${integer} NOT NULL,
      opened_at_ms ${integer},
      revoked_at_ms ${integer},
      -- 1 from a month after its end, when nothing of it tells a date of birth any more.
      is_forgotten ${integer} NOT NULL DEFAULT 0 CHECK (is_forgotten IN (0, 1)),
      CHECK ((wrapped_key IS NULL) = (start IS NULL))
    )`,
    `CREATE INDEX hosted_link_of_tenant ON hosted_link (tenant_id, id)`,
    `CREATE INDEX hosted_link_of_reference ON hosted_link (tenant_id, external_reference, id)
      WHERE external_reference IS NOT NULL`,
    `CREATE UNIQUE INDEX hosted_link_made ON hosted_link (tenant_id, made_key) WHERE made_key IS NOT NULL`,
    `CREATE INDEX hosted_link_known ON hosted_link (expires_at_ms) WHERE start IS NOT NULL`,
    `CREATE INDEX hosted_link_by_end ON hosted_link (expires_at_ms) WHERE is_forgotten = 0`,
    `CREATE TABLE hosted_check (
      report_id TEXT PRIMARY KEY,
      link_id TEXT NOT NULL,
      -- 1 from the moment that credits may be spent on it, until it is certain that they are not.
      bought ${integer} NOT NULL CHECK (bought IN (0, 1)),
      -- The date of birth, as a keyed index; '' once it is forgotten.
      born TEXT NOT NULL
    )`,
    // One completed check per link, whatever happens at once and on however many processes.
    `CREATE UNIQUE INDEX hosted_check_bought ON hosted_check (link_id) WHERE bought = 1`,
    `CREATE INDEX hosted_check_of_link ON hosted_check (link_id)`,
    // One browser's visit to one link. The cookies are the proxy's, sealed as it made them.
    `CREATE TABLE hosted_visit (
      session_hash TEXT NOT NULL,
      link_id TEXT NOT NULL,
      -- The check that it began, or gave the right date of birth for.
      report_id TEXT,
      -- 1 where it came by the QR code of another browser's page.
      is_handed ${integer} NOT NULL DEFAULT 0 CHECK (is_handed IN (0, 1)),
      cookies TEXT NOT NULL,
      seen_at_ms ${integer} NOT NULL,
      PRIMARY KEY (link_id, session_hash)
    )`,
    `CREATE INDEX hosted_visit_by_age ON hosted_visit (seen_at_ms)`,
    `CREATE TABLE hosted_page (
      tenant_id TEXT PRIMARY KEY REFERENCES tenant (id),
      name TEXT,
      accent TEXT,
      privacy_url TEXT,
      logo ${blob},
      -- JSON: where links may lead back to.
      return_urls TEXT NOT NULL DEFAULT '[]'
    )`,
  ],
}

/** One key for each purpose, from the installation's secret. */
export function deriveHostedKeys(secretKeys: KeyList) {
  const derive = (purpose: string) => deriveKeyList(secretKeys, `hosted ${purpose}`)
  return { tokens: derive('tokens'), starts: derive('starts'), indexes: derive('indexes'), cookies: derive('cookies') }
}
export type HostedKeys = ReturnType<typeof deriveHostedKeys>

export const hostedSealed: readonly SealedTable[] = [
  {
    name: 'known applicants of links',
    table: 'hosted_link',
    id: 'id',
    wrappedKey: 'wrapped_key',
    tenant: 'tenant_id',
    keys: (secretKeys) => deriveHostedKeys(secretKeys).starts,
  },
]
