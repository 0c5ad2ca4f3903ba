import * as z from 'zod/mini'
import type { Clock } from '../../kit/clock.ts'
import type { Queries, Transactions } from '../../service/store/database.ts'
import { signInClientSecret } from '../derive-keys.ts'

/** A service whose people sign in here: another installation, for example. */
type SignInClient = { id: string; redirectUris: readonly string[]; secret: string }

const RedirectUris = z.array(z.string())

type SignInClientsOptions = { database: Queries; clock: Clock; key: Uint8Array }

export function createSignInClients({ database, clock, key }: SignInClientsOptions) {
  return {
    /** Adds or replaces the client; resolves to it, secret included. */
    async put(act: Transactions, { id, redirectUris }: Omit<SignInClient, 'secret'>): Promise<SignInClient> {
      await act.transaction((queries) =>
        queries.run(
          `INSERT INTO sign_in_client (id, redirect_uris, created_at_ms) VALUES (?, ?, ?)
         ON CONFLICT (id) DO UPDATE SET redirect_uris = excluded.redirect_uris`,
          id,
          JSON.stringify(redirectUris),
          clock(),
        ),
      )
      return { id, redirectUris, secret: signInClientSecret(key, id) }
    },
    async list(): Promise<SignInClient[]> {
      const rows = await database.all<{ id: string; redirect_uris: string }>(
        'SELECT id, redirect_uris FROM sign_in_client ORDER BY id',
      )
      return rows.map((row) => ({
        id: row.id,
        redirectUris: RedirectUris.parse(JSON.parse(row.redirect_uris)),
        secret: signInClientSecret(key, row.id),
      }))
    },
  }
}
