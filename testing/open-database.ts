// Test support: a database with every table there is, the portal's included.

import { hostedLinkColumns, hostedTables, linkCheckColumns, pageColumns, visitColumns } from '../hosted/tables.ts'
import { auditColumns, auditHeadColumns, auditKeptHeadColumns } from '../plugins/audit/tables.ts'
import { spendAlertColumns, spendColumns } from '../plugins/limits/tables.ts'
import { type DatabaseLocation, openDatabase } from '../plugins/postgres/open-database.ts'
import { refusalColumns, refusalHourColumns } from '../plugins/refusals/tables.ts'
import { walletDayColumns } from '../plugins/statement/tables.ts'
import { doctorReportColumns } from '../plugins/stats/doctor-tables.ts'
import { statColumns, versionSeenColumns } from '../plugins/stats/tables.ts'
import { pluginTables } from '../plugins/tables.ts'
import { deliveryColumns, endpointColumns } from '../plugins/webhooks/tables.ts'
import { linkColumns, portalTables, pressColumns, userColumns, userSessionColumns } from '../portal/tables.ts'
import { keyUseColumns, reportColumns, sealedColumns } from '../service/check/tables.ts'
import { sessionColumns } from '../service/devices/tables.ts'
import { keptAnswerColumns, rateLimitColumns } from '../service/http/tables.ts'
import { walletColumns, walletLineColumns } from '../service/ledger/tables.ts'
import { tenantColumns } from '../service/ledger/tenant-tables.ts'
import { coreTables } from '../service/schema.ts'
import type { Database } from '../service/store/database.ts'
import type { Columns } from '../service/store/rows.ts'
import type { SqliteOptions } from '../service/store/sqlite.ts'
import { textMessageColumns } from '../service/texts/tables.ts'
import { clientColumns, clientSecretColumns, signingKeyColumns } from '../service/tokens/tables.ts'

export const ALL_TABLES = [...coreTables, ...pluginTables, hostedTables, ...portalTables]

/** The columns that the code reads of each table. */
export const ALL_COLUMNS: { readonly [table: string]: Columns } = {
  api_client: clientColumns,
  api_client_secret: clientSecretColumns,
  audit_event: auditColumns,
  audit_head: auditHeadColumns,
  audit_kept_head: auditKeptHeadColumns,
  console_press: pressColumns,
  credit_report: reportColumns,
  device_session: sessionColumns,
  doctor_report: doctorReportColumns,
  hosted_check: linkCheckColumns,
  hosted_link: hostedLinkColumns,
  hosted_page: pageColumns,
  hosted_visit: visitColumns,
  idempotency: keyUseColumns,
  kept_answer: keptAnswerColumns,
  one_time_link: linkColumns,
  rate_limit: rateLimitColumns,
  sealed_report: sealedColumns,
  signing_key: signingKeyColumns,
  spend: spendColumns,
  spend_alert: spendAlertColumns,
  refusal: refusalColumns,
  refusal_hour: refusalHourColumns,
  stat: statColumns,
  tenant: tenantColumns,
  text_message: textMessageColumns,
  user_account: userColumns,
  user_session: userSessionColumns,
  version_seen: versionSeenColumns,
  wallet: walletColumns,
  wallet_line: walletLineColumns,
  wallet_day: walletDayColumns,
  webhook_delivery: deliveryColumns,
  webhook_endpoint: endpointColumns,
}

/** No test fails because PostgreSQL or the machine is slow. */
export const PATIENT = { timeoutMs: 60_000, probeTimeoutMs: 60_000 }

export function openTestDatabase(location: DatabaseLocation, role?: SqliteOptions['role']): Promise<Database> {
  const { timeoutMs = PATIENT.timeoutMs } = location.postgres ?? {}
  const postgres = { ...location.postgres, timeoutMs, probeTimeoutMs: timeoutMs }
  return openDatabase({ ...location, postgres }, { migrations: ALL_TABLES, role })
}
