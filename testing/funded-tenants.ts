// Test support: lenders with a first payment, one after another.

import { topUp } from '../service/ledger/ledger.ts'
import { createTenant } from '../service/ledger/tenants.ts'
import type { Database } from '../service/store/database.ts'

/** Each call makes one, with `tenant-1` first. */
export function fundedTenants(database: () => Database, nowMs: number): (credits: number) => Promise<string> {
  let tenants = 0
  return async (credits) => {
    tenants += 1
    const tenantId = `tenant-${tenants}`
    await database().transaction(async (queries) => {
      await createTenant(queries, { id: tenantId, name: 'Tenant', nowMs })
      await topUp(queries, { tenantId, credits, reference: 'first', nowMs })
    })
    return tenantId
  }
}
