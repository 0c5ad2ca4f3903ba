// The clients of a lender as its people and the operator manage them: makes, renames, replaces secrets, revokes.
import { randomBytes } from 'node:crypto'
import type { Clock } from '../../kit/clock.ts'
import type { AuditDetail, Queries, Transactions } from '../../service/store/database.ts'
import { digestSecret, newClientSecret } from '../../service/tokens/client-secret.ts'
import {
  createClients,
  insertSecret,
  type Maker,
  type NewClient,
  SCOPES,
  type Scope,
  toKnown,
} from '../../service/tokens/clients.ts'
import type { ClientRow, ClientSecretRow } from '../../service/tokens/tables.ts'

export type ListedClient = {
  id: string
  name: string
  scopes: readonly Scope[]
  isTestOnly: boolean
  /** Null: the operator. */
  maker: Maker | null
  createdAtMs: number
  disabledAtMs: number | null
  /** When it last obtained a token, to the hour; null where none is recorded. */
  lastUsedAtMs: number | null
  /** Those that count, oldest first. */
  secrets: readonly ListedSecret[]
}

/** `id` tells it from the client's others and says nothing about it. */
type ListedSecret = { id: string; createdAtMs: number; expiresAtMs: number | null; lastUsedAtMs: number | null }

type ClientName = { clientId: string; tenantId: string }
type SecretName = ClientName & { secretId: string }
type SecretRow = Omit<ClientSecretRow, 'digest'> & { secret_id: string }

/** The beginning of a digest: enough to tell a client's secrets apart, and no help in guessing one. */
const SECRET_ID = 'SUBSTR(digest, 1, 8)'
const CLIENT_ID_BYTES = 5
/** Secrets of a client that count at once: a token request is compared with each. */
export const SECRETS_MAX = 10
type MadeSecret = { secretId: string; secret: string }

type Replacement = ClientName & { othersEndAtMs: number; expiresAtMs?: number | undefined }

export type ManagedClients = ReturnType<typeof manageClients>

