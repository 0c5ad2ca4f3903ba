// The console's page about webhooks.
import type { Hono } from 'hono'
import { html } from 'hono/html'
import { DELIVERY_STATUSES } from '../../contract/integration.ts'
import { WEBHOOK_EVENT_TYPES } from '../../contract/webhook-event.ts'
import {
  addWebhook,
  removeWebhook,
  resendAllFailed,
  resendDelivery,
  rotateWebhook,
} from '../../plugins/webhooks/acts.ts'
import { countFailed, findDelivery, listDeliveries } from '../../plugins/webhooks/deliveries.ts'
import { type Endpoint, findEndpoint, listEndpoints } from '../../plugins/webhooks/endpoints.ts'
import type { WebhookSender } from '../../plugins/webhooks/sender.ts'
import type { ActCore } from '../../service/act/act.ts'
import type { ServiceEnv } from '../../service/http/context.ts'
import { pageOf } from '../../service/store/rows.ts'
import { carryOut, problemWith } from './act-form.ts'
import { overlapField } from './client-pages.ts'
import { may, type TenantVisit } from './frame.ts'
import type { PageContext, Visits } from './page-context.ts'
import type { Shown } from './presses.ts'
import type { SecretNotice } from './secret-mails.ts'
import { deliveryBody, unknownDeliveryBody, webhooksBody } from './webhook-pages.ts'

const EVENTS_SHOWN = 50
const GONE = { refused: 'That address is not here any more.', status: 404 } as const

export type WebhookPageOptions = {
  core: ActCore
  sender: Pick<WebhookSender, 'sendTest'>
  notifyOfSecret: SecretNotice
  visits: Visits
}

export function webhookPageRoutes(options: WebhookPageOptions): Hono<ServiceEnv> {
  const { core, sender, notifyOfSecret, visits } = options
  const { database } = core
  const { show, showUnknown, tenantPages } = visits
  const { routes, get, post, ask } = tenantPages()
  const path = '/console/webhooks'

  async function showWebhooks(context: PageContext, visit: TenantVisit, typed?: { url: string; problem: string }) {
    const { id: tenantId } = visit.tenant
    const endpoints = await listEndpoints(database, tenantId)
    const { before, status, type, webhook } = context.req.query()
    const filters = {
      status: DELIVERY_STATUSES.find((each) => each === status),
      type: WEBHOOK_EVENT_TYPES.find((each) => each === type),
      webhookId: endpoints.find(({ id }) => id === webhook)?.id,
    }
    const isKnown = before === undefined || (await findDelivery(database, { tenantId, id: before })) !== null
    // Only an address that was edited by hand can be wrong.
    if (!isKnown || (status && !filters.status) || (type && !filters.type) || (webhook && !filters.webhookId))
      return showUnknown(context, visit, path)
    const found = await listDeliveries(database, { tenantId, ...filters, before, limit: EVENTS_SHOWN + 1 })
    const { rows: deliveries, last } = pageOf(found, EVENTS_SHOWN)
    const mayChange = may(visit, 'integration')
    const page = { endpoints, filters, isNewest: before === undefined, deliveries, nextBefore: last?.id }
    const failed = await countFailed(database, tenantId)
    const body = webhooksBody({ ...page, failed, mayChange, press: visit.press, ...(typed ? { typed } : {}) })
    return show(context, visit, { path, title: typed ? 'Error: webhooks' : 'Webhooks', body }, typed ? 400 : 200)
  }

  function endpointOf(context: PageContext, { tenant }: TenantVisit): Promise<Endpoint | null> {
    return findEndpoint(database, { tenantId: tenant.id, id: context.req.param('webhookId') ?? '' })
  }

  get(path, (context, visit) => showWebhooks(context, visit))

  post(path, path, async (context, visit, form) => {
    const added = await carryOut(context, { core, act: addWebhook, form })
    if ('refused' in added)
      return showWebhooks(context, visit, {
        url: form.get('url') ?? '',
        problem: problemWith('url', added) ?? added.refused,
      })
    await notifyOfSecret(visit, { secret: `a signing secret for ${added.done.url}`, page: path })
    return shown('The address was added.', added.done)
  })

  post(`${path}/resend-failed`, path, async (context, _visit, form) => {
    const queued = await carryOut(context, { core, act: resendAllFailed, form })
    if ('refused' in queued) return queued
    const { events } = queued.done
    return { notice: events === 1 ? 'One event is sent again.' : `${events} events are sent again.` }
  })

  ask(
    `${path}/:webhookId/rotate`,
    path,
    async (context, visit) => {
      const endpoint = await endpointOf(context, visit)
      if (endpoint === null) return GONE
      return {
        title: 'Make a new signing secret?',
        body: html`<p>Events to <code>${endpoint.url}</code> are signed with every secret that works: give your server the new one before the others end.</p>`,
        fields: overlapField(),
        button: 'Make a new secret',
      }
    },
    async (context, visit, form) => {
      const rotated = await carryOut(context, { core, act: rotateWebhook, form })
      if ('refused' in rotated) return rotated
      await notifyOfSecret(visit, { secret: `a new signing secret for ${rotated.done.url}`, page: path })
      const isOnly = form.get('overlapHours') === '0'
      return shown(isOnly ? 'Only the new secret signs now.' : 'The other secrets go on until they end.', rotated.done)
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
    async (context, _visit, form) => {
      const removed = await carryOut(context, { core, act: removeWebhook, form })
      return 'refused' in removed ? removed : { notice: `${removed.done.url} was removed.` }
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

  get(`${path}/events/:deliveryId`, async (context, visit) => {
    const id = context.req.param('deliveryId') ?? ''
    const delivery = await findDelivery(database, { tenantId: visit.tenant.id, id })
    if (delivery === null)
      return show(context, visit, { path, title: 'No such event', body: unknownDeliveryBody() }, 404)
    const body = deliveryBody(delivery, may(visit, 'integration') ? visit.press : null)
    return show(context, visit, { path, title: delivery.type, body })
  })

  post(`${path}/events/:deliveryId/resend`, path, async (context, _visit, form) => {
    const queued = await carryOut(context, { core, act: resendDelivery, form })
    if ('refused' in queued) return queued
    return { notice: 'The event is sent again.', to: `${path}/events/${queued.done.id}` }
  })

  return routes
}

function shown(notice: string, { url, signingSecret }: { url: string; signingSecret: string }): Shown {
  return {
    notice,
    secret: {
      title: 'A new signing secret',
      hint: 'Copy it now: it cannot be shown again.',
      facts: { Address: url },
      label: 'Signing secret',
      values: [signingSecret],
    },
  }
}
