// A stage is one way a lender's server can be set up, or go wrong. Journeys are played on one; the server builds it for
// real.
import type { Branch } from '../contract/generate.ts'
import type { Scenario } from '../contract/tenant-proxy.ts'

export const STAGES_PATH = '/preview/credit-reports'

export type Stage = {
  tenantId: 'demo-lender' | 'other-lender' | 'empty-lender'
  /** `test` repeats the mount for every branch and scenario; `own` gives each run a mount of its own. */
  mount: 'test' | 'own'
  /** Its particular feature. */
  about: string
}

const stages = {
  known: { tenantId: 'demo-lender', mount: 'own', about: 'Test mode; the lender’s server knows the applicant.' },
  plain: { tenantId: 'demo-lender', mount: 'test', about: 'Test mode; everything works.' },
  // Another lender: moving its clock past five minutes must not end the other journeys' challenges.
  'time-travel': {
    tenantId: 'other-lender',
    mount: 'test',
    about: 'Test mode, for a lender whose clock jumps.',
  },
  live: { tenantId: 'demo-lender', mount: 'own', about: 'Live mode with simulated providers; credits are spent.' },
  'no-funds': { tenantId: 'empty-lender', mount: 'own', about: 'Live mode for a lender with no credits.' },
  'no-credits': {
    tenantId: 'empty-lender',
    mount: 'own',
    about: 'The same, and the service’s code is changed on the way to its other name.',
  },
  'rate-limited': { tenantId: 'demo-lender', mount: 'own', about: 'The proxy’s limit per address is set to nothing.' },
  'wrong-secret': { tenantId: 'demo-lender', mount: 'own', about: 'The proxy has a client secret that is wrong.' },
  'service-down': { tenantId: 'demo-lender', mount: 'test', about: 'The proxy asks a closed port.' },
  'signed-out': { tenantId: 'demo-lender', mount: 'test', about: 'The lender’s sign-in answers 401 before the proxy.' },
  forbidden: { tenantId: 'demo-lender', mount: 'test', about: 'The lender’s server answers 403 before the proxy.' },
  'cookie-lost': { tenantId: 'demo-lender', mount: 'test', about: 'The cookie is dropped before the code is judged.' },
  'challenge-lost': {
    tenantId: 'demo-lender',
    mount: 'test',
    about: 'The challenge’s id is changed on the way to the service.',
  },
  arrears: { tenantId: 'demo-lender', mount: 'test', about: 'The bureaus know of arrears and defaults.' },
  hundreds: { tenantId: 'demo-lender', mount: 'test', about: 'The bureaus know of hundreds of accounts.' },
  gaps: { tenantId: 'demo-lender', mount: 'test', about: 'The bureaus leave out what they like.' },
  'agency-away': { tenantId: 'demo-lender', mount: 'test', about: 'One agency does not answer.' },
  'no-file': { tenantId: 'demo-lender', mount: 'test', about: 'One agency has no file of this person.' },
  'current-lost': { tenantId: 'demo-lender', mount: 'test', about: 'A gateway answers `current` with 502.' },
  cut: { tenantId: 'demo-lender', mount: 'test', about: 'The connection is cut when details arrive.' },
  slow: { tenantId: 'demo-lender', mount: 'test', about: 'The answer waits 16 seconds.' },
  malformed: { tenantId: 'demo-lender', mount: 'test', about: 'A web page comes back instead of JSON.' },
} satisfies { [name: string]: Stage }

export type StageName = keyof typeof stages

export function stageOf(name: StageName): Stage {
  return stages[name]
}

export function isStageName(name: string): name is StageName {
  return Object.hasOwn(stages, name)
}

export type Playing = { stage: StageName; branch?: Branch; scenario?: Scenario }

/** The element's `endpoint` on a stage. The label keeps two runs apart: each has its own cookie. */
export function endpointOf({ stage, branch = 'allow', scenario = 'default' }: Playing, label: string): string {
  const mount = `${STAGES_PATH}/${stage}`
  return stageOf(stage).mount === 'test' ? `${mount}/test/${branch}/${scenario}/${label}` : `${mount}/${label}`
}
