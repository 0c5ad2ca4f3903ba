import { read } from '../../contract/problems.ts'
import { WEBHOOK_ID_HEADER, WebhookEvent } from '../../contract/webhook-event.ts'
import type { HeaderReader } from '../../kit/headers.ts'
import { tryParseJson } from '../../kit/json-body.ts'
import { verifyWebhook as judgeWebhook, type WebhookVerdict } from '../../kit/webhook-signature.ts'

export type ReceivedWebhook = {
  headers: Headers | { [name: string]: string | string[] | undefined }
  /** Exactly as it came: a body that was parsed and written again has another signature. */
  body: string | Uint8Array
}

/** The webhook is not to be believed, or not to be understood. Answer 400; the service tries again. */
export class WebhookError extends Error {
  readonly reason: Exclude<WebhookVerdict, 'genuine'> | 'unknown-event'

  constructor(reason: WebhookError['reason']) {
    super(MESSAGES[reason])
    this.name = 'WebhookError'
    this.reason = reason
  }
}

const MESSAGES: Record<WebhookError['reason'], string> = {
  unsigned: 'the webhook has no signature in the form of the Standard Webhooks specification',
  untimely: 'the webhook is more than five minutes old or young: a repeat, or a clock that is wrong',
  forged: 'the webhook is signed with another secret, or was changed on the way',
  'unknown-event': 'the webhook is genuine, and of a kind that this version does not know',
}

/**
 * The event a webhook carries, once it is proved that the service sent it. Throws a `WebhookError`. Webhooks come at
 * least once: `id` is the same for each repeat. While a secret is being replaced, give both.
 */
export function verifyWebhook(
  secrets: string | readonly string[],
  { headers, body }: ReceivedWebhook,
  nowMs = Date.now(),
): { id: string; event: WebhookEvent } {
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
  const readable = readerOf(headers)
  const verdict = judgeWebhook([secrets].flat(), { headers: readable, body: bytes }, nowMs)
  if (verdict !== 'genuine') throw new WebhookError(verdict)
  const event = read(WebhookEvent, tryParseJson(bytes))
  if (!event.ok) throw new WebhookError('unknown-event')
  return { id: readable.get(WEBHOOK_ID_HEADER) ?? '', event: event.value }
}

function readerOf(headers: ReceivedWebhook['headers']): HeaderReader {
  if (headers instanceof Headers) return headers
  const byName = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
  return { get: (name) => byName.get(name)?.toString() ?? null }
}
