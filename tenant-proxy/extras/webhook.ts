// Optional, with `webhookSecrets`. `POST {mount}/webhook`: the service tells what became of a check, so that a report
// reaches a lender whose process was away.
import {
  WEBHOOK_ID_HEADER,
  WEBHOOK_SIGNATURE_HEADER,
  WEBHOOK_TIMESTAMP_HEADER,
  type WebhookEvent,
} from '../../contract/webhook-event.ts'
import { isOwnMode, saidByService } from '../check/current.ts'
import type { Extra } from '../check/extra.ts'
import type { Parts } from '../check/parts.ts'
import { Refusal } from '../check/refusal.ts'
import { referenceOf } from '../check/ticket.ts'
import { verifyWebhook, WebhookError } from '../client/webhook.ts'
import { type Incoming, json, type Outgoing, traceOf } from '../exchange.ts'
import type { Outcome } from '../options.ts'

export function createWebhooks(parts: Parts): Extra {
  if (parts.settings.webhookSecrets.length === 0) return {}
  return {
    routes: [{ path: '/webhook', methods: ['POST'], answer: ({ incoming }) => receiveWebhook(incoming, parts) }],
  }
}

/** Answers 200 once the lender has what the event is about; anything else makes the service try again later. */
async function receiveWebhook(incoming: Incoming, parts: Parts): Promise<Outgoing> {
  const { settings, emit } = parts
  const event = await readEvent(incoming, parts)
  if (event === null) return json({ status: 'ignored' })
  if (event.data.tenantId !== settings.tenantId) {
    emit({
      type: 'misconfigured',
      problem: `a webhook of tenant ${event.data.tenantId} arrives here: check its address`,
    })
    throw new Refusal('forbidden')
  }
  emit({ type: 'webhook', event: structuredClone(event) })
  // A wallet or a spend: for `onEvent` alone.
  if (!('creditReportId' in event.data)) return json({ status: 'received' })
  if (!isExpected(event.data, parts)) return json({ status: 'ignored' })
  const { status, creditReportId, test } = event.data
  if (status === 'complete') await deliverReport(event.data, incoming, parts)
  else await tell({ status, creditReportId, ...referenceOf(event.data), test }, parts)
  return json({ status: 'received' })
}

/**
 * A tenant has one list of webhooks for both modes, so that the shop hears of a check of a staging site too. It is not
 * asked for again: a refusal would bring it back for three days.
 */
function isExpected({ test }: { test: boolean }, parts: Parts): boolean {
  const { test: mode, testScenarios } = parts.settings
  const place = { test: mode !== null, origin: '' }
  return (test && testScenarios) || isOwnMode(test, { place }, parts)
}

/** The event; null for one that this version does not know. */
async function readEvent({ headers, readBody }: Incoming, { settings, emit }: Parts): Promise<WebhookEvent | null> {
  const body = await readBody()
  const names = [WEBHOOK_ID_HEADER, WEBHOOK_TIMESTAMP_HEADER, WEBHOOK_SIGNATURE_HEADER]
  const given = Object.fromEntries(names.map((name) => [name, headers.get(name) ?? undefined]))
  try {
    return verifyWebhook(settings.webhookSecrets, { headers: given, body }, settings.clock()).event
  } catch (error) {
    if (!(error instanceof WebhookError)) throw error
    if (error.reason === 'unknown-event') return null
    emit({ type: 'refused', operation: 'webhook', code: 'forbidden' })
    throw new Refusal('forbidden')
  }
}

type About = { creditReportId: string; externalReference?: string | undefined }

async function deliverReport({ creditReportId, externalReference }: About, incoming: Incoming, parts: Parts) {
  const { settings, service, reports } = parts
  if (!settings.onReport || reports.isDelivered(creditReportId)) return
  const { data } = await service.get(creditReportId, 'webhook', traceOf(incoming))
  // Kept no longer: there is nothing left to deliver.
  if (data.status !== 'complete' || !data.creditReport || !isExpected(data, parts)) return
  const context = {
    creditReportId,
    ...referenceOf({ externalReference }),
    test: data.test,
    ...saidByService(data),
  }
  await reports.once(creditReportId, { report: data.creditReport, context })
  if (!reports.isDelivered(creditReportId)) throw new Refusal('unavailable')
}

async function tell(outcome: Outcome, { settings, outcomes }: Parts) {
  if (!settings.onOutcome) return
  await outcomes.once(outcome.creditReportId, outcome)
  if (!outcomes.isDelivered(outcome.creditReportId)) throw new Refusal('unavailable')
}
