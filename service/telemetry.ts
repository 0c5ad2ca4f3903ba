// Measurements of the core for an operator. Without a listener nothing is measured.
import { type Providers, ProviderUnavailable } from './providers/providers.ts'
import type { SweepObserver } from './sweeper.ts'

export type Telemetry = {
  requestFinished(request: { method: string; route: string; status: number; seconds: number }): void
  /** A request was refused by a limit of this kind. */
  limitMet(kind: string): void
  providerCalled(call: { provider: string; outcome: string; seconds: number }): void
  sweeper: SweepObserver
  /** A gauge, read when the numbers are collected. */
  watch(name: string, help: string, read: () => number | Promise<number>): void
  /** A counter; `labels` in the order of their names. */
  count(name: string, labels?: { readonly [label: string]: string }, by?: number): void
  /** A gauge that is set. */
  set(name: string, value: number): void
}

export const silent: Telemetry = {
  requestFinished() {},
  limitMet() {},
  providerCalled() {},
  sweeper: { started() {}, swept() {}, idle() {} },
  watch() {},
  count() {},
  set() {},
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
