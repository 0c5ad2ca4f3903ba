// Delivery receipts. They may be repeated, late, out of order, for unknown texts, or forged.
import { Hono } from 'hono'
import * as z from 'zod/mini'
import { opaqueString } from '../../contract/bounded-string.ts'
import { BODY_BYTES_MAX } from '../../contract/limits.ts'
import { read } from '../../contract/problems.ts'
import type { Clock } from '../../kit/clock.ts'
import { tryParseJson } from '../../kit/json-body.ts'
import { ApiError, notFound } from '../http/api-error.ts'
import type { ServiceEnv } from '../http/context.ts'
import { readBody } from '../http/read-body.ts'
import type { Log } from '../log.ts'
import { RECEIPTS_PATH, type ReceiptSecrets } from '../providers/create-providers.ts'
import type { Database } from '../store/database.ts'
import { settleText } from './outbox.ts'
import {
  isSignedReceipt,
  isSignedTwilioCallback,
  SIGNATURE_HEADER,
  TIMESTAMP_HEADER,
  TWILIO_SIGNATURE_HEADER,
} from './receipt-signature.ts'
import type { TextMessageRow } from './tables.ts'

type ReceiptOptions = {
  database: Database
  clock: Clock
  log: Log
  secrets: ReceiptSecrets
  /** Where the gateway was told to reach us; a header could say anything. */
  publicUrl: string
  onSettled: (fate: 'delivered' | 'undelivered') => void
}

export function receiptRoutes(options: ReceiptOptions): Hono<ServiceEnv> {
  const { clock, secrets, publicUrl } = options
  const routes = new Hono<ServiceEnv>()

  routes.post(`${RECEIPTS_PATH}/http`, async (context) => {
    const { req } = context
    if (secrets.http === null) throw notFound()
    const body = await readBody(req.raw, BODY_BYTES_MAX)
    const timestamp = req.header(TIMESTAMP_HEADER) ?? ''
    const signature = req.header(SIGNATURE_HEADER) ?? ''
    if (!isSignedReceipt(secrets.http, { timestamp, body }, { signature, nowMs: clock() })) throw unsigned()
    await applyReceipt(options, 'http', readReceipt(body))
    return context.body(null, 204)
  })

  routes.post(`${RECEIPTS_PATH}/twilio`, async (context) => {
    const { req } = context
    if (secrets.twilio === null) throw notFound()
    const parameters = new URLSearchParams(new TextDecoder().decode(await readBody(req.raw, BODY_BYTES_MAX)))
    const { pathname, search, searchParams } = new URL(req.url)
    const signature = req.header(TWILIO_SIGNATURE_HEADER) ?? ''
    const callback = { url: `${publicUrl}${pathname}${search}`, parameters }
    if (!isSignedTwilioCallback(secrets.twilio, callback, signature)) throw unsigned()
    await applyReceipt(options, 'twilio', readTwilioReceipt(searchParams, parameters))
    return context.body(null, 204)
  })

  return routes
}

/**
 * The first receipt that says how it ended decides, and moves the text's credits in the same transaction; whatever comes
 * after it changes nothing. A gateway that says both gets what it said first.
 */
async function applyReceipt(
  { database, clock, log, onSettled }: ReceiptOptions,
  provider: string,
  receipt: Receipt | null,
): Promise<void> {
  if (receipt === null) throw new ApiError('validation-error', 'body: must be a receipt with an id and a status')
  const { messageId, fate } = receipt
  if (fate === 'under-way') return
  const text = await database.first<Pick<TextMessageRow, 'tenant_id'>>(
    'SELECT tenant_id FROM text_message WHERE id = ?',
    messageId,
  )
  if (text === null) {
    // The id comes from outside: it is only worth a log line when it is one of ours.
    log.warn('receipt for an unknown text', { provider, outcome: fate })
    return
  }
  const end = { messageId, tenantId: text.tenant_id, delivered: fate === 'delivered', nowMs: clock() }
  const settled = await settleText(database, end)
  if (settled) onSettled(fate)
  log.info('receipt', { provider, messageId, outcome: settled ? fate : 'settled before' })
}

/** The same for every way a signature can be wrong. */
function unsigned(): ApiError {
  return new ApiError('unauthorized', 'a receipt must be signed, and recent')
}

/** `under-way`: it is not over yet, whatever the gateway calls it. */
type Receipt = { messageId: string; fate: 'delivered' | 'undelivered' | 'under-way' }

const MESSAGE_ID_LENGTH_MAX = 100
const STATUS_LENGTH_MAX = 40

const PlainReceipt = z.object({
  messageId: opaqueString(MESSAGE_ID_LENGTH_MAX),
  status: opaqueString(STATUS_LENGTH_MAX),
})

/** Null when it is not a receipt. */
function readReceipt(body: Uint8Array): Receipt | null {
  const receipt = read(PlainReceipt, tryParseJson(body))
  return receipt.ok ? { messageId: receipt.value.messageId, fate: fateOf(receipt.value.status) } : null
}

/** Our own id is in the address we gave; Twilio's is not needed. Null when it is not a receipt. */
function readTwilioReceipt(query: URLSearchParams, parameters: URLSearchParams): Receipt | null {
  const messageId = query.get('messageId') ?? ''
  const status = parameters.get('MessageStatus') ?? ''
  const receipt = read(PlainReceipt, { messageId, status })
  return receipt.ok ? { messageId, fate: fateOf(status) } : null
}

/** The final statuses; an unknown one settles and charges nothing. */
const FATES: { [status: string]: Receipt['fate'] } = {
  delivered: 'delivered',
  // Read receipts exist only for what was delivered.
  read: 'delivered',
  undelivered: 'undelivered',
  failed: 'undelivered',
  expired: 'undelivered',
  rejected: 'undelivered',
  canceled: 'undelivered',
}

function fateOf(status: string): Receipt['fate'] {
  const word = status.toLowerCase()
  return Object.hasOwn(FATES, word) ? (FATES[word] ?? 'under-way') : 'under-way'
}
