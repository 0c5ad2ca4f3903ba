import { type Clock, HOUR_MS } from '../../kit/clock.ts'
import { SCOPE_MEANINGS } from '../../openapi/scopes.ts'
import type { AuditDetail, Queries, Transactions } from '../store/database.ts'
import { digestSecret, findDigest } from './client-secret.ts'
import type { ClientRow, ClientSecretRow } from './tables.ts'

/** A scope of tokens. A client gets those it was made with, or the fewer it asks for. */
export type Scope = keyof typeof SCOPE_MEANINGS
export const SCOPES = Object.keys(SCOPE_MEANINGS) as Scope[]
/** The scopes that a lender's shop needs. */
export const USUAL_SCOPES: readonly Scope[] = ['credit-reports', 'wallet']

/** A lender's server, as the token endpoint knows it. */
export type ApiClient = { id: string; tenantId: string; scopes: readonly string[] }

/** The person who made a client, as they were then. */
export type Maker = { id: string; name: string; email: string }

/** The facts of an enabled client that a request needs. */
export type KnownClient = { isTestOnly: boolean; maker: Maker | null }

export type NewClient = {
  id: string
  tenantId: string
  secret: string
  /** @default its id */
  name?: string | undefined
  /** @default USUAL_SCOPES */
  scopes?: readonly string[]
  /** It may only send `test: true`, and sees test checks alone. @default false */
  testOnly?: boolean | undefined
  /** @default the operator */
  maker?: Maker | null
  /** When this secret ends by itself. @default never */
  expiresAtMs?: number | undefined
}

/** The precision of the time of the last use: a finer one would be a write for each token. */
const USE_WRITTEN_EVERY_MS = HOUR_MS

const VERIFIED = ['tenant_id', 'scopes', 'digest', 'last_used_at_ms'] as const

export type Clients = ReturnType<typeof createClients>

export function createClients({ database, clock }: { database: Queries; clock: Clock }) {
  const insertClient = (queries: Queries, client: NewClient) => {
    const { id, tenantId, name, scopes = USUAL_SCOPES, testOnly = false, maker = null } = client
    return queries.run(
      `INSERT INTO api_client (id, tenant_id, name, scopes, test_only, made_by_id, made_by_name, made_by_email, created_at_ms)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING`,
      id,
      tenantId,
      name ?? id,
      scopes.join(' '),
      testOnly ? 1 : 0,
      maker?.id ?? null,
      maker?.name ?? null,
      maker?.email ?? null,
      clock(),
    )
  }
  const noteUse = (clientId: string, digest: string) =>
    database.run(
      'UPDATE api_client_secret SET last_used_at_ms = ? WHERE client_id = ? AND digest = ?',
      clock(),
      clientId,
      digest,
    )

  /** Adds a new client; false when there is one with this id already, which stays as it is. */
  function create(act: Transactions, client: NewClient): Promise<boolean> {
    return act.transaction(async (queries) => {
      if ((await insertClient(queries, client)) === 0) return false
      await insertSecret(queries, client, clock())
      return true
    }, lineOf(client))
  }

  return {
    create,

    /**
     * The client these credentials belong to; null when there is none, or it is disabled, or the secret is not one of
     * its own.
     */
    async verify(id: string, secret: string): Promise<ApiClient | null> {
      const rows = await database.all<Pick<ClientRow & ClientSecretRow, (typeof VERIFIED)[number]>>(
        `SELECT ${VERIFIED.join(', ')} FROM api_client
         JOIN api_client_secret ON client_id = id AND (expires_at_ms IS NULL OR expires_at_ms > ?)
         WHERE id = ? AND disabled_at_ms IS NULL`,
        clock(),
        id,
      )
      const digest = findDigest(
        secret,
        rows.map((row) => row.digest),
      )
      const row = rows.find((each) => each.digest === digest)
      if (digest === null || row === undefined) return null
      const { tenant_id: tenantId, scopes, last_used_at_ms: usedAtMs } = row
      // A token is worth more than its time: a database that can only be read still hands them out.
      if (usedAtMs === null || clock() - usedAtMs >= USE_WRITTEN_EVERY_MS) await noteUse(id, digest).catch(() => {})
      return { id, tenantId, scopes: scopes.split(' ') }
    },

    /** Null: its tokens are no longer valid. */
    async find(id: string): Promise<KnownClient | null> {
      const row = await database.first<KnownRow>(
        'SELECT test_only, made_by_id, made_by_name, made_by_email FROM api_client WHERE id = ? AND disabled_at_ms IS NULL',
        id,
      )
      return row && toKnown(row)
    },
  }
}

/** Does nothing where the client has this secret already. */
export function insertSecret(
  queries: Queries,
  { id, secret, expiresAtMs }: Omit<NewClient, 'tenantId'>,
  nowMs: number,
): Promise<number> {
  return queries.run(
    `INSERT INTO api_client_secret (client_id, digest, expires_at_ms, created_at_ms) VALUES (?, ?, ?, ?)
     ON CONFLICT DO NOTHING`,
    id,
    digestSecret(secret),
    expiresAtMs ?? null,
    nowMs,
  )
}

const lineOf =
  ({ id, name = id }: Pick<NewClient, 'id' | 'name'>) =>
  (): AuditDetail => ({ object: id, objectName: name })

type KnownRow = Pick<ClientRow, 'test_only' | 'made_by_id' | 'made_by_name' | 'made_by_email'>

export function toKnown({
  test_only,
  made_by_id: id,
  made_by_name: name,
  made_by_email: email,
}: KnownRow): KnownClient {
  return { isTestOnly: test_only === 1, maker: id === null ? null : { id, name: name ?? '', email: email ?? '' } }
}
