// The tables of the core, in the order they are made. Each room has one baseline; later releases add migrations at the
// end.
import { checkTables } from './check/tables.ts'
import { deviceTables } from './devices/tables.ts'
import { requestTables } from './http/tables.ts'
import { ledgerTables } from './ledger/tables.ts'
import { tenantTables } from './ledger/tenant-tables.ts'
import type { Migration } from './store/migration.ts'
import { storeTables } from './store/tables.ts'
import { textTables } from './texts/tables.ts'
import { tokenTables } from './tokens/tables.ts'

export const coreTables: readonly Migration[] = [
  storeTables,
  requestTables,
  tenantTables,
  ledgerTables,
  tokenTables,
  deviceTables,
  checkTables,
  textTables,
]
