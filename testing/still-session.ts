// Test support: a widget's session that does nothing, for screens drawn by themselves.
import type { Flow } from '../widget/flow/flow.ts'
import type { Session } from '../widget/session.ts'
import { createWatched } from '../widget/watched.ts'

const nothing = () => undefined

export function stillSession(flow: Flow): Session {
  return {
    flow: createWatched(flow),
    check: createWatched(null),
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
