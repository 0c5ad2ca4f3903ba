// Any SMS gateway that keeps our message id as its idempotency key: POST {url}/messages.
import * as z from 'zod/mini'
import { read } from '../../../contract/problems.ts'
import type { SendOutcome, SmsProvider } from '../../../service/providers/providers.ts'
import { ExchangeFailed, expectBody } from '../exchange.ts'
import { createProviderClient } from '../provider-client.ts'
import {
  type ReadSmsGateway,
  refusalFields,
  refusalOf,
  SMS_TIMEOUT_MS,
  type SmsGateway,
  type SmsOptions,
} from '../sms-gateway.ts'
import { readHttpReceipt } from './receipt.ts'

type HttpGatewaySettings = {
  url: string
  token: string
  /** The sender that the text names. */
  from: string
  /** The secret that receipts are signed with. */
  receiptSecret: string
}

const TOKEN_BYTES_MIN = 8
const RECEIPT_SECRET_BYTES_MIN = 16

export const readHttpGateway: ReadSmsGateway = ({ url, from, secret, needed }) =>
  createHttpGateway({
    url: needed(url, 'SMS_URL'),
    token: secret('SMS_TOKEN', TOKEN_BYTES_MIN),
    from,
    receiptSecret: secret('SMS_RECEIPT_SECRET', RECEIPT_SECRET_BYTES_MIN),
  })

export function createHttpGateway(settings: HttpGatewaySettings): SmsGateway {
  return {
    url: settings.url,
    createSms: (options) => createHttpSms(settings, options),
    readReceipt: (request) => readHttpReceipt(settings.receiptSecret, request),
  }
}

const PROVIDER = 'sms'

/** `delivered` and `failed` are final; any other status means accepted. */
const Taken = z.object({ messageId: z.string(), status: z.string(), ...refusalFields })
const Refused = z.object(refusalFields)

/** The number or the text is wrong: another try would be refused too. */
const REFUSED_STATUSES = [400, 404, 410, 422]

function createHttpSms({ url, token, from }: HttpGatewaySettings, options: SmsOptions): SmsProvider {
  const { receiptUrl, log, timeoutMs = SMS_TIMEOUT_MS } = options
  const headers = { Authorization: `Bearer ${token}` }
  const client = createProviderClient({ provider: PROVIDER, url, headers, timeoutMs, log })
  return {
    async send({ messageId, from: sender, to, body, validSeconds }, signal) {
      return client.post({
        path: '/messages',
        headers: { 'Idempotency-Key': messageId },
        repeatable: true,
        body: JSON.stringify({ messageId, to, from: sender ?? from, body, validSeconds, receiptUrl }),
        signal,
        read(answer): SendOutcome {
          if (REFUSED_STATUSES.includes(answer.status)) {
            log.warn('gateway refused a text', { provider: PROVIDER, messageId, status: answer.status })
            const said = read(Refused, answer.body)
            return (said.ok && refusalOf(said.value)) || 'refused'
          }
          const taken = expectBody(Taken, answer)
          if (taken.messageId !== messageId) throw new ExchangeFailed('garbage')
          if (taken.status === 'delivered') return 'delivered'
          return taken.status === 'failed' ? (refusalOf(taken) ?? 'refused') : 'accepted'
        },
      })
    },
  }
}
