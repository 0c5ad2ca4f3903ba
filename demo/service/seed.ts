// The rows that `DEMO=1` puts into the database.

import { DAY_MS } from '../../kit/clock.ts'
import { createUsers } from '../../portal/identity/users.ts'
import { topUp } from '../../service/ledger/ledger.ts'
import { createTenant } from '../../service/ledger/tenants.ts'
import type { Database } from '../../service/store/database.ts'
import { createClients, SCOPES } from '../../service/tokens/clients.ts'
import { HISTORY_DAYS, type History, writeHistory } from './history.ts'

/** A tenant each, with an API client of the same name. The secrets are public: production refuses the demo. */
export const DEMO_TENANTS = [
  // Its shop is on this machine: texts end with the line that lets a phone offer the code there.
  { id: 'demo-lender', name: 'Wrenfield', secret: 'demo-secret', credits: 1_000_000, checkoutHost: 'localhost' },
  { id: 'other-lender', name: 'Other Lender', secret: 'other-secret', credits: 1_000_000, checkoutHost: null },
  { id: 'empty-lender', name: 'Empty Lender', secret: 'empty-secret', credits: 0, checkoutHost: null },
] as const

/**
 * Someone who works at the demo's lender. The password is `demo-password`; its hash is made once, so that a start stays
 * quick.
 */
const DEMO_USER = {
  email: 'sam@demo-lender.example',
  firstName: 'Sam',
  lastName: 'Lee',
  tenantIds: ['demo-lender'],
  passwordHash: 'scrypt$32768$8$3$ZGVtby1sZW5kZXIgc2FsdA$lLDhC1zfEw76k8ddbtCsdfosKhLdQLOHKKxNUtA5qSg',
} as const

/** One for each other role, with the same password: to see what each sees. */
const COLLEAGUES = [
  { email: 'dev@demo-lender.example', firstName: 'Devi', lastName: 'Rao', role: 'developer' },
  { email: 'sue@demo-lender.example', firstName: 'Sue', lastName: 'Hart', role: 'support' },
  { email: 'finn@demo-lender.example', firstName: 'Finn', lastName: 'Moss', role: 'finance' },
  { email: 'ada@demo-lender.example', firstName: 'Ada', lastName: 'Okoro', role: 'auditor' },
] as const

type Past = Omit<History, 'tenantId' | 'person' | 'nowMs'>

/** Safe at every start, from any number of processes: what is there stays as it is. */
export async function seedDemo(
  database: Database,
  { past, nowMs }: { past: Past | null; nowMs: number },
): Promise<void> {
  const beganAtMs = past === null ? nowMs : nowMs - HISTORY_DAYS * DAY_MS
  // Clients and people are as old as their lender.
  const clock = () => beganAtMs
  const [clients, users] = [createClients({ database, clock }), createUsers({ database, clock })]
  const made: string[] = []
  for (const { id, name, secret, credits, checkoutHost } of DEMO_TENANTS) {
    const isNew = await database.transaction(async (queries) => {
      const tenant = { id, name, ...(checkoutHost === null ? {} : { checkoutHost }), nowMs: beganAtMs }
      const isNew = await createTenant(queries, tenant)
      if (credits > 0) await topUp(queries, { tenantId: id, credits, reference: 'demo', nowMs: beganAtMs })
      return isNew
    })
    if (isNew) made.push(id)
    await clients.create(database, { id, tenantId: id, secret, scopes: SCOPES })
  }
  const user = await users.create(database, DEMO_USER)
  const [tenantId] = DEMO_USER.tenantIds
  if (past === null || user === null || !made.includes(tenantId)) return
  const { passwordHash, tenantIds } = DEMO_USER
  for (const colleague of COLLEAGUES) await users.create(database, { ...colleague, passwordHash, tenantIds })
  const person = { id: user.id, name: `${user.firstName} ${user.lastName}`, email: user.email }
  await database.transaction((queries) => writeHistory(queries, { ...past, tenantId, person, nowMs }))
}
