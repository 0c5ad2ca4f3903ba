// The providers of an installation that configures none: no network call, invented answers.

import { playedMatch, triggerOf } from '../../../contract/test-triggers.ts'
import type { Clock } from '../../../kit/clock.ts'
import type {
  BureauProvider,
  MatchProvider,
  Providers,
  RiskDecision,
  RiskProvider,
  SmsProvider,
  TextMessage,
} from '../providers.ts'
import { scenarioOf, simulateBureau } from './synthetic.ts'

/** Every bureau knows the same invented person; the e-mail address chooses the scenario, as in test mode. */
export function createSimulatedBureau(): BureauProvider {
  return {
    simulated: true,
    async query(bureau, consumer) {
      return simulateBureau(bureau, consumer, scenarioOf(consumer.email))
    },
  }
}

const DECISIONS = new Map<string, RiskDecision>([
  ['Allow', 'allow'],
  ['Block', 'block'],
])

/** Decides by last name, so that every flow can be asked for: `Allow`, `Block`, anyone else is challenged. */
export function createSimulatedRisk(): RiskProvider {
  return {
    async assess({ consumer }) {
      return DECISIONS.get(consumer.lastName) ?? 'challenge'
    },
  }
}

/** By last name, as in test mode; anyone else's number is known. */
export function createSimulatedMatch(): MatchProvider {
  return {
    async match({ consumer }) {
      return playedMatch(triggerOf(consumer)) ?? 'matched'
    },
  }
}

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
    simulated: true,
    async send(message) {
      // A gateway sends the same message once, however often it is asked.
      const known = texts.some(({ messageId }) => messageId === message.messageId)
      if (!known) texts = [{ ...message, sentAtMs: clock() }, ...texts].slice(0, TEXTS_KEPT_MAX)
      return 'delivered'
    },
    texts: () => texts,
  }
}

/** Providers that invent their answers: those of the demo, and the default. */
export function createSimulatedProviders(phone: SmsProvider): Providers {
  return { risk: createSimulatedRisk(), match: null, bureau: createSimulatedBureau(), sms: phone }
}
