// SMS through Twilio's Messages resource, or anything that speaks like it.
import * as z from 'zod/mini'
import { read } from '../../../contract/problems.ts'
import {
  ProviderUnavailable,
  type SendOutcome,
  type SmsProvider,
  type TextMessage,
} from '../../../service/providers/providers.ts'
import { expectBody } from '../exchange.ts'
import { createProviderClient, mayHaveActed } from '../provider-client.ts'
import { type ReadSmsGateway, SMS_TIMEOUT_MS, type SmsOptions } from '../sms-gateway.ts'
import { readTwilioReceipt, twilioRefusal } from './receipt.ts'

type TwilioSettings = {
  url: string
  accountSid: string
  authToken: string
  /** A number of the account's, an alphanumeric sender, or a messaging service (`MG…`). */
  from: string
}

const TWILIO_URL = 'https://api.twilio.com'
const ACCOUNT_SID_BYTES_MIN = 8
/** Receipts are signed with it. */
const AUTH_TOKEN_BYTES_MIN = 16

export const readTwilioGateway: ReadSmsGateway = ({ url, from, secret }) => {
  const settings: TwilioSettings = {
    url: url ?? TWILIO_URL,
    accountSid: secret('TWILIO_ACCOUNT_SID', ACCOUNT_SID_BYTES_MIN),
    authToken: secret('TWILIO_AUTH_TOKEN', AUTH_TOKEN_BYTES_MIN),
    from,
  }
  return {
    url: settings.url,
    createSms: (options) => createTwilioSms(settings, options),
    readReceipt: (request) => readTwilioReceipt(settings.authToken, request),
  }
}

const PROVIDER = 'twilio'

const Message = z.object({ sid: z.string(), status: z.string() })
/** Its number says why: the consumer's telephone, or something an operator should fix. */
const Refusal = z.object({ code: z.int() })

/** Statuses in the answer to a message's creation; any other status means accepted. */
const OUTCOMES: { [status: string]: SendOutcome | undefined } = {
  delivered: 'delivered',
  failed: 'refused',
  undelivered: 'refused',
  canceled: 'refused',
}

function createTwilioSms(settings: TwilioSettings, options: SmsOptions): SmsProvider {
  const { url, accountSid, authToken, from } = settings
  const { receiptUrl, log, timeoutMs = SMS_TIMEOUT_MS } = options
  const headers = { Authorization: `Basic ${Buffer.from(`${accountSid}:${authToken}`).toString('base64')}` }
  const client = createProviderClient({ provider: PROVIDER, url, headers, timeoutMs, log })
  return {
    async send(message, signal) {
      try {
        return await client.post({
          path: `/2010-04-01/Accounts/${encodeURIComponent(accountSid)}/Messages.json`,
          // There is no idempotency key here, so a call that may have arrived is not made again.
          repeatable: false,
          body: formOf(message, { from: message.from ?? from, receiptUrl }),
          signal,
          read(answer): SendOutcome {
            if (answer.status !== 400) return OUTCOMES[expectBody(Message, answer).status] ?? 'accepted'
            const refusal = read(Refusal, answer.body)
            const code = refusal.ok ? String(refusal.value.code) : 'unknown'
            log.warn('gateway refused a text', { provider: PROVIDER, messageId: message.messageId, code })
            return twilioRefusal(code)
          },
        })
      } catch (error) {
        // After a timeout or a lost answer the text may have left: only a receipt can tell.
        const gaveUp = !(error instanceof ProviderUnavailable)
        if (gaveUp ? signal.aborted : mayHaveActed(error.reason)) return 'accepted'
        throw error
      }
    },
  }
}

function formOf(message: TextMessage, { from, receiptUrl }: { from: string; receiptUrl: string }): URLSearchParams {
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
