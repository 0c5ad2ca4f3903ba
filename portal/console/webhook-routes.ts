// The console's page about webhooks.
import type { Hono } from 'hono'
import { html } from 'hono/html'
import type { Clock } from '../../kit/clock.ts'
import type { KeyList } from '../../kit/keys.ts'
import { findDelivery, listDeliveries, resend } from '../../plugins/webhooks/deliveries.ts'
import {
  addEndpoint,
  ENDPOINTS_MAX,
  type Endpoint,
  findEndpoint,
  listEndpoints,
  removeEndpoint,
  rotateSecret,
} from '../../plugins/webhooks/endpoints.ts'
import type { WebhookSender } from '../../plugins/webhooks/sender.ts'
import { problemOfTarget, type TargetRules } from '../../plugins/webhooks/target.ts'
import type { ServiceEnv } from '../../service/http/context.ts'
import type { Database } from '../../service/store/database.ts'
import { pageOf } from '../../service/store/page.ts'
import { may, type TenantVisit } from './frame.ts'
import type { PageContext, Visits } from './page-context.ts'
import type { Shown } from './presses.ts'
import type { SecretNotice } from './secret-mails.ts'
import { deliveryBody, unknownDeliveryBody, webhooksBody } from './webhook-pages.ts'

const EVENTS_SHOWN = 50
const GONE = { refused: 'That address is not here any more.' }

export type WebhookPageOptions = {
  database: Database
  clock: Clock
  /** Seals the signing secrets. */
  keys: KeyList
  rules: TargetRules
  sender: Pick<WebhookSender, 'sendTest'>
  notifyOfSecret: SecretNotice
  visits: Visits
}

export function webhookPageRoutes(options: WebhookPageOptions): Hono<ServiceEnv> {
  const { database, clock, keys, rules, sender, notifyOfSecret, visits } = options
  const { show, tenantPages } = visits
  const { routes, get, post, ask } = tenantPages()
  const path = '/console/webhooks'

  async function showWebhooks(context: PageContext, visit: TenantVisit, typed?: { url: string; problem: string }) {
    const { id: tenantId } = visit.tenant
    const endpoints = await listEndpoints(database, tenantId)
    const before = context.req.query('before')
    const found = await listDeliveries(database, { tenantId, before, limit: EVENTS_SHOWN + 1 })
    const { rows: deliveries, last } = pageOf(found, EVENTS_SHOWN)
    const mayChange = may(visit, 'integration')
    const page = { endpoints, deliveries, nextBefore: last?.id, mayChange, press: visit.press }
    const body = webhooksBody({ ...page, ...(typed ? { typed } : {}) })
    return show(context, visit, { path, title: typed ? 'Error: webhooks' : 'Webhooks', body }, typed ? 400 : 200)
  }

  function endpointOf(context: PageContext, { tenant }: TenantVisit): Promise<Endpoint | null> {
    return findEndpoint(database, { tenantId: tenant.id, id: context.req.param('webhookId') ?? '' })
  }

  get(path, (context, visit) => showWebhooks(context, visit))

  post(path, path, async (context, visit, form) => {
    const url = (form.get('url') ?? '').trim()
    const problem = problemOfTarget(url, rules)
    if (problem !== null) return showWebhooks(context, visit, { url, problem: `That cannot be added: ${problem}.` })
    const added = await addEndpoint(context.get('act'), keys, { tenantId: visit.tenant.id, url, nowMs: clock() })
    if (added === null) return { refused: `There are ${ENDPOINTS_MAX} addresses already. Remove one first.` }
    await notifyOfSecret(visit, { secret: `a signing secret for ${url}`, page: path })
    return shown('The address was added.', url, added.secret)
  })

  ask(
    `${path}/:webhookId/rotate`,
    path,
    async (context, visit) => {
      const endpoint = await endpointOf(context, visit)
      if (endpoint === null) return GONE
      return {
        title: 'Make a new signing secret?',
        body: html`<p>Events to <code>${endpoint.url}</code> are then signed with the new secret and with the one before it. Any older secret stops working.</p>
  <p>Your server must know the newest secret before you make another one.</p>`,
        button: 'Make a new secret',
      }
    },
    async (context, visit) => {
      const endpoint = await endpointOf(context, visit)
      const secret = endpoint && (await rotateSecret(context.get('act'), keys, endpoint))
      if (!endpoint || !secret) return GONE
      await notifyOfSecret(visit, { secret: `a new signing secret for ${endpoint.url}`, page: path })
      return shown('There is a new secret; the one before it works too.', endpoint.url, secret)
    },
  )

  ask(
    `${path}/:webhookId/remove`,
    path,
    async (context, visit) => {
      const endpoint = await endpointOf(context, visit)
      if (endpoint === null) return GONE
      return {
        title: 'Remove this address?',
        body: html`<p><code>${endpoint.url}</code> gets no more events. Events that wait to be delivered there are deleted, and so is what the list says about earlier ones. It cannot be undone.</p>`,
        button: 'Remove the address',
        isDanger: true,
      }
    },
    async (context, visit) => {
      const endpoint = await endpointOf(context, visit)
      if (endpoint === null || !(await removeEndpoint(context.get('act'), endpoint))) return GONE
      return { notice: `${endpoint.url} was removed.` }
    },
  )

  post(`${path}/:webhookId/test`, path, async (context, visit) => {
    const { webhookId: id = '' } = context.req.param()
    const sent = await sender.sendTest(context.get('act'), { tenantId: visit.tenant.id, id })
    if (sent === null) return GONE
    if (typeof sent === 'number') return { refused: `Too many tests. Wait ${sent} seconds.` }
    const notice =
      sent.status === 'delivered'
        ? `The test event was delivered to ${sent.url}.`
        : 'A test event was sent. See below what your server answered.'
    return { notice, to: `${path}/events/${sent.id}` }
  })

  get(`${path}/events/:eventId`, async (context, visit) => {
    const id = context.req.param('eventId') ?? ''
    const delivery = await findDelivery(database, { tenantId: visit.tenant.id, id })
    if (delivery === null)
      return show(context, visit, { path, title: 'No such event', body: unknownDeliveryBody() }, 404)
    const body = deliveryBody(delivery, may(visit, 'integration') ? visit.press : null)
    return show(context, visit, { path, title: delivery.type, body })
  })

  post(`${path}/events/:eventId/resend`, path, async (context, visit) => {
    const id = context.req.param('eventId') ?? ''
    const count = await resend(context.get('act'), { tenantId: visit.tenant.id, id, nowMs: clock() })
    if (count === 0) return { refused: 'That event is not here any more.' }
    return { notice: 'The event is sent again.', to: `${path}/events/${id}` }
  })

  return routes
}

function shown(notice: string, url: string, secret: string): Shown {
  return {
    notice,
    secret: {
      title: 'A new signing secret',
      hint: 'Copy it now: it cannot be shown again.',
      facts: { Address: url },
      label: 'Signing secret',
      values: [secret],
    },
  }
}
