import type { BureauProvider } from './providers.ts'
import { scenarioOf, simulateBureau } from './synthetic.ts'

/** Every bureau knows the same invented person; the e-mail address chooses the story, as in test mode. */
export function createSimulatedBureau(): BureauProvider {
  return {
    simulated: true,
    async query(bureau, consumer) {
      return simulateBureau(bureau, consumer, scenarioOf(consumer.email))
    },
  }
}
