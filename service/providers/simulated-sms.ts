import type { Clock } from '../../kit/clock.ts'
import type { SmsProvider, TextMessage } from './providers.ts'

/** The demo's phone forgets older texts. */
const TEXTS_KEPT_MAX = 200

type SentText = TextMessage & { sentAtMs: number }

/** A phone in memory: every text arrives at once, and nothing of it is ever written anywhere. */
export type SimulatedPhone = SmsProvider & {
  /** Newest first. */
  texts(): readonly SentText[]
}

export function createSimulatedPhone(clock: Clock): SimulatedPhone {
  let texts: SentText[] = []
  return {
    async send(message) {
      // A gateway sends the same message once, however often it is asked.
      const known = texts.some(({ messageId }) => messageId === message.messageId)
      if (!known) texts = [{ ...message, sentAtMs: clock() }, ...texts].slice(0, TEXTS_KEPT_MAX)
      return 'delivered'
    },
    texts: () => texts,
  }
}
