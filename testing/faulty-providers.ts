// Test support: simulated providers with a place in front of them where a test can put its faults.
import type { BureauProvider, RiskProvider } from '../service/providers/providers.ts'
import { createSimulatedBureau, createSimulatedRisk } from '../service/providers/simulated/simulated.ts'

export function createFaultyProviders() {
  const [risk, bureau] = [createSimulatedRisk(), createSimulatedBureau()]
  const faults: { risk?: RiskProvider['assess']; bureau?: BureauProvider['query'] } = {}
  const asked = { bureaus: 0 }
  const providers: { risk: RiskProvider; bureau: BureauProvider } = {
    risk: { assess: (...question) => (faults.risk ?? risk.assess)(...question) },
    bureau: {
      query(...question) {
        asked.bureaus += 1
        return (faults.bureau ?? bureau.query)(...question)
      },
    },
  }
  /** Every provider answers as simulated ones do. */
  function reset(): void {
    delete faults.bureau
    delete faults.risk
  }
  return { faults, reset, asked, providers }
}