export function manageClients({ database, clock }: { database: Queries; clock: Clock }) {
  const { create } = createClients({ database, clock })

  /** Null when the tenant has no such active client. */
  const nameOf = async (queries: Queries, { clientId, tenantId }: ClientName): Promise<string | null> => {
    const sql = 'SELECT name FROM api_client WHERE id = ? AND tenant_id = ? AND disabled_at_ms IS NULL'
    return (await queries.first<Pick<ClientRow, 'name'>>(sql, clientId, tenantId))?.name ?? null
  }

  /** A transaction on an active client of the tenant, whose name goes into its line. Null without such a client. */
  async function changeClient<T>(
    act: Transactions,
    client: ClientName,
    work: (queries: Queries, name: string) => Promise<T>,
    said: (name: string) => AuditDetail,
  ): Promise<T | null> {
    let name: string | null = null
    return act.transaction(
      async (queries) => {
        name = await nameOf(queries, client)
        return name === null ? null : work(queries, name)
      },
      () => ({ objectName: name ?? undefined, ...said(name ?? '') }),
    )
  }

  return {
    create,

    /** Makes a client with an id of its own; its secret is in no other answer. */
    async make(
      act: Transactions,
      client: Omit<NewClient, 'id' | 'secret'>,
    ): Promise<MadeSecret & { clientId: string }> {
      for (;;) {
        const clientId = `${client.tenantId}-${randomBytes(CLIENT_ID_BYTES).toString('hex')}`
        const secret = newClientSecret()
        if (await create(act, { ...client, id: clientId, secret })) return { clientId, secretId: idOf(secret), secret }
      }
    },

    /** False when the tenant has no such active client. */
    async rename(act: Transactions, { name, ...client }: ClientName & { name: string }): Promise<boolean> {
      const { clientId, tenantId } = client
      const sql = 'UPDATE api_client SET name = ? WHERE id = ? AND tenant_id = ?'
      const renamed = await changeClient(
        act,
        client,
        (queries) => queries.run(sql, name, clientId, tenantId),
        (from) => ({ object: clientId, change: { from, to: name } }),
      )
      return renamed === 1
    },

    /**
     * A new secret; every other one ends at `othersEndAtMs`, or sooner where it would have anyway. Null when the tenant
     * has no such active client, or `SECRETS_MAX` would count beside the new one.
     */
    replaceSecret(
      act: Transactions,
      { clientId, tenantId, othersEndAtMs, expiresAtMs }: Replacement,
    ): Promise<MadeSecret | null> {
      const secret = newClientSecret()
      const secretId = idOf(secret)
      const replace = async (queries: Queries) => {
        const counting = `client_id = ? AND (expires_at_ms IS NULL OR expires_at_ms > ?)`
        const others = await queries.all(`SELECT 1 AS one FROM api_client_secret WHERE ${counting}`, clientId, clock())
        if (others.length >= SECRETS_MAX && othersEndAtMs > clock()) return null
        const end = `UPDATE api_client_secret SET expires_at_ms = ? WHERE ${counting}`
        await queries.run(end, othersEndAtMs, clientId, othersEndAtMs)
        await insertSecret(queries, { id: clientId, secret, expiresAtMs }, clock())
        return { secretId, secret }
      }
      return changeClient(act, { clientId, tenantId }, replace, () => ({ object: `${clientId} ${secretId}` }))
    },

    /** The clients of a tenant, oldest first, those that were revoked included. */
    async list(tenantId: string): Promise<ListedClient[]> {
      const rows = await database.all<ClientRow & Pick<ClientSecretRow, 'last_used_at_ms'>>(
        `SELECT id, name, scopes, test_only, made_by_id, made_by_name, made_by_email, created_at_ms, disabled_at_ms,
           (SELECT MAX(last_used_at_ms) FROM api_client_secret WHERE client_id = id) AS last_used_at_ms
         FROM api_client WHERE tenant_id = ? ORDER BY created_at_ms, id`,
        tenantId,
      )
      const secrets = await database.all<SecretRow>(
        `SELECT client_id, ${SECRET_ID} AS secret_id, api_client_secret.created_at_ms, expires_at_ms, last_used_at_ms
         FROM api_client_secret JOIN api_client ON id = client_id
         WHERE tenant_id = ? AND (expires_at_ms IS NULL OR expires_at_ms > ?) ORDER BY 3, 2`,
        tenantId,
        clock(),
      )
      return rows.map((row) => ({
        id: row.id,
        name: row.name,
        scopes: SCOPES.filter((scope) => row.scopes.split(' ').includes(scope)),
        ...toKnown(row),
        createdAtMs: row.created_at_ms,
        disabledAtMs: row.disabled_at_ms,
        lastUsedAtMs: row.last_used_at_ms,
        secrets: secrets
          .filter(({ client_id }) => client_id === row.id)
          .map((of) => ({
            id: of.secret_id,
            createdAtMs: of.created_at_ms,
            expiresAtMs: of.expires_at_ms,
            lastUsedAtMs: of.last_used_at_ms,
          })),
      }))
    },

    /** No more tokens; those it holds stop working within a minute. False when the tenant has no such active client. */
    async disable(act: Transactions, id: string, tenantId: string): Promise<boolean> {
      const sql = 'UPDATE api_client SET disabled_at_ms = ? WHERE id = ? AND disabled_at_ms IS NULL AND tenant_id = ?'
      const disable = (queries: Queries) => queries.run(sql, clock(), id, tenantId)
      return (await changeClient(act, { clientId: id, tenantId }, disable, () => ({ object: id }))) === 1
    },

    /**
     * Ends one secret; tokens it obtained count until they expire. False when the client has no such secret that
     * counts.
     */
    async endSecret(act: Transactions, { clientId, secretId, tenantId }: SecretName): Promise<boolean> {
      const sql = `UPDATE api_client_secret SET expires_at_ms = ?
        WHERE client_id = ? AND ${SECRET_ID} = ? AND (expires_at_ms IS NULL OR expires_at_ms > ?)`
      const end = (queries: Queries) => queries.run(sql, clock(), clientId, secretId, clock())
      return (await changeClient(act, { clientId, tenantId }, end, () => ({}))) === 1
    },
  }
}

/** The id of a secret in lists. */
export function idOf(secret: string): string {
  return digestSecret(secret).slice(0, 8)
}
