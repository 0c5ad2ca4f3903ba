// Delivery receipts. They may be repeated, late, out of order, for unknown texts, or forged.
import { Hono } from 'hono'
import { BODY_BYTES_MAX } from '../../contract/limits.ts'
import type { TextRefusal } from '../../contract/stats.ts'
import type { Clock } from '../../kit/clock.ts'
import { ApiError, notFound } from '../../service/http/api-error.ts'
import type { ServiceEnv } from '../../service/http/context.ts'
import { readBody } from '../../service/http/read-body.ts'
import type { Log } from '../../service/log.ts'
import type { Database } from '../../service/store/database.ts'
import { settleText } from '../../service/texts/outbox.ts'
import type { TextMessageRow } from '../../service/texts/tables.ts'
import type { Receipt } from './sms-gateway.ts'
import { type ConfiguredGateway, receiptPathOf, SMS_KINDS } from './sms-gateways.ts'

type ReceiptOptions = {
  database: Database
  clock: Clock
  log: Log
  /** The gateway in use: receipts of the others are not found. Null where texts are simulated. */
  gateway: ConfiguredGateway | null
  /** The address at which the gateway reaches us; a header could say anything. */
  publicUrl: string
  /** Called when a receipt settles a text. */
  onSettled: (tenantId: string, fate: 'delivered' | 'undelivered', reason?: TextRefusal) => void
}

export function receiptRoutes(options: ReceiptOptions): Hono<ServiceEnv> {
  const { clock, gateway, publicUrl } = options
  const routes = new Hono<ServiceEnv>()

  for (const kind of SMS_KINDS) {
    routes.post(receiptPathOf(kind), async (context) => {
      const { req } = context
      if (gateway?.kind !== kind) throw notFound()
      const body = await readBody(req.raw, BODY_BYTES_MAX)
      const { pathname, search } = new URL(req.url)
      const receipt = gateway.readReceipt({
        body,
        url: `${publicUrl}${pathname}${search}`,
        header: (name) => req.header(name) ?? '',
        nowMs: clock(),
      })
      // The same for every way a signature can be wrong.
      if (receipt === 'unsigned') throw new ApiError('unauthorized', 'a receipt must be signed, and recent')
      if (receipt === 'unreadable') {
        throw new ApiError('validation-error', 'body: must be a receipt with an id and a status')
      }
      await applyReceipt(options, kind, receipt)
      return context.body(null, 204)
    })
  }

  return routes
}

/** The first final receipt decides and moves the text's credits in the same transaction; later ones change nothing. */
async function applyReceipt(
  { database, clock, log, onSettled }: ReceiptOptions,
  provider: string,
  { messageId, fate, refusal }: Receipt,
): Promise<void> {
  if (fate === 'pending') return
  const text = await database.first<Pick<TextMessageRow, 'tenant_id'>>(
    'SELECT tenant_id FROM text_message WHERE id = ?',
    messageId,
  )
  if (text === null) {
    // The id comes from outside: it is logged only when it is one of ours.
    log.warn('receipt for an unknown text', { provider, outcome: fate })
    return
  }
  const end = { messageId, tenantId: text.tenant_id, delivered: fate === 'delivered', refusal, nowMs: clock() }
  const settled = await settleText(database, end)
  if (settled) onSettled(text.tenant_id, fate, refusal?.refused)
  log.info('receipt', { provider, messageId, outcome: settled ? fate : 'settled before' })
}
