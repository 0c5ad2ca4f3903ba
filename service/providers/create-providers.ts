import { createHttpBureau } from '../../plugins/live-providers/http/bureau.ts'
import { createHttpMatch } from '../../plugins/live-providers/http/match.ts'
import { createHttpRisk } from '../../plugins/live-providers/http/risk.ts'
import type { ProviderSettings } from '../../plugins/live-providers/settings.ts'
import { receiptPathOf } from '../../plugins/live-providers/sms-gateways.ts'
import type { Log } from '../log.ts'
import { type Providers, ProviderUnavailable, type SmsProvider } from './providers.ts'
import { createSimulatedBureau, createSimulatedMatch, createSimulatedRisk } from './simulated/simulated.ts'

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
  const { risk, match, bureau, sms } = settings
  return {
    risk: risk === null ? createSimulatedRisk() : createHttpRisk({ ...risk, log }),
    match: match === null ? null : match === 'simulated' ? createSimulatedMatch() : createHttpMatch({ ...match, log }),
    bureau: bureau === null ? createSimulatedBureau() : createHttpBureau({ ...bureau, bureaus, log }),
    sms: sms === null ? phone : sms.createSms({ receiptUrl: `${publicUrl}${receiptPathOf(sms.kind)}`, log }),
  }
}

/** `outcome`: `ok`, or why there was no answer. Retries are included. */
type OnCalled = (call: { provider: string; outcome: string; seconds: number }) => void

/** The same providers, with every call measured as the service saw it. */
export function observeProviders({ risk, match, bureau, sms }: Providers, onCalled: OnCalled): Providers {
  async function measured<T>(provider: string, call: () => Promise<T>): Promise<T> {
    const startedMs = performance.now()
    const end = (outcome: string) => onCalled({ provider, outcome, seconds: (performance.now() - startedMs) / 1000 })
    try {
      const answer = await call()
      end('ok')
      return answer
    } catch (error) {
      end(error instanceof ProviderUnavailable ? error.reason : 'abandoned')
      throw error
    }
  }
  return {
    risk: { assess: (...given) => measured('risk', () => risk.assess(...given)) },
    match: match && { match: (...given) => measured('match', () => match.match(...given)) },
    bureau: { ...bureau, query: (name, ...given) => measured(name, () => bureau.query(name, ...given)) },
    sms: { send: (...given) => measured('sms', () => sms.send(...given)) },
  }
}

/** The names of what is only simulated, for a line in the log of an installation that may not know. */
export function simulatedProviders({ bureau, risk, sms, match }: ProviderSettings): string[] {
  const simulated = Object.entries({ bureau, risk, sms }).flatMap(([name, settings]) =>
    settings === null ? [name] : [],
  )
  return match === 'simulated' ? [...simulated, 'match'] : simulated
}
