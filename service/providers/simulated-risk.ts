import type { RiskDecision, RiskProvider } from './providers.ts'

const DECISIONS: { [lastName: string]: RiskDecision } = { Allow: 'allow', Block: 'block' }

/** Decides by last name, so that every flow can be asked for: `Allow`, `Block`, anyone else is challenged. */
export function createSimulatedRisk(): RiskProvider {
  return {
    async assess({ consumer }) {
      return Object.hasOwn(DECISIONS, consumer.lastName) ? (DECISIONS[consumer.lastName] ?? 'challenge') : 'challenge'
    },
  }
}
