// Test support: the whole service with every provider over HTTP, at a gateway that misbehaves on command.

import { startFaultyGateway } from '../demo/gateway/gateway.ts'
import type { GatewayText } from '../demo/gateway/roles.ts'
import { receiptRequest } from '../demo/gateway/sms-roles.ts'
import { createSettingReader } from '../kit/setting-reader.ts'
import { createHttpBureau } from '../plugins/live-providers/http/bureau.ts'
import { createHttpRisk } from '../plugins/live-providers/http/risk-and-match.ts'
import { readProviderSettings } from '../plugins/live-providers/settings.ts'
import type { SmsKind } from '../plugins/live-providers/sms-gateways.ts'
import { createSilentLog } from '../service/log.ts'
import type { SmsProvider } from '../service/providers/providers.ts'
import { createTestApp, liveRequest, type TestAppOptions } from './test-app.ts'

export const GATEWAY_SECRET = 'a secret shared with the gateway'
/** For tests in which a provider hangs: enough for a second try, and soon over. */
export const BRIEF_MS = 1_000
/** For all others: a busy machine is not a fault. */
const PATIENT_MS = 15_000

export type LiveAppOptions = Omit<TestAppOptions, 'providers'> & {
  /** @default 'http' */
  sms?: SmsKind
  /** Time limit of each provider. @default so long that only one that hangs is given up */
  timeoutMs?: number
  /** Time limit of the SMS gateway. @default the same */
  smsTimeoutMs?: number
  /** Stands between the service and the gateway. */
  wrapSms?: (sms: SmsProvider) => SmsProvider
}

export type LiveApp = Awaited<ReturnType<typeof createLiveApp>>

export async function createLiveApp(liveOptions: LiveAppOptions = {}) {
  const { sms = 'http', timeoutMs = PATIENT_MS, wrapSms = (sms) => sms, ...options } = liveOptions
  const { smsTimeoutMs = timeoutMs } = liveOptions
  const gateway = await startFaultyGateway({ secret: GATEWAY_SECRET })
  const log = options.log ?? createSilentLog()
  const http = { url: gateway.url, token: GATEWAY_SECRET, log, timeoutMs }
  const publicUrl = 'http://service.test'
  const environment = {
    PUBLIC_URL: publicUrl,
    SMS_PROVIDER: sms,
    SMS_URL: gateway.url,
    SMS_FROM: 'Harbour',
    SMS_TOKEN: GATEWAY_SECRET,
    SMS_RECEIPT_SECRET: GATEWAY_SECRET,
    TWILIO_ACCOUNT_SID: 'AC0123456789',
    TWILIO_AUTH_TOKEN: GATEWAY_SECRET,
    ...options.environment,
  }
  const settings = readProviderSettings(createSettingReader(environment), { production: false })
  const receiptUrl = `${publicUrl}/v1/sms/receipts/${sms}`
  const sender = settings.sms?.createSms({ timeoutMs: smsTimeoutMs, receiptUrl, log })
  if (sender === undefined) throw new Error(`SMS_PROVIDER=${sms} has no gateway`)
  const app = await createTestApp({
    claimDevice: async () => ({ profiled: true, seenSecondsAgo: 1, signals: {} }),
    ...options,
    log,
    environment,
    providers: {
      bureau: createHttpBureau({ ...http, bureaus: ['equifax', 'experian', 'transunion'] }),
      risk: createHttpRisk(http),
      sms: wrapSms(sender),
    },
  })

  let consumers = 0

  return {
    ...app,
    gateway,
    /** A live request from a consumer whom no limit has counted before. */
    stranger(lastName = 'Example') {
      consumers += 1
      return {
        ...liveRequest(lastName),
        sessionId: `session-${consumers}`,
        dateOfBirth: new Date(Date.UTC(1950, 0, consumers)).toISOString().slice(0, 10),
        mobileNumber: `+4477${String(consumers).padStart(4, '0')}0123`,
        ipAddress: `198.51.${Math.floor(consumers / 256)}.${consumers % 256}`,
      }
    },
    /** A consumer with a challenge, and the text message that the gateway accepted for it. */
    async challenged() {
      const { body } = await app.generate(this.stranger())
      const text = gateway.texts.at(-1)
      if (text === undefined) throw new Error('no text was sent')
      return { started: body.data, text, code: codeIn(text) }
    },
    /** Everything a report that failed must leave as it was. */
    async books(tenantId = 'demo-lender') {
      const { balanceCredits, heldCredits } = await app.wallet(tenantId)
      return { balanceCredits, heldCredits, texts: gateway.texts.length }
    },
    /** Tells the service what became of a text; resolves to the status of its answer. */
    async receipt(text: GatewayText, status: string, { secret = GATEWAY_SECRET } = {}): Promise<number> {
      const request = receiptRequest(text, status, { secret, nowMs: app.time.nowMs })
      return (await app.fetch(request)).status
    },
    async close() {
      await gateway.close()
      await app.close()
    },
  }
}

export function codeIn({ body }: Pick<GatewayText, 'body'>): string {
  return /^\d{6}/.exec(body)?.[0] ?? ''
}
