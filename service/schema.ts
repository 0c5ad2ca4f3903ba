// Every table of the machine API, in the order they are made. Each folder has one baseline; later releases add migrations at the end.
import { auditTables } from '../plugins/audit/tables.ts'
import { doctorReportTables } from '../plugins/stats/doctor-tables.ts'
import { statTables } from '../plugins/stats/tables.ts'
import { webhookTables } from '../plugins/webhooks/tables.ts'
import { idempotencyTables } from './check/idempotency-tables.ts'
import { creditReportTables, personSearchTables, reportPersonTables } from './check/tables.ts'
import { deviceTables } from './devices/tables.ts'
import { rateLimitTables } from './http/tables.ts'
import { spendTables, walletMonthTables, walletTables } from './ledger/tables.ts'
import { tenantTables } from './ledger/tenant-tables.ts'
import type { Migration } from './store/migration.ts'
import { storeTables } from './store/tables.ts'
import { textClaimTables, textTables } from './texts/tables.ts'
import { tokenTables } from './tokens/tables.ts'

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
