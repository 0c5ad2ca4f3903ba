// Measurements of the core for an operator. Without a listener nothing is measured.
import type { SweepObserver } from './sweeper.ts'

export type Telemetry = {
  requestFinished(request: { method: string; route: string; status: number; seconds: number }): void
  /** A limit of this kind refused a request. */
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
