// The console's page about API clients and their secrets.
import type { Hono } from 'hono'
import { html } from 'hono/html'
import {
  CLIENT_NAME_LENGTH_MAX,
  ClientName,
  OVERLAP_DEFAULT_SECONDS,
  OVERLAP_MAX_SECONDS,
  SECRET_DAYS_MAX,
} from '../../contract/integration.ts'
import { read } from '../../contract/problems.ts'
import { type Clock, DAY_MS } from '../../kit/clock.ts'
import type { ServiceEnv } from '../../service/http/context.ts'
import { type Clients, type ListedClient, SCOPES, SECRETS_MAX } from '../../service/tokens/clients.ts'
import { clientsBody, lifetimeField, nameField, overlapField, type TypedClient } from './client-pages.ts'
import { may, type TenantVisit } from './frame.ts'
import type { PageContext, Visits } from './page-context.ts'
import type { Shown } from './presses.ts'
import type { SecretNotice } from './secret-mails.ts'

type ClientPageOptions = { clients: Clients; clock: Clock; notifyOfSecret: SecretNotice; visits: Visits }

export function clientPageRoutes({ clients, clock, notifyOfSecret, visits }: ClientPageOptions): Hono<ServiceEnv> {
  const { show, tenantPages } = visits
  const { routes, get, post, ask } = tenantPages()
  const path = '/console/clients'

  async function showClients(context: PageContext, visit: TenantVisit, typed?: TypedClient) {
    const listed = await clients.list(visit.tenant.id)
    const mayChange = may(visit, 'integration')
    const body = clientsBody({ clients: listed, mayChange, press: visit.press, ...(typed ? { typed } : {}) })
    return show(context, visit, { path, title: typed ? 'Error: API clients' : 'API clients', body }, typed ? 400 : 200)
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
    const scopes = SCOPES.filter((scope) => form.getAll('scope').includes(scope))
    const { name, problem } = readName(form)
    if (problem !== undefined || scopes.length === 0) {
      const scopeProblem = scopes.length === 0 ? 'Choose what the client may do.' : undefined
      return showClients(context, visit, {
        name,
        scopes,
        ...(problem ? { nameProblem: problem } : {}),
        ...(scopeProblem ? { scopeProblem } : {}),
      })
    }
    const wanted = { tenantId: visit.tenant.id, name, scopes, expiresAtMs: expiryOf(form) }
    const { clientId, secret } = await clients.make(context.get('act'), wanted)
    await notifyOfSecret(visit, { secret: `a secret for the API client ${name}`, page: path })
    return shown(`${name} was created.`, clientId, secret)
  })

  ask(
    `${path}/:clientId/name`,
    path,
    async (context, visit) => {
      const client = await findClient(context, visit)
      if ('refused' in client) return client
      return {
        title: `Rename ${client.name}`,
        body: html`<p>Its id, <code>${client.id}</code>, stays: no server notices.</p>`,
        fields: nameField(client.name),
        button: 'Save the name',
      }
    },
    async (context, visit, form) => {
      const { name, problem } = readName(form)
      if (problem !== undefined) return { refused: problem }
      const { clientId = '' } = context.req.param()
      const isRenamed = await clients.rename(context.get('act'), { clientId, tenantId: visit.tenant.id, name })
      return isRenamed ? { notice: `${clientId} is called ${name} now.` } : { refused: GONE }
    },
  )

  ask(
    `${path}/:clientId/secrets`,
    path,
    async (context, visit) => {
      const client = await findClient(context, visit)
      if ('refused' in client) return client
      return {
        title: `Replace the secret of ${client.name}`,
        body: html`<p>A new secret is made and shown once. Until the others end, both work: put the new one on your servers in that time.</p>`,
        fields: html`${overlapField()}${lifetimeField('The new secret ends')}`,
        button: 'Replace the secret',
      }
    },
    async (context, visit, form) => {
      const client = await findClient(context, visit)
      if ('refused' in client) return client
      const overlapSeconds = overlapOf(form)
      if (overlapSeconds > 0 && client.secrets.length >= SECRETS_MAX)
        return { refused: `${client.name} has ${SECRETS_MAX} secrets that work. End one first.` }
      const replaced = await clients.replaceSecret(context.get('act'), {
        clientId: client.id,
        tenantId: visit.tenant.id,
        othersEndAtMs: clock() + overlapSeconds * 1_000,
        expiresAtMs: expiryOf(form),
      })
      if (replaced === null) return { refused: GONE }
      await notifyOfSecret(visit, { secret: `a new secret for the API client ${client.name}`, page: path })
      const notice = overlapSeconds === 0 ? 'Only the new secret works now.' : 'The other secrets end as the list says.'
      return shown(notice, client.id, replaced.secret)
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
        title: `End secret ${id} of ${client.name}?`,
        body: html`<p>Servers that still use it get no new tokens. Tokens they hold work for up to 15 minutes. It cannot be undone.</p>
  ${isLast ? html`<p><strong>It is the only secret of ${client.name}:</strong> until you replace it, no server can use this client.</p>` : ''}`,
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
        title: `Revoke ${client.name}?`,
        body: html`<p>Its id is <code>${client.id}</code>. Servers that use it stop working within a minute. It cannot be undone.</p>`,
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
    return days >= 1 && days <= SECRET_DAYS_MAX ? clock() + Math.floor(days) * DAY_MS : undefined
  }
}

const ENDED = 'That secret does not work any more.'
const GONE = 'That client is not here any more.'

function readName(form: URLSearchParams): { name: string; problem?: string } {
  const typed = form.get('name') ?? ''
  const reading = read(ClientName, typed)
  if (reading.ok) return { name: reading.value }
  const problem = `Type a name of at most ${CLIENT_NAME_LENGTH_MAX} characters, without invisible ones.`
  return { name: typed, problem }
}

/** Anything that the list does not offer is the usual time. */
function overlapOf(form: URLSearchParams): number {
  const seconds = Number(form.get('overlap') || Number.NaN)
  return seconds >= 0 && seconds <= OVERLAP_MAX_SECONDS ? Math.floor(seconds) : OVERLAP_DEFAULT_SECONDS
}

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
