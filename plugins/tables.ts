import type { Migration } from '../service/store/migration.ts'
import { auditTables } from './audit/tables.ts'
import { limitTables } from './limits/tables.ts'
import { peopleTables } from './people/tables.ts'
import { refusalTables } from './refusals/tables.ts'
import { statementTables } from './statement/tables.ts'
import { doctorReportTables } from './stats/doctor-tables.ts'
import { statTables } from './stats/tables.ts'
import { webhookTables } from './webhooks/tables.ts'

/** In the order they are made. */
export const pluginTables: readonly Migration[] = [
  limitTables,
  peopleTables,
  statementTables,
  webhookTables,
  auditTables,
  statTables,
  refusalTables,
  doctorReportTables,
]
