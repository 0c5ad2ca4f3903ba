import { type Providers, ProviderUnavailable } from './providers.ts'

export type ProviderCallEnded = {
  /** `risk`, `sms`, or the bureau's name. */
  provider: string
  /** `ok`, or why there was no answer; `circuit-open` while a provider that keeps failing is not asked. */
  outcome: string
  seconds: number
}

/** The same providers, with every call measured as the service saw it: retries included. */
export function observeProviders(providers: Providers, onEnded: (call: ProviderCallEnded) => void): Providers {
  async function measured<T>(provider: string, call: () => Promise<T>): Promise<T> {
    const startedMs = performance.now()
    const end = (outcome: string) => onEnded({ provider, outcome, seconds: (performance.now() - startedMs) / 1000 })
    try {
      const answer = await call()
      end('ok')
      return answer
    } catch (error) {
      end(error instanceof ProviderUnavailable ? error.reason : 'abandoned')
      throw error
    }
  }
  const { risk, bureau, sms } = providers
  return {
    risk: { assess: (...given) => measured('risk', () => risk.assess(...given)) },
    bureau: { query: (name, ...given) => measured(name, () => bureau.query(name, ...given)) },
    sms: { send: (...given) => measured('sms', () => sms.send(...given)) },
  }
}
