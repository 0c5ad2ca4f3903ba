// The permissions of people that a credential stands for: no one makes a credential that can do more than they can.
import type { Permission } from '../../contract/roles.ts'
import type { Scope } from './clients.ts'

/** Of a live credential. `portal/grants.engines.test.ts` compares this with the operations that each scope opens. */
const LIVE: { readonly [scope in Scope]: readonly Permission[] } = {
  'credit-reports': ['report', 'look', 'links', 'integration'],
  'people-export': ['data'],
  'people-erase': ['data'],
  wallet: ['look'],
  settings: ['money', 'connections', 'integration'],
  audit: ['audit'],
}

/** Of a test-only credential: these scopes reach invented people alone. The others have no test side. */
const TEST_ONLY: Partial<typeof LIVE> = { 'credit-reports': ['integration'], 'people-export': [], 'people-erase': [] }

/** The permissions needed to make the credential, or give it a new secret. */
export function permissionsOf({ scopes, testOnly }: { scopes: readonly Scope[]; testOnly: boolean }): Permission[] {
  const needed = scopes.flatMap((scope) => (testOnly && TEST_ONLY[scope]) || LIVE[scope])
  return [...new Set(needed)]
}
