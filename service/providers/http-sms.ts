// Any SMS gateway that keeps our message id as its idempotency key: POST {url}/messages.
import * as z from 'zod/mini'
import type { Log } from '../log.ts'
import { ExchangeFailed, expectBody } from './exchange.ts'
import { createProviderClient } from './provider-client.ts'
import type { SendOutcome, SmsProvider } from './providers.ts'

/** How long a gateway may take to accept a text. */
export const SMS_TIMEOUT_MS = 3_000

const PROVIDER = 'sms'

/** `delivered` and `failed` are final; any other status means accepted. */
const Taken = z.object({ messageId: z.string(), status: z.string() })

/** What says "this number, this text": no other try would fare better. */
const REFUSED_STATUSES = [400, 404, 410, 422]

type HttpSmsOptions = {
  url: string
  token: string
  /** Who the text appears to come from. */
  from: string
  /** Where receipts are to be sent. */
  receiptUrl: string
  log: Log
  /** @default SMS_TIMEOUT_MS */
  timeoutMs?: number
}

export function createHttpSms(options: HttpSmsOptions): SmsProvider {
  const { url, token, from, receiptUrl, log, timeoutMs = SMS_TIMEOUT_MS } = options
  const headers = { Authorization: `Bearer ${token}` }
  const client = createProviderClient({ provider: PROVIDER, url, headers, timeoutMs, log })
  return {
    async send({ messageId, to, body, validSeconds }, signal) {
      return client.post({
        path: '/messages',
        headers: { 'Idempotency-Key': messageId },
        repeatable: true,
        body: JSON.stringify({ messageId, to, from, body, validSeconds, receiptUrl }),
        signal,
        read(answer): SendOutcome {
          if (REFUSED_STATUSES.includes(answer.status)) {
            log.warn('gateway refused a text', { provider: PROVIDER, messageId, status: answer.status })
            return 'refused'
          }
          const taken = expectBody(Taken, answer)
          if (taken.messageId !== messageId) throw new ExchangeFailed('garbage')
          if (taken.status === 'delivered') return 'delivered'
          return taken.status === 'failed' ? 'refused' : 'accepted'
        },
      })
    },
  }
}
