import { randomUUID } from 'node:crypto'
import type { WebhookEvent } from '../../contract/webhook-event.ts'
import { signWebhook } from '../../kit/webhook-signature.ts'

/** Also what `new Request(address, signed)` and `fetch(address, signed)` take. */
export type SignedWebhook = { method: 'POST'; headers: { [name: string]: string }; body: string }

/** An event as the service would send it, signed with the secret (`whsec_…`), now or when `nowMs` says. */
export function signedWebhook(secret: string, event: WebhookEvent, nowMs = Date.now()): SignedWebhook {
  const body = JSON.stringify(event)
  const message = { id: randomUUID(), timestampSeconds: Math.floor(nowMs / 1000), body: Buffer.from(body) }
  return { method: 'POST', headers: { 'Content-Type': 'application/json', ...signWebhook([secret], message) }, body }
}
