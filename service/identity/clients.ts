import type { Clock } from '../clock.ts'
import type { Database } from '../store/database.ts'
import { digestSecret, matchesAny } from './client-secret.ts'
import { SCOPES } from './scopes.ts'

/** A lender's server, as the token endpoint knows it. */
export type ApiClient = { id: string; tenantId: string; scopes: readonly string[] }

export type NewClient = {
  id: string
  tenantId: string
  secret: string
  /** @default all of them */
  scopes?: readonly string[]
}

export type Clients = {
  /** Adds the client, or one more secret to a client that exists. The same call twice changes nothing. */
  add(client: NewClient): Promise<void>
  /** The client these credentials belong to; null when there is none, or it is disabled, or the secret is not one of its own. */
  verify(id: string, secret: string): Promise<ApiClient | null>
  /** Whether tokens of this client still count. */
  isEnabled(id: string): Promise<boolean>
  /** No more tokens; those it holds stop working within a minute. */
  disable(id: string): Promise<void>
}

export function createClients({ database, clock }: { database: Database; clock: Clock }): Clients {
  return {
    add({ id, tenantId, secret, scopes = SCOPES }) {
      return database.transaction(async (queries) => {
        const nowMs = clock()
        await queries.run(
          `INSERT INTO api_client (id, tenant_id, scopes, created_at_ms) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING`,
          id,
          tenantId,
          scopes.join(' '),
          nowMs,
        )
        await queries.run(
          `INSERT INTO api_client_secret (client_id, digest, created_at_ms) VALUES (?, ?, ?) ON CONFLICT DO NOTHING`,
          id,
          digestSecret(secret),
          nowMs,
        )
      })
    },

    async verify(id, secret) {
      const rows = await database.all(
        `SELECT tenant_id, scopes, digest FROM api_client
         JOIN api_client_secret ON client_id = id AND (expires_at_ms IS NULL OR expires_at_ms > ?)
         WHERE id = ? AND disabled_at_ms IS NULL`,
        clock(),
        id,
      )
      const isRight = matchesAny(
        secret,
        rows.map((row) => String(row.digest)),
      )
      const row = rows[0]
      if (!isRight || row === undefined) return null
      return { id, tenantId: String(row.tenant_id), scopes: String(row.scopes).split(' ') }
    },

    async isEnabled(id) {
      return (
        (await database.first('SELECT 1 AS one FROM api_client WHERE id = ? AND disabled_at_ms IS NULL', id)) !== null
      )
    },

    async disable(id) {
      await database.run(
        'UPDATE api_client SET disabled_at_ms = ? WHERE id = ? AND disabled_at_ms IS NULL',
        clock(),
        id,
      )
    },
  }
}
