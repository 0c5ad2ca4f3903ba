// Shared by the parts of a check: the flow they move, the lender's server, and where its answers and its faults go.
import type { ReadonlySignal } from '@preact/signals'
import { readClock } from '../flow/deadline.ts'
import { type Fault, isKnown } from '../flow/fault.ts'
import type { Ask, Flow, FlowEvent } from '../flow/flow.ts'
import type { Answer } from '../flow/wire.ts'
import type { SessionOptions } from '../session.ts'
import { type Api, createApi, type Result } from './api.ts'
import { createKeyRing, type KeyRing } from './idempotency.ts'

export type LineOptions = SessionOptions & {
  flow: ReadonlySignal<Flow>
  send: (event: FlowEvent) => void
  /** Ends everything in progress. */
  signal: AbortSignal
}

export type Line = {
  endpoint: string
  flow: ReadonlySignal<Flow>
  send: (event: FlowEvent) => void
  api: Api
  /** A secret of this tab alone; without it the report has to be opened with the date of birth. */
  tab: KeyRing
  /** The lender's start that goes with each request. After a reload in mid-request it is the one of the page before. */
  start: string | null
  signal: AbortSignal
  take(during: Ask, result: Result<Answer>, fresh?: boolean): void
  fail(during: Ask, fault: Fault): void
}

/** Faults a developer of the page can fix, beside answers that are not the proxy's. */
const MENDABLE = [
  'endpoint-not-same-origin',
  'fingerprint-blocked',
  'forbidden',
  'garbled-answer',
  'insufficient-funds',
  'misconfigured',
  'network',
  'not-found',
  'unauthorized',
]

export function createLine({ endpoint, start, flow, send, onFault, signal }: LineOptions): Line {
  const tab = createKeyRing(`${endpoint}:tab`)
  const line: Line = {
    endpoint,
    flow,
    send,
    tab,
    start,
    signal,
    api: createApi(
      endpoint,
      signal,
      () => tab.keyFor('tab'),
      () => line.start,
    ),
    take(during, result, fresh = false) {
      if (result.fault) line.fail(during, result.fault)
      else send({ type: 'answered', answer: result.value, now: readClock(), fresh })
    },
    fail(during, fault) {
      if (signal.aborted) return
      if (MENDABLE.includes(fault.code) || !isKnown(fault.code))
        // biome-ignore lint/suspicious/noConsole: the one line that shows a developer where to look
        console.warn(`credit-report-widget: ${fault.code}. For the cause and the fix, call diagnose() on the element.`)
      onFault(fault)
      send({ type: 'fault', fault, during, nowMs: Date.now() })
    },
  }
  return line
}
