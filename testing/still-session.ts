// Test support: a widget's session that does nothing, for screens drawn by themselves.
import { signal } from '@preact/signals'
import type { Flow } from '../widget/flow/flow.ts'
import type { Session } from '../widget/session.ts'

const nothing = () => undefined

export function stillSession(flow: Flow): Session {
  return {
    flow: signal(flow),
    check: signal(null),
    send: nothing,
    isLocked: false,
    touch: nothing,
    isTouched: () => false,
    begin: async () => true,
    tellFault: nothing,
    sync: nothing,
    end: nothing,
  }
}
