import type { Log } from '../../service/log.ts'
import type { Providers, SmsProvider } from '../../service/providers/providers.ts'
import {
  createSimulatedBureau,
  createSimulatedMatch,
  createSimulatedRisk,
} from '../../service/providers/simulated/simulated.ts'
import { createHttpBureau } from './http/bureau.ts'
import { createHttpMatch, createHttpRisk } from './http/risk-and-match.ts'
import type { ProviderSettings } from './settings.ts'
import { receiptPathOf } from './sms-gateways.ts'

export type ProviderOptions = {
  settings: ProviderSettings
  /** The bureaus a request may name. */
  bureaus: readonly string[]
  /** The public address of this service, to which receipts are sent. */
  publicUrl: string
  /** Receives texts where there is no gateway. */
  phone: SmsProvider
  log: Log
}

/** The providers the settings name, each over HTTP or simulated. */
export function createProviders({ settings, bureaus, publicUrl, phone, log }: ProviderOptions): Providers {
  const { risk, match, bureau, sms } = settings
  return {
    risk: risk === null ? createSimulatedRisk() : createHttpRisk({ ...risk, log }),
    match: match === null ? null : match === 'simulated' ? createSimulatedMatch() : createHttpMatch({ ...match, log }),
    bureau: bureau === null ? createSimulatedBureau() : createHttpBureau({ ...bureau, bureaus, log }),
    sms: sms === null ? phone : sms.createSms({ receiptUrl: `${publicUrl}${receiptPathOf(sms.kind)}`, log }),
  }
}

/** The names of what is only simulated, for a line in the log of an installation that may not know. */
export function simulatedProviders({ bureau, risk, sms, match }: ProviderSettings): string[] {
  const simulated = Object.entries({ bureau, risk, sms }).flatMap(([name, settings]) =>
    settings === null ? [name] : [],
  )
  return match === 'simulated' ? [...simulated, 'match'] : simulated
}
