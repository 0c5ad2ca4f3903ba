import type { Clock } from '../../kit/clock.ts'
import { SCOPE_MEANINGS } from '../../openapi/oauth-components.ts'
import type { Queries, Transactions } from '../store/database.ts'
import { digestSecret, matchesAny } from './client-secret.ts'
import type { ClientRow } from './tables.ts'

/** What a token can allow. A client gets those it was made with, or the fewer it asks for. */
export type Scope = keyof typeof SCOPE_MEANINGS
export const SCOPES = Object.keys(SCOPE_MEANINGS) as Scope[]
/** What a lender's shop needs. */
export const USUAL_SCOPES: readonly Scope[] = ['credit-reports', 'wallet']

/** A lender's server, as the token endpoint knows it. */
export type ApiClient = { id: string; tenantId: string; scopes: readonly string[] }

type NewClient = {
  id: string
  tenantId: string
  secret: string
  /** @default USUAL_SCOPES */
  scopes?: readonly string[]
  /** When this secret ends by itself. @default never */
  expiresAtMs?: number | undefined
}

export type ListedClient = {
  id: string
  scopes: readonly string[]
  createdAtMs: number
  disabledAtMs: number | null
  /** Those that count, oldest first. */
  secrets: readonly ListedSecret[]
}

/** `id` tells it from the client's others and says nothing about it. */
type ListedSecret = { id: string; createdAtMs: number; expiresAtMs: number | null }

type SecretName = { clientId: string; secretId: string; tenantId: string }
type SecretRow = { client_id: string; secret_id: string; created_at_ms: number; expires_at_ms: number | null }

/** The beginning of a digest: enough to tell a client's secrets apart, and no help in guessing one. */
const SECRET_ID = 'SUBSTR(digest, 1, 8)'

export type Clients = ReturnType<typeof createClients>

export function createClients({ database, clock }: { database: Queries; clock: Clock }) {
  const insertClient = (queries: Queries, { id, tenantId, scopes = USUAL_SCOPES }: NewClient) =>
    queries.run(
      `INSERT INTO api_client (id, tenant_id, scopes, created_at_ms) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING`,
      id,
      tenantId,
      scopes.join(' '),
      clock(),
    )
  const insertSecret = (queries: Queries, { id, secret, expiresAtMs }: NewClient) =>
    queries.run(
      `INSERT INTO api_client_secret (client_id, digest, expires_at_ms, created_at_ms) VALUES (?, ?, ?, ?)
       ON CONFLICT DO NOTHING`,
      id,
      digestSecret(secret),
      expiresAtMs ?? null,
      clock(),
    )

  return {
    /**
     * Adds the client, or one more secret to an active client of the tenant. The same call twice changes nothing.
     * False when the id is another tenant's or was revoked, which is for good.
     */
    add(act: Transactions, client: NewClient): Promise<boolean> {
      return act.transaction(async (queries) => {
        await insertClient(queries, client)
        const own = await queries.first(
          'SELECT 1 AS one FROM api_client WHERE id = ? AND tenant_id = ? AND disabled_at_ms IS NULL',
          client.id,
          client.tenantId,
        )
        if (own === null) return false
        await insertSecret(queries, client)
        return true
      }, client.id)
    },

    /** Adds a new client; false when there is one with this id already, which stays as it is. */
    create(act: Transactions, client: NewClient): Promise<boolean> {
      return act.transaction(async (queries) => {
        if ((await insertClient(queries, client)) === 0) return false
        await insertSecret(queries, client)
        return true
      }, client.id)
    },

    /** The clients of a tenant, oldest first, those that were revoked included. */
    async list(tenantId: string): Promise<ListedClient[]> {
      const rows = await database.all<ClientRow>(
        'SELECT id, scopes, created_at_ms, disabled_at_ms FROM api_client WHERE tenant_id = ? ORDER BY created_at_ms, id',
        tenantId,
      )
      const secrets = await database.all<SecretRow>(
        `SELECT client_id, ${SECRET_ID} AS secret_id, api_client_secret.created_at_ms, expires_at_ms
         FROM api_client_secret JOIN api_client ON id = client_id
         WHERE tenant_id = ? AND (expires_at_ms IS NULL OR expires_at_ms > ?) ORDER BY 3, 2`,
        tenantId,
        clock(),
      )
      return rows.map((row) => ({
        id: row.id,
        scopes: row.scopes.split(' '),
        createdAtMs: row.created_at_ms,
        disabledAtMs: row.disabled_at_ms,
        secrets: secrets
          .filter(({ client_id }) => client_id === row.id)
          .map((of) => ({ id: of.secret_id, createdAtMs: of.created_at_ms, expiresAtMs: of.expires_at_ms })),
      }))
    },

    /** The client these credentials belong to; null when there is none, or it is disabled, or the secret is not one of its own. */
    async verify(id: string, secret: string): Promise<ApiClient | null> {
      const rows = await database.all<Pick<ClientRow, 'tenant_id' | 'scopes'> & { digest: string }>(
        `SELECT tenant_id, scopes, digest FROM api_client
         JOIN api_client_secret ON client_id = id AND (expires_at_ms IS NULL OR expires_at_ms > ?)
         WHERE id = ? AND disabled_at_ms IS NULL`,
        clock(),
        id,
      )
      const isRight = matchesAny(
        secret,
        rows.map((row) => row.digest),
      )
      const row = rows[0]
      if (!isRight || row === undefined) return null
      return { id, tenantId: row.tenant_id, scopes: row.scopes.split(' ') }
    },

    /** Whether tokens of this client still count. */
    async isEnabled(id: string): Promise<boolean> {
      const sql = 'SELECT 1 AS one FROM api_client WHERE id = ? AND disabled_at_ms IS NULL'
      return (await database.first(sql, id)) !== null
    },

    /** No more tokens; those it holds stop working within a minute. False when the tenant has no such active client. */
    async disable(act: Transactions, id: string, tenantId?: string): Promise<boolean> {
      let disabled: Pick<ClientRow, 'tenant_id'> | null = null
      const disable = async (queries: Queries) => {
        disabled = await queries.first<Pick<ClientRow, 'tenant_id'>>(
          `UPDATE api_client SET disabled_at_ms = ? WHERE id = ? AND disabled_at_ms IS NULL
           ${tenantId === undefined ? '' : 'AND tenant_id = ?'} RETURNING tenant_id`,
          clock(),
          id,
          ...(tenantId === undefined ? [] : [tenantId]),
        )
        return disabled !== null
      }
      return act.transaction(disable, () => ({ tenantIds: disabled === null ? [] : [disabled.tenant_id] }))
    },

    /** Ends one secret; tokens it obtained count until they expire. False when the client has no such secret that counts. */
    async endSecret(act: Transactions, { clientId, secretId, tenantId }: SecretName): Promise<boolean> {
      const ended = await act.transaction((queries) =>
        queries.run(
          `UPDATE api_client_secret SET expires_at_ms = ?
           WHERE client_id = ? AND ${SECRET_ID} = ? AND (expires_at_ms IS NULL OR expires_at_ms > ?)
             AND EXISTS (SELECT 1 FROM api_client WHERE id = client_id AND tenant_id = ?)`,
          clock(),
          clientId,
          secretId,
          clock(),
          tenantId,
        ),
      )
      return ended === 1
    },
  }
}
