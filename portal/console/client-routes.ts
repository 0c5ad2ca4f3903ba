// The console's page about API clients and their secrets.
import { randomBytes } from 'node:crypto'
import type { Hono } from 'hono'
import type { Clock } from '../../kit/clock.ts'
import type { ServiceEnv } from '../../service/http/context.ts'
import { newClientSecret } from '../../service/tokens/client-secret.ts'
import type { Clients } from '../../service/tokens/clients.ts'
import { SCOPES } from '../../service/tokens/clients.ts'
import { readForm } from '../read-form.ts'
import { type ClientsView, clientsBody } from './client-pages.ts'
import type { TenantVisit } from './frame.ts'
import type { PageContext, Visits } from './page-context.ts'

const DAY_MS = 86_400_000
const LIFETIME_DAYS_MAX = 3_650

type ClientPageOptions = { clients: Clients; clock: Clock; visits: Visits }

export function clientPageRoutes({ clients, clock, visits }: ClientPageOptions): Hono<ServiceEnv> {
  const { show, tenantPages } = visits
  const { routes, get, post } = tenantPages()
  const path = '/console/clients'

  type Extra = Partial<Pick<ClientsView, 'created' | 'problem'>>
  async function showClients(context: PageContext, visit: TenantVisit, extra: Extra = {}) {
    const view = { clients: await clients.list(visit.tenant.id), nextId: newClientId(visit.tenant.id), ...extra }
    const page = { path, title: 'API clients', body: clientsBody(view) }
    return show(context, visit, page, extra.problem === undefined ? 200 : 409)
  }

  get(path, showClients)

  post(path, async (context, visit) => {
    const form = await readForm(context.req.raw)
    const { id: tenantId } = visit.tenant
    const id = form.get('id') ?? ''
    // Only an id that this page made for this lender.
    if (!isClientIdOf(tenantId, id)) {
      return showClients(context, visit, { problem: 'That form was out of date. Here is a new one.' })
    }
    const scopes = SCOPES.filter((scope) => form.getAll('scope').includes(scope))
    if (scopes.length === 0) return showClients(context, visit, { problem: 'Choose what the client may do.' })
    const secret = newClientSecret()
    const client = { id, tenantId, secret, scopes, expiresAtMs: expiryOf(form) }
    const isNew = await clients.create(context.get('act'), client)
    const problem = `${id} exists already. Its secret was shown once and cannot be shown again.`
    return showClients(context, visit, isNew ? { created: { id, secret } } : { problem })
  })

  post(`${path}/:clientId/secrets`, async (context, visit) => {
    const form = await readForm(context.req.raw)
    const { id: tenantId, name } = visit.tenant
    const id = context.req.param('clientId') ?? ''
    const known = (await clients.list(tenantId)).some((client) => client.id === id && client.disabledAtMs === null)
    const secret = newClientSecret()
    const client = { id, tenantId, secret, expiresAtMs: expiryOf(form) }
    const isAdded = known && (await clients.add(context.get('act'), client))
    const problem = `${id} is not a client of ${name} at work.`
    return showClients(context, visit, isAdded ? { created: { id, secret } } : { problem })
  })

  post(`${path}/:clientId/secrets/:secretId/end`, async (context, visit) => {
    const { clientId = '', secretId = '' } = context.req.param()
    const secret = { clientId, secretId, tenantId: visit.tenant.id }
    if (await clients.endSecret(context.get('act'), secret)) return context.redirect(path, 303)
    return showClients(context, visit, { problem: 'Nothing was ended: that secret does not count any more.' })
  })

  post(`${path}/:clientId/revoke`, async (context, visit) => {
    const id = context.req.param('clientId') ?? ''
    const { id: tenantId, name } = visit.tenant
    await clients.disable(context.get('act'), id, tenantId)
    // A form that is sent twice is fine. One from a page of another lender did nothing, which must not look like success.
    const isTheirs = (await clients.list(tenantId)).some((client) => client.id === id)
    if (isTheirs) return context.redirect(path, 303)
    const problem = `Nothing was revoked: ${id} is not a client of ${name}, for whom you act now.`
    return showClients(context, visit, { problem })
  })

  return routes

  /** Undefined, so without an end, for anything that is not a number of days. */
  function expiryOf(form: URLSearchParams): number | undefined {
    const days = Number(form.get('days') || Number.NaN)
    return days >= 1 && days <= LIFETIME_DAYS_MAX ? clock() + Math.floor(days) * DAY_MS : undefined
  }
}

const ID_BYTES = 5

function newClientId(tenantId: string): string {
  return `${tenantId}-${randomBytes(ID_BYTES).toString('hex')}`
}

function isClientIdOf(tenantId: string, id: string): boolean {
  return id.startsWith(`${tenantId}-`) && /^[0-9a-f]{10}$/.test(id.slice(tenantId.length + 1))
}
