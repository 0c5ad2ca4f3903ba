import type { Log } from '../log.ts'
import { createHttpBureau } from './http-bureau.ts'
import { createHttpRisk } from './http-risk.ts'
import { createHttpSms } from './http-sms.ts'
import type { BureauProvider, Providers, RiskProvider, SmsProvider } from './providers.ts'
import type { ReceiptSecrets } from './receipts.ts'
import { RECEIPTS_PATH } from './receipts.ts'
import type { HttpSettings, ProviderSettings, SmsSettings } from './settings.ts'
import { createSimulatedBureau } from './simulated-bureau.ts'
import { createSimulatedRisk } from './simulated-risk.ts'
import { createTwilioSms } from './twilio-sms.ts'

export type ProviderOptions = {
  settings: ProviderSettings
  /** The bureaus a request may name. */
  bureaus: readonly string[]
  /** Where the world reaches this service, so where receipts are sent. */
  publicUrl: string
  /** Where texts go that have no gateway. */
  phone: SmsProvider
  log: Log
}

/** The providers the settings name, each over HTTP or simulated. */
export function createProviders({ settings, bureaus, publicUrl, phone, log }: ProviderOptions): Providers {
  return {
    risk: riskOf(settings.risk, log),
    bureau: bureauOf(settings.bureau, bureaus, log),
    sms: settings.sms === null ? phone : smsOf(settings.sms, `${publicUrl}${RECEIPTS_PATH}`, log),
  }
}

/** What receipts must be signed with: only the gateway in use may send any. */
export function receiptSecretsOf({ sms }: ProviderSettings): ReceiptSecrets {
  return {
    http: sms?.kind === 'http' ? sms.receiptSecret : null,
    twilio: sms?.kind === 'twilio' ? sms.authToken : null,
  }
}

/** The names of what is only simulated, for a line in the log of an installation that may not know. */
export function simulatedParts({ bureau, risk, sms }: ProviderSettings): string[] {
  return Object.entries({ bureau, risk, sms }).flatMap(([name, settings]) => (settings === null ? [name] : []))
}

function riskOf(settings: HttpSettings | null, log: Log): RiskProvider {
  if (settings === null) return createSimulatedRisk()
  return createHttpRisk({ baseUrl: settings.url, token: settings.token, log })
}

function bureauOf(settings: HttpSettings | null, bureaus: readonly string[], log: Log): BureauProvider {
  if (settings === null) return createSimulatedBureau()
  return createHttpBureau({ baseUrl: settings.url, token: settings.token, bureaus, log })
}

function smsOf(settings: SmsSettings, receiptsUrl: string, log: Log): SmsProvider {
  const receiptUrl = `${receiptsUrl}/${settings.kind}`
  const { url: baseUrl, ...rest } = settings
  return rest.kind === 'twilio'
    ? createTwilioSms({ ...rest, baseUrl, receiptUrl, log })
    : createHttpSms({ ...rest, baseUrl, receiptUrl, log })
}
