// Where a lender's webhooks go, and what they are signed with.
import { randomBytes } from 'node:crypto'
import type { KeyList } from '../../kit/keys.ts'
import { seal, unseal } from '../../kit/seal.ts'
import { createWebhookSecret } from '../../kit/webhook-signature.ts'
import type { Queries, Transactions } from '../../service/store/database.ts'
import type { EndpointRow } from './tables.ts'

/** Two at once while a lender changes over from one to the other. */
const SECRETS_MAX = 2
const ENDPOINT_ID_BYTES = 6
/** Endpoints per tenant: each event is written once for each. */
export const ENDPOINTS_MAX = 10

export type Endpoint = { id: string; tenantId: string; url: string }

export async function listEndpoints(queries: Queries, tenantId: string): Promise<Endpoint[]> {
  const rows = await queries.all<EndpointRow>(
    'SELECT * FROM webhook_endpoint WHERE tenant_id = ? ORDER BY created_at_ms, id',
    tenantId,
  )
  return rows.map(toEndpoint)
}

/** Null when the tenant has no such endpoint, or no longer. */
export async function findEndpoint(queries: Queries, { tenantId, id }: EndpointName): Promise<Endpoint | null> {
  const sql = 'SELECT * FROM webhook_endpoint WHERE id = ? AND tenant_id = ?'
  const row = await queries.first<EndpointRow>(sql, id, tenantId)
  return row === null ? null : toEndpoint(row)
}

/** Resolves to the endpoint and its secret, which is not shown again; null when there are too many already. */
export function addEndpoint(
  act: Transactions,
  keys: KeyList,
  { tenantId, url, nowMs }: { tenantId: string; url: string; nowMs: number },
): Promise<{ id: string; secret: string } | null> {
  const id = `we-${randomBytes(ENDPOINT_ID_BYTES).toString('hex')}`
  const secret = createWebhookSecret()
  const sealed = sealSecrets(keys, { id, tenantId }, [secret])
  return act.transaction(
    async (queries) => {
      if ((await listEndpoints(queries, tenantId)).length >= ENDPOINTS_MAX) return null
      await queries.run(
        `INSERT INTO webhook_endpoint (id, tenant_id, url, wrapped_key, secrets, created_at_ms) VALUES (?, ?, ?, ?, ?, ?)`,
        id,
        tenantId,
        url,
        sealed.wrappedKey,
        sealed.content,
        nowMs,
      )
      return { id, secret }
    },
    () => ({ object: id, objectName: url }),
  )
}

type EndpointName = { tenantId: string; id: string }

/** A new secret beside the newest one, which stays good until the next rotation or `dropOld`; null without such an endpoint. */
export function rotateSecret(
  act: Transactions,
  keys: KeyList,
  { tenantId, id }: EndpointName,
  { dropOld = false } = {},
): Promise<string | null> {
  const secret = createWebhookSecret()
  let url: string | undefined
  const rotate = async (queries: Queries) => {
    const known = await openEndpoint(queries, keys, id)
    if (known === null || known.tenantId !== tenantId) return null
    url = known.url
    const secrets = dropOld ? [secret] : [secret, ...known.secrets].slice(0, SECRETS_MAX)
    const sealed = sealSecrets(keys, { id, tenantId }, secrets)
    const sql = 'UPDATE webhook_endpoint SET wrapped_key = ?, secrets = ? WHERE id = ?'
    await queries.run(sql, sealed.wrappedKey, sealed.content, id)
    return secret
  }
  return act.transaction(rotate, () => ({ object: id, objectName: url }))
}

/** Forgets the endpoint and all its deliveries, also those in progress. */
export function removeEndpoint(act: Transactions, { tenantId, id }: EndpointName): Promise<boolean> {
  let url: string | undefined
  const remove = async (queries: Queries) => {
    url = (await findEndpoint(queries, { tenantId, id }))?.url
    if (url === undefined) return false
    await queries.run('DELETE FROM webhook_delivery WHERE endpoint_id = ?', id)
    await queries.run('DELETE FROM webhook_endpoint WHERE id = ?', id)
    return true
  }
  return act.transaction(remove, () => ({ object: id, objectName: url }))
}

/** With its secrets, the newest first; null when it was removed. */
export async function openEndpoint(
  queries: Queries,
  keys: KeyList,
  id: string,
): Promise<(Endpoint & { secrets: string[] }) | null> {
  const row = await queries.first<EndpointRow>('SELECT * FROM webhook_endpoint WHERE id = ?', id)
  if (row === null) return null
  const endpoint = toEndpoint(row)
  const place = { tenantId: endpoint.tenantId, rowId: id }
  const secrets = unseal(keys, place, { wrappedKey: row.wrapped_key, content: row.secrets }).split('\n')
  return { ...endpoint, secrets }
}

function sealSecrets(keys: KeyList, { id, tenantId }: EndpointName, secrets: readonly string[]) {
  return seal(keys, { tenantId, rowId: id }, secrets.join('\n'))
}

function toEndpoint(row: EndpointRow): Endpoint {
  return { id: row.id, tenantId: row.tenant_id, url: row.url }
}
