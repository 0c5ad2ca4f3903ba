// The connection that is kept for asking how PostgreSQL is: traffic that fills the pool does not make it wait.
import pg from 'pg'
import type { Probe, SqlValue } from '../../service/store/database.ts'
import { DatabaseUnavailable } from '../../service/store/database.ts'
import { guarded } from './postgres-errors.ts'

// A standby, and a primary that an operator or a provider has set to read only.
const ASK = `SELECT pg_is_in_recovery() OR current_setting('transaction_read_only') = 'on' AS read_only,
  (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS clock_ms`

export function createPostgresProbe(url: string, { timeoutMs, ...config }: pg.ClientConfig & { timeoutMs: number }) {
  let opening: Promise<pg.Client> | null = null
  let asking: Promise<Probe> | null = null

  async function open(): Promise<pg.Client> {
    const timeouts = { connectionTimeoutMillis: timeoutMs, query_timeout: timeoutMs }
    const client = new pg.Client({ ...config, connectionString: url, ...timeouts })
    client.on('error', () => {
      opening = null
    })
    await client.connect()
    return client
  }

  async function query(sql: string, values: SqlValue[] = []): Promise<pg.QueryResult> {
    opening ??= open()
    const mine = opening
    try {
      return await guarded(async () => (await mine).query(sql, values))
    } catch (error) {
      // After any failure the next probe uses a new connection, perhaps to a server that has taken over.
      if (opening === mine) opening = null
      mine.then((client) => client.end()).catch(() => {})
      throw error
    }
  }

  async function ask(): Promise<Probe> {
    try {
      const { rows } = await query(ASK)
      return { refusal: rows[0].read_only ? 'read-only' : null, clockMs: Number(rows[0].clock_ms) }
    } catch (error) {
      return { refusal: error instanceof DatabaseUnavailable ? error.code : 'probe', clockMs: null }
    }
  }

  return {
    /** However many ask at once, one question serves them all. Never rejects. */
    ask(): Promise<Probe> {
      asking ??= ask().finally(() => {
        asking = null
      })
      return asking
    },
    run: async (sql: string, values: SqlValue[]): Promise<number> => (await query(sql, values)).rowCount ?? 0,
    async close(): Promise<void> {
      const client = await opening?.catch(() => null)
      opening = null
      await client?.end().catch(() => {})
    },
  }
}
