// The console's page about API clients and their secrets.
import type { Hono } from 'hono'
import { html } from 'hono/html'
import { createClient, endSecret, renameClient, replaceSecret, revokeClient } from '../../plugins/clients/acts.ts'
import type { ListedClient, ManagedClients } from '../../plugins/clients/manage.ts'
import type { ActCore } from '../../service/act/act.ts'
import type { ServiceEnv } from '../../service/http/context.ts'
import { SCOPES } from '../../service/tokens/clients.ts'
import { carryOut, problemWith, type Refusal } from './act-form.ts'
import { clientsBody, lifetimeField, nameField, overlapField } from './client-pages.ts'
import { may, type TenantVisit } from './frame.ts'
import type { PageContext, Refused, Visits } from './page-context.ts'
import type { Shown } from './presses.ts'
import type { SecretNotice } from './secret-mails.ts'

type ClientPageOptions = { core: ActCore; clients: ManagedClients; notifyOfSecret: SecretNotice; visits: Visits }

export function clientPageRoutes({ core, clients, notifyOfSecret, visits }: ClientPageOptions): Hono<ServiceEnv> {
  const { show, tenantPages } = visits
  const { routes, get, post, ask } = tenantPages()
  const path = '/console/clients'

  async function showClients(context: PageContext, visit: TenantVisit, refused?: Refusal & { form: URLSearchParams }) {
    const page = {
      clients: await clients.list(visit.tenant.id),
      mayChange: may(visit, 'integration'),
      mayReadReports: may(visit, 'report'),
      press: visit.press,
      ...(refused && { typed: typedOf(refused) }),
    }
    const title = refused ? 'Error: API clients' : 'API clients'
    return show(context, visit, { path, title, body: clientsBody(page) }, refused ? 400 : 200)
  }

  /** The client in the path, if it is the lender's and was not revoked; else why nothing can be done with it. */
  async function findClient(context: PageContext, { tenant }: TenantVisit): Promise<ListedClient | Refused> {
    const id = context.req.param('clientId') ?? ''
    const client = (await clients.list(tenant.id)).find((each) => each.id === id)
    if (client === undefined)
      return { refused: `${id} is not a client of ${tenant.name}, for whom you act now.`, status: 404 }
    return client.disabledAtMs === null ? client : { refused: `${id} was revoked.`, status: 404 }
  }

  get(path, (context, visit) => showClients(context, visit))

  post(path, path, async (context, visit, form) => {
    // Without a tick it would get what the API gives when nothing is said.
    if (!form.has('scopes'))
      return showClients(context, visit, { refused: 'Tick at least one thing that it may do.', problems: [], form })
    const made = await carryOut(context, { core, act: createClient, form })
    if ('refused' in made) return showClients(context, visit, { ...made, form })
    const name = form.get('name')?.trim()
    await notifyOfSecret(visit, { secret: `a secret for the API client ${name}`, page: path })
    return shown(`${name} was created.`, made.done)
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
    async (context, _visit, form) => {
      const renamed = await carryOut(context, { core, act: renameClient, form })
      if ('refused' in renamed) return renamed
      return { notice: `${renamed.done.clientId} is called ${renamed.done.name} now.` }
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
      const replaced = await carryOut(context, { core, act: replaceSecret, form })
      if ('refused' in replaced) return replaced
      await notifyOfSecret(visit, { secret: `a new secret for the API client ${client.name}`, page: path })
      const isOnly = form.get('overlapHours') === '0'
      return shown(isOnly ? 'Only the new secret works now.' : 'The other secrets end as the list says.', replaced.done)
    },
  )

  ask(
    `${path}/:clientId/secrets/:secretId/end`,
    path,
    async (context, visit) => {
      const client = await findClient(context, visit)
      if ('refused' in client) return client
      const id = context.req.param('secretId') ?? ''
      if (!client.secrets.some((secret) => secret.id === id))
        return { refused: 'That secret does not work any more.', status: 404 }
      const isLast = client.secrets.length === 1
      return {
        title: `End secret ${id} of ${client.name}?`,
        body: html`<p>Servers that still use it get no new tokens. Tokens they hold work for up to 15 minutes. It cannot be undone.</p>
  ${isLast ? html`<p><strong>It is the only secret of ${client.name}:</strong> until you replace it, no server can use this client.</p>` : ''}`,
        button: 'End the secret',
        isDanger: true,
      }
    },
    async (context, _visit, form) => {
      const ended = await carryOut(context, { core, act: endSecret, form })
      if ('refused' in ended) return ended
      return { notice: `Secret ${ended.done.secretId} of ${ended.done.clientId} was ended.` }
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
    async (context, _visit, form) => {
      const revoked = await carryOut(context, { core, act: revokeClient, form })
      return 'refused' in revoked ? revoked : { notice: `${revoked.done.clientId} was revoked.` }
    },
  )

  return routes
}

function typedOf(refusal: Refusal & { form: URLSearchParams }) {
  const { form, refused, problems } = refusal
  const nameProblem = problemWith('name', refusal)
  return {
    name: form.get('name') ?? '',
    scopes: SCOPES.filter((scope) => form.getAll('scopes').includes(scope)),
    testOnly: form.get('testOnly') === 'true',
    ...(nameProblem ? { nameProblem } : {}),
    ...(problems.some(({ path }) => path !== 'name') || problems.length === 0 ? { problem: refused } : {}),
  }
}

function shown(notice: string, { clientId, clientSecret }: { clientId: string; clientSecret: string }): Shown {
  return {
    notice,
    secret: {
      title: 'A new secret',
      hint: 'Copy the secret now: it is not kept and cannot be shown again.',
      facts: { 'Client id': clientId },
      label: 'Client secret',
      values: [clientSecret],
    },
  }
}
