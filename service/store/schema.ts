// Every table of the service, in the order they are made. Each part writes its own; this list only says which.
import { creditReportTables } from '../credit-reports/tables.ts'
import { deviceTables } from '../devices/tables.ts'
import { rateLimitTables } from '../http/tables.ts'
import { idempotencyTables } from '../idempotency/tables.ts'
import { identityTables, signingKeyStartTables, userTables } from '../identity/tables.ts'
import { tenantPolicyTables, tenantTables } from '../tenants/tables.ts'
import { textTables } from '../texts/tables.ts'
import { walletTables } from '../wallet/tables.ts'
import type { Migration } from './migration.ts'

// A name that has been released is never changed or moved: a new idea is a new migration at the end.
export const migrations: readonly Migration[] = [
  tenantTables,
  walletTables,
  creditReportTables,
  idempotencyTables,
  deviceTables,
  rateLimitTables,
  identityTables,
  textTables,
  tenantPolicyTables,
  userTables,
  signingKeyStartTables,
]
