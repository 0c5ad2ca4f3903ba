// The console's page about API clients and their secrets.
import { randomBytes } from 'node:crypto'
import type { Hono } from 'hono'
import { html } from 'hono/html'
import { type Clock, DAY_MS } from '../../kit/clock.ts'
import type { ServiceEnv } from '../../service/http/context.ts'
import { newClientSecret } from '../../service/tokens/client-secret.ts'
import { type Clients, type ListedClient, SCOPES } from '../../service/tokens/clients.ts'
import { clientsBody, lifetimeField } from './client-pages.ts'
import { may, type TenantVisit } from './frame.ts'
import type { PageContext, Visits } from './page-context.ts'
import type { Shown } from './presses.ts'

const LIFETIME_DAYS_MAX = 3_650
const ID_BYTES = 5

type ClientPageOptions = { clients: Clients; clock: Clock; visits: Visits }

export function clientPageRoutes({ clients, clock, visits }: ClientPageOptions): Hono<ServiceEnv> {
  const { show, tenantPages } = visits
  const { routes, get, post, ask } = tenantPages()
  const path = '/console/clients'

  async function showClients(context: PageContext, visit: TenantVisit, problem?: string) {
    const listed = await clients.list(visit.tenant.id)
    const mayChange = may(visit, 'integration')
    const body = clientsBody({ clients: listed, mayChange, ...(problem ? { problem } : {}) })
    return show(context, visit, { path, title: 'API clients', body }, problem ? 409 : 200)
  }

  /** The client in the path, if it is the lender's and was not revoked; else why nothing can be done with it. */
  async function findClient(
    context: PageContext,
    { tenant }: TenantVisit,
  ): Promise<ListedClient | { refused: string }> {
    const id = context.req.param('clientId') ?? ''
    const client = (await clients.list(tenant.id)).find((each) => each.id === id)
    if (client === undefined) return { refused: `${id} is not a client of ${tenant.name}, for whom you act now.` }
    return client.disabledAtMs === null ? client : { refused: `${id} was revoked.` }
  }

  get(path, (context, visit) => showClients(context, visit))

  post(path, path, async (context, visit, form) => {
    const { id: tenantId } = visit.tenant
    const scopes = SCOPES.filter((scope) => form.getAll('scope').includes(scope))
    if (scopes.length === 0) return showClients(context, visit, 'Choose what the client may do.')
    const id = `${tenantId}-${randomBytes(ID_BYTES).toString('hex')}`
    const secret = newClientSecret()
    const isNew = await clients.create(context.get('act'), {
      id,
      tenantId,
      secret,
      scopes,
      expiresAtMs: expiryOf(form),
    })
    return isNew ? shown('The client was created.', id, secret) : { refused: 'That client exists already. Try again.' }
  })

  ask(
    `${path}/:clientId/secrets`,
    path,
    async (context, visit) => {
      const client = await findClient(context, visit)
      if ('refused' in client) return client
      return {
        title: `Add a secret to ${client.id}`,
        body: html`<p>It works beside the ${client.secrets.length} that ${client.id} has. Put it on your servers, then end the old one.</p>`,
        fields: lifetimeField(),
        button: 'Add a secret',
      }
    },
    async (context, visit, form) => {
      const client = await findClient(context, visit)
      if ('refused' in client) return client
      const secret = newClientSecret()
      const added = { id: client.id, tenantId: visit.tenant.id, secret, expiresAtMs: expiryOf(form) }
      const isAdded = await clients.add(context.get('act'), added)
      return isAdded ? shown('The secret was added.', client.id, secret) : { refused: `${client.id} was revoked.` }
    },
  )

  ask(
    `${path}/:clientId/secrets/:secretId/end`,
    path,
    async (context, visit) => {
      const client = await findClient(context, visit)
      if ('refused' in client) return client
      const id = context.req.param('secretId') ?? ''
      if (!client.secrets.some((secret) => secret.id === id)) return { refused: ENDED }
      const isLast = client.secrets.length === 1
      return {
        title: `End secret ${id} of ${client.id}?`,
        body: html`<p>Servers that still use it get no new tokens. Tokens they hold work for up to 15 minutes. It cannot be undone.</p>
  ${isLast ? html`<p><strong>It is the only secret of ${client.id}:</strong> until you add another, no server can use this client.</p>` : ''}`,
        button: 'End the secret',
        isDanger: true,
      }
    },
    async (context, visit) => {
      const { clientId = '', secretId = '' } = context.req.param()
      const ended = await clients.endSecret(context.get('act'), { clientId, secretId, tenantId: visit.tenant.id })
      return ended ? { notice: `Secret ${secretId} of ${clientId} was ended.` } : { refused: ENDED }
    },
  )

  ask(
    `${path}/:clientId/revoke`,
    path,
    async (context, visit) => {
      const client = await findClient(context, visit)
      if ('refused' in client) return client
      return {
        title: `Revoke ${client.id}?`,
        body: html`<p>Servers that use it stop working within a minute. It cannot be undone.</p>`,
        button: 'Revoke for good',
        isDanger: true,
      }
    },
    async (context, visit) => {
      const client = await findClient(context, visit)
      if ('refused' in client) return client
      await clients.disable(context.get('act'), client.id, visit.tenant.id)
      return { notice: `${client.id} was revoked.` }
    },
  )

  return routes

  /** Undefined, so without an end, for anything that is not a number of days. */
  function expiryOf(form: URLSearchParams): number | undefined {
    const days = Number(form.get('days') || Number.NaN)
    return days >= 1 && days <= LIFETIME_DAYS_MAX ? clock() + Math.floor(days) * DAY_MS : undefined
  }
}

const ENDED = 'That secret does not work any more.'

function shown(notice: string, id: string, secret: string): Shown {
  return {
    notice,
    secret: {
      title: 'A new secret',
      hint: 'Copy the secret now: it is not kept and cannot be shown again.',
      facts: { 'Client id': id },
      label: 'Client secret',
      values: [secret],
    },
  }
}
