// Every table of the machine API, in the order they are made. Each folder writes its own; this list hands them to the store.

import { auditChainTables, auditObjectTables, auditSearchTables, auditTables } from './audit/tables.ts'
import { deviceTables } from './devices/tables.ts'
import { rateLimitTables } from './http/tables.ts'
import { idempotencyTables } from './idempotency/tables.ts'
import { doctorReportTables } from './integration/tables.ts'
import {
  creditReportTables,
  personSearchTables,
  reportAgencyTables,
  reportHistoryTables,
  reportMatchTables,
  reportOpeningTables,
  reportPersonTables,
  reportReferenceTables,
  reportSearchTables,
  retentionScanTables,
  testReportTables,
} from './reports/tables.ts'
import { statTables, versionSeenTables } from './stats/tables.ts'
import type { Migration } from './store/migration.ts'
import { backupTables, sweepTurnTables, writeTrialTables } from './store/tables.ts'
import {
  tenantLimitTables,
  tenantPolicyTables,
  tenantRetentionTables,
  tenantSuspensionTables,
  tenantTables,
} from './tenants/tables.ts'
import { textOwnerTables, textTables } from './texts/tables.ts'
import { clientTables, clientUseTables, signingKeyStartTables } from './tokens/tables.ts'
import {
  spendTables,
  walletAgencyTables,
  walletMonthPastTables,
  walletMonthTables,
  walletReasonTables,
  walletRestoreTables,
  walletTables,
} from './wallet/tables.ts'
import { webhookAttemptTables, webhookTables } from './webhooks/tables.ts'

// A name that has been released is never changed or moved: a new idea is a new migration at the end.
export const serviceTables: readonly Migration[] = [
  tenantTables,
  walletTables,
  creditReportTables,
  idempotencyTables,
  deviceTables,
  rateLimitTables,
  clientTables,
  textTables,
  tenantPolicyTables,
  signingKeyStartTables,
  writeTrialTables,
  textOwnerTables,
  tenantLimitTables,
  sweepTurnTables,
  reportReferenceTables,
  spendTables,
  walletRestoreTables,
  webhookTables,
  auditTables,
  backupTables,
  auditChainTables,
  personSearchTables,
  tenantSuspensionTables,
  walletReasonTables,
  reportAgencyTables,
  walletAgencyTables,
  reportPersonTables,
  tenantRetentionTables,
  reportMatchTables,
  testReportTables,
  retentionScanTables,
  reportHistoryTables,
  reportSearchTables,
  auditObjectTables,
  statTables,
  walletMonthTables,
  walletMonthPastTables,
  auditSearchTables,
  clientUseTables,
  webhookAttemptTables,
  versionSeenTables,
  doctorReportTables,
  reportOpeningTables,
]
