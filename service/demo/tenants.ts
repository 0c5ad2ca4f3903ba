// What `DEMO=1` puts into an empty database.
import type { Queries } from '../store/database.ts'
import { createTenant } from '../tenants/store.ts'
import { topUp } from '../wallet/store.ts'

export const DEMO_TENANTS = [
  { id: 'demo-lender', name: 'Demo Lender', credits: 1_000_000 },
  { id: 'other-lender', name: 'Other Lender', credits: 1_000_000 },
  { id: 'empty-lender', name: 'Empty Lender', credits: 0 },
] as const

/** Safe to run at every start: what is there stays as it is. */
export async function seedDemoTenants(queries: Queries, nowMs: number): Promise<void> {
  for (const { id, name, credits } of DEMO_TENANTS) {
    await createTenant(queries, { id, name, nowMs })
    if (credits > 0) await topUp(queries, { tenantId: id, credits, reference: 'demo', nowMs })
  }
}
