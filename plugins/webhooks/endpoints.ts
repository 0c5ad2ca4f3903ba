// The addresses of a lender's webhooks, and their signing secrets.
import { randomBytes } from 'node:crypto'
import { CHOSEN_EVENT_TYPES } from '../../contract/webhook-event.ts'
import type { KeyList } from '../../kit/keys.ts'
import { seal, unseal } from '../../kit/seal.ts'
import { createWebhookSecret } from '../../kit/webhook-signature.ts'
import { validationError } from '../../service/http/api-error.ts'
import type { Queries, Transactions } from '../../service/store/database.ts'
import type { EndpointRow } from './tables.ts'

/** At once, while a lender changes over from one to the other: each signs every event. */
const SECRETS_MAX = 5
const ENDPOINT_ID_BYTES = 6
/** Endpoints per tenant: each event is written once for each. */
export const ENDPOINTS_MAX = 10

/** `types`: null where all events go there. */
export type Endpoint = {
  id: string
  tenantId: string
  url: string
  types: readonly (typeof CHOSEN_EVENT_TYPES)[number][] | null
}

export async function listEndpoints(queries: Queries, tenantId: string): Promise<Endpoint[]> {
  const rows = await queries.all<EndpointRow>(
    'SELECT * FROM webhook_endpoint WHERE tenant_id = ? ORDER BY created_at_ms, id',
    tenantId,
  )
  return rows.map(toEndpoint)
}

const OWN = 'SELECT * FROM webhook_endpoint WHERE id = ? AND tenant_id = ?'

/** Null when the tenant has no such endpoint, or no longer. */
export async function findEndpoint(queries: Queries, { tenantId, id }: EndpointName): Promise<Endpoint | null> {
  const row = await queries.first<EndpointRow>(OWN, id, tenantId)
  return row === null ? null : toEndpoint(row)
}

type NewEndpoint = { tenantId: string; url: string; types?: Endpoint['types'] | undefined; nowMs: number }

/** Resolves to the endpoint and its secret, which is not shown again; null when there are too many already. */
export function addEndpoint(
  act: Transactions,
  keys: KeyList,
  { tenantId, url, types = null, nowMs }: NewEndpoint,
): Promise<{ id: string; secret: string } | null> {
  const id = `we-${randomBytes(ENDPOINT_ID_BYTES).toString('hex')}`
  const secret = createWebhookSecret()
  const sealed = sealSecrets(keys, { id, tenantId }, [{ secret, endsAtMs: null }])
  return act.transaction(
    async (queries) => {
      if ((await listEndpoints(queries, tenantId)).length >= ENDPOINTS_MAX) return null
      const added = await queries.run(
        `INSERT INTO webhook_endpoint (id, tenant_id, url, types, wrapped_key, secrets, created_at_ms)
         VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (tenant_id, url) DO NOTHING`,
        id,
        tenantId,
        url,
        types && ` ${types.join(' ')} `,
        sealed.wrappedKey,
        sealed.content,
        nowMs,
      )
      // Each event would come twice.
      if (added === 0) throw validationError([{ path: 'url', expected: 'must not be an address that is here already' }])
      return { id, secret }
    },
    () => ({ object: id, objectName: url }),
  )
}

type EndpointName = { tenantId: string; id: string }

/** A new secret beside the others, which end when it says or sooner; null without such an endpoint. */
export function rotateSecret(
  act: Transactions,
  keys: KeyList,
  { tenantId, id, nowMs, othersEndAtMs }: EndpointName & { nowMs: number; othersEndAtMs: number },
): Promise<{ url: string; secret: string } | null> {
  const secret = createWebhookSecret()
  let url: string | undefined
  const rotate = async (queries: Queries) => {
    const row = await queries.first<EndpointRow>(OWN, id, tenantId)
    if (row === null) return null
    url = row.url
    const others = readSecrets(keys, row)
      .map((each) => ({ ...each, endsAtMs: Math.min(each.endsAtMs ?? othersEndAtMs, othersEndAtMs) }))
      .filter(({ endsAtMs }) => endsAtMs > nowMs)
    if (others.length >= SECRETS_MAX) {
      const expected = `must be 0: ${SECRETS_MAX} secrets of this webhook work already`
      throw validationError([{ path: 'overlapHours', expected }])
    }
    const sealed = sealSecrets(keys, { id, tenantId }, [{ secret, endsAtMs: null }, ...others])
    const sql = 'UPDATE webhook_endpoint SET wrapped_key = ?, secrets = ? WHERE id = ?'
    await queries.run(sql, sealed.wrappedKey, sealed.content, id)
    return { url, secret }
  }
  return act.transaction(rotate, () => ({ object: id, objectName: url }))
}

/**
 * Forgets the endpoint and all its deliveries, also those in progress; resolves to its address, or null without such an
 * endpoint.
 */
export function removeEndpoint(act: Transactions, { tenantId, id }: EndpointName): Promise<string | null> {
  let url: string | undefined
  const remove = async (queries: Queries) => {
    url = (await findEndpoint(queries, { tenantId, id }))?.url
    if (url === undefined) return null
    await queries.run('DELETE FROM webhook_delivery WHERE endpoint_id = ?', id)
    await queries.run('DELETE FROM webhook_endpoint WHERE id = ?', id)
    return url
  }
  return act.transaction(remove, () => ({ object: id, objectName: url }))
}

/** With the secrets that work, the newest first; null when it was removed. */
export async function openEndpoint(
  queries: Queries,
  keys: KeyList,
  { id, nowMs }: { id: string; nowMs: number },
): Promise<(Endpoint & { secrets: string[] }) | null> {
  const row = await queries.first<EndpointRow>('SELECT * FROM webhook_endpoint WHERE id = ?', id)
  if (row === null) return null
  const working = readSecrets(keys, row).filter(({ endsAtMs }) => endsAtMs === null || endsAtMs > nowMs)
  return { ...toEndpoint(row), secrets: working.map(({ secret }) => secret) }
}

/** Sealed as a line each: the secret, and when it ends. */
type Secret = { secret: string; endsAtMs: number | null }

function readSecrets(keys: KeyList, row: EndpointRow): Secret[] {
  const place = { tenantId: row.tenant_id, rowId: row.id }
  const lines = unseal(keys, place, { wrappedKey: row.wrapped_key, content: row.secrets }).split('\n')
  return lines.map((line) => {
    const [secret = '', endsAtMs] = line.split(' ')
    return { secret, endsAtMs: endsAtMs === undefined ? null : Number(endsAtMs) }
  })
}

function sealSecrets(keys: KeyList, { id, tenantId }: EndpointName, secrets: readonly Secret[]) {
  const lines = secrets.map(({ secret, endsAtMs }) => (endsAtMs === null ? secret : `${secret} ${endsAtMs}`))
  return seal(keys, { tenantId, rowId: id }, lines.join('\n'))
}

function toEndpoint(row: EndpointRow): Endpoint {
  const types = CHOSEN_EVENT_TYPES.filter((type) => row.types?.includes(` ${type} `))
  return { id: row.id, tenantId: row.tenant_id, url: row.url, types: row.types === null ? null : types }
}
