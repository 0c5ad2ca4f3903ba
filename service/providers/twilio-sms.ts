// SMS through Twilio's Messages resource, or anything that speaks like it.
import * as z from 'zod/mini'
import { read } from '../../contract/problems.ts'
import type { Log } from '../log.ts'
import { expectBody } from './exchange.ts'
import { SMS_TIMEOUT_MS } from './http-sms.ts'
import { createProviderClient, mayHaveActed } from './provider-client.ts'
import { ProviderUnavailable, type SendOutcome, type SmsProvider, type TextMessage } from './providers.ts'

const PROVIDER = 'twilio'

const Message = z.object({ sid: z.string(), status: z.string() })
/** Its number says why: the consumer's telephone, or something an operator should mend. */
const Refusal = z.object({ code: z.int() })

/** What a message's status means when it comes with the answer; any other says that it is on its way. */
const OUTCOMES: { [status: string]: SendOutcome | undefined } = {
  delivered: 'delivered',
  failed: 'refused',
  undelivered: 'refused',
  canceled: 'refused',
}

type TwilioSmsOptions = {
  /** @example https://api.twilio.com */
  url: string
  accountSid: string
  authToken: string
  /** A number of the account's, an alphanumeric sender, or a messaging service (`MG…`). */
  from: string
  /** Where receipts are to be sent; the message's id is added to it. */
  receiptUrl: string
  log: Log
  /** @default SMS_TIMEOUT_MS */
  timeoutMs?: number
}

export function createTwilioSms(options: TwilioSmsOptions): SmsProvider {
  const { url, accountSid, authToken, log, timeoutMs = SMS_TIMEOUT_MS } = options
  const headers = { Authorization: `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}` }
  const client = createProviderClient({ provider: PROVIDER, url, headers, timeoutMs, log })
  return {
    async send(message, signal) {
      try {
        return await client.post({
          path: `/2010-04-01/Accounts/${encodeURIComponent(accountSid)}/Messages.json`,
          // There is no idempotency key here, so a call that may have arrived is not made again.
          repeatable: false,
          body: formOf(message, options),
          signal,
          read(answer): SendOutcome {
            if (answer.status !== 400) return OUTCOMES[expectBody(Message, answer).status] ?? 'accepted'
            const refusal = read(Refusal, answer.body)
            const code = refusal.ok ? String(refusal.value.code) : 'unknown'
            log.warn('gateway refused a text', { provider: PROVIDER, messageId: message.messageId, code })
            return 'refused'
          },
        })
      } catch (error) {
        // Given up by us or lost on the way: it may be on its way to the phone, so only a receipt can tell.
        const gaveUp = !(error instanceof ProviderUnavailable)
        if (gaveUp ? signal.aborted : mayHaveActed(error.reason)) return 'accepted'
        throw error
      }
    },
  }
}

function formOf(message: TextMessage, { from, receiptUrl }: TwilioSmsOptions): URLSearchParams {
  const callback = new URL(receiptUrl)
  // Our own id comes back with every receipt, even when the answer with Twilio's was lost.
  callback.searchParams.set('messageId', message.messageId)
  return new URLSearchParams({
    To: message.to,
    [/^MG[0-9a-f]{32}$/.test(from) ? 'MessagingServiceSid' : 'From']: from,
    Body: message.body,
    ValidityPeriod: String(message.validSeconds),
    StatusCallback: callback.href,
  })
}
