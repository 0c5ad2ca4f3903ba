// What a gateway says about a text, read from the words of each kind of gateway.
import * as z from 'zod/mini'
import { read } from '../../contract/problems.ts'
import { opaqueText } from '../../contract/text.ts'
import { parseJson } from '../../kit/parse-json.ts'

/** `under-way`: it is not over yet, whatever the gateway calls it. */
export type Receipt = { messageId: string; fate: 'delivered' | 'undelivered' | 'under-way' }

const MESSAGE_ID_LENGTH_MAX = 100
const STATUS_LENGTH_MAX = 40

const PlainReceipt = z.object({
  messageId: opaqueText(MESSAGE_ID_LENGTH_MAX),
  status: opaqueText(STATUS_LENGTH_MAX),
})

/** Null when it is not a receipt. */
export function readReceipt(body: Uint8Array): Receipt | null {
  try {
    const receipt = read(PlainReceipt, parseJson(body))
    return receipt.ok ? { messageId: receipt.value.messageId, fate: fateOf(receipt.value.status) } : null
  } catch {
    return null
  }
}

/** Our own id is in the address we gave; Twilio's is not needed. Null when it is not a receipt. */
export function readTwilioReceipt(query: URLSearchParams, parameters: URLSearchParams): Receipt | null {
  const messageId = query.get('messageId') ?? ''
  const status = parameters.get('MessageStatus') ?? ''
  const receipt = read(PlainReceipt, { messageId, status })
  return receipt.ok ? { messageId, fate: fateOf(status) } : null
}

/** Every word that ends a text's story; a word we do not know ends nothing and costs nothing. */
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
