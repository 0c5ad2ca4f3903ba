// One consumer's way through one element: holds the flow, and hands what follows the form to the `check` chunk.
import type { Prefill } from './answers.ts'
import type { Check } from './check/index.tsx'
import { loadChunk } from './chunks.ts'
import { advanceForm, type Flow, type FlowEvent, startFlow } from './flow.ts'
import { type ReadonlySignal, signal } from './signal.ts'

export type SessionOptions = {
  endpoint: string
  /** Where the fingerprint script is, when the page says so. */
  fingerprintSrc: string | null
  historyMonths: number
  prefill: Prefill
  /** What the consumer agrees to, for the lender's records. */
  consent: () => { version?: string; locale: string } | null
  /** Told of everything that went wrong, also where the consumer is not. */
  onFault: (fault: { code: string; status: number; requestId?: string }) => void
}

export type Session = {
  flow: ReadonlySignal<Flow>
  /** What draws the screens after the form; null until it is loaded. */
  check: ReadonlySignal<Check | null>
  send(event: FlowEvent): void
  /** The consumer has begun: nothing may take the form away now, and focus may follow the screens. */
  touch(): void
  isTouched(): boolean
  /** Loads what follows and looks for something under way; to be called once the first screen is painted. */
  begin(): void
  /** Tells the page what went wrong, where no event of the flow would. */
  tellFault: SessionOptions['onFault']
  /** Asks the server how the code stands. */
  sync(): void
  end(): void
}

export function createSession(options: SessionOptions): Session {
  const { historyMonths, prefill, onFault } = options
  const gone = new AbortController()
  const flow = signal(startFlow(historyMonths))
  const check = signal<Check | null>(null)
  let isTouched = false

  const send: Session['send'] = (event) => {
    if (gone.signal.aborted) return
    const step = advanceForm(flow.value, event) ?? check.value?.advance(flow.value, event)
    if (!step) return
    flow.value = step.flow
    const { ask, code } = step
    if (ask) load().then((loaded) => loaded?.carryOut(ask, code))
  }
  send({ type: 'prefill', prefill })

  /** Resolves to null when it could not be loaded; the consumer is then back at the answers, with a word about it. */
  async function load(): Promise<Check | null> {
    try {
      const { createCheck } = await loadChunk('check')
      check.value ??= createCheck({ ...options, flow, send, isTouched: () => isTouched, signal: gone.signal })
    } catch {
      onFault({ code: 'script-blocked', status: 0 })
      if (flow.value.screen.name === 'sending') send({ type: 'not-loaded' })
    }
    return check.value
  }

  return {
    flow,
    check,
    send,
    touch() {
      isTouched = true
    },
    isTouched: () => isTouched,
    begin: () => void load().then((loaded) => loaded?.begin()),
    tellFault: onFault,
    sync: () => check.value?.carryOut('sync'),
    end: () => gone.abort(),
  }
}
