// The credentials that every demo is seeded with. A lender keeps its own in its environment.
import type { Stage } from '../stages.ts'
import type { Credentials } from './service-client.ts'

export const credentials: { [tenantId in Stage['tenantId']]: Credentials } = {
  'demo-lender': { clientId: 'demo-lender', clientSecret: 'demo-secret' },
  'other-lender': { clientId: 'other-lender', clientSecret: 'other-secret' },
  'empty-lender': { clientId: 'empty-lender', clientSecret: 'empty-secret' },
}
