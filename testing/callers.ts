// Test support: who calls, as the service knows them once they have signed in.
import type { Caller } from '../service/http/caller.ts'

export const UMA: Extract<Caller, { kind: 'user' }> = {
  kind: 'user',
  userId: 'user-1',
  name: 'Uma One',
  email: 'uma@acme.example',
  isFresh: true,
  sessionId: 's1',
  tenantIds: ['acme'],
  roles: { acme: 'support' },
  selectedTenantId: null,
  scopes: [],
}
