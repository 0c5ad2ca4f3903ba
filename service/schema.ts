// Every table of the machine API, in the order they are made. Each folder has one baseline; later releases add migrations at the end.
import { auditTables } from './audit/tables.ts'
import { deviceTables } from './devices/tables.ts'
import { rateLimitTables } from './http/tables.ts'
import { idempotencyTables } from './idempotency/tables.ts'
import { doctorReportTables } from './integration/tables.ts'
import { creditReportTables, personSearchTables, reportPersonTables } from './reports/tables.ts'
import { statTables } from './stats/tables.ts'
import type { Migration } from './store/migration.ts'
import { storeTables } from './store/tables.ts'
import { tenantTables } from './tenants/tables.ts'
import { textClaimTables, textTables } from './texts/tables.ts'
import { tokenTables } from './tokens/tables.ts'
import { spendTables, walletMonthTables, walletTables } from './wallet/tables.ts'
import { webhookTables } from './webhooks/tables.ts'

export const serviceTables: readonly Migration[] = [
  storeTables,
  rateLimitTables,
  tenantTables,
  tokenTables,
  deviceTables,
  walletTables,
  creditReportTables,
  idempotencyTables,
  textTables,
  textClaimTables,
  spendTables,
  personSearchTables,
  reportPersonTables,
  walletMonthTables,
  webhookTables,
  auditTables,
  statTables,
  doctorReportTables,
]
