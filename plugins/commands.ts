// The operator's commands of the core and of every plugin.
import type { Command } from '../service/command.ts'
import type { Plugin, SealedTable } from '../service/plugin.ts'
import { backupCommands, migrateCommand } from './admin/backup.ts'
import { tenantCommands } from './admin/tenants.ts'
import { verifyCommand } from './admin/verify.ts'
import { auditCommand } from './audit/audit-commands.ts'
import { writeAudit } from './audit/store.ts'
import { clientCommands } from './clients/client-commands.ts'
import { capsCommand } from './limits/cap-commands.ts'
import { lowBalanceCommand } from './limits/low-balance-command.ts'
import { enrol } from './limits/spend-caps.ts'
import { findReportsCommand } from './look-up/find-command.ts'
import { forgetPerson } from './people/people.ts'
import { eraseCommand, personEraseCommand, personFindCommand, retentionCommand } from './people/people-commands.ts'
import { moveCommand } from './postgres/move-command.ts'
import { coreSealed } from './sealed-tables.ts'
import { correctCommand, ledgerCommand, reconcileCommand, topUpCommand } from './statement/wallet-commands.ts'
import { forgetDeliveries } from './webhooks/deliveries.ts'
import { webhookSealed } from './webhooks/tables.ts'
import { webhookCommands } from './webhooks/webhook-commands.ts'

export const allCommands: readonly Command[] = [
  ...tenantCommands,
  retentionCommand,
  ...clientCommands,
  topUpCommand,
  correctCommand,
  capsCommand,
  lowBalanceCommand,
  auditCommand,
  ledgerCommand,
  reconcileCommand,
  findReportsCommand,
  ...webhookCommands,
  eraseCommand,
  personFindCommand,
  personEraseCommand,
  migrateCommand,
  moveCommand,
  ...backupCommands,
  verifyCommand,
]

/** The moments that commands cause: a lender is made, a report is erased, something is done. */
export const commandPlugins: readonly Plugin[] = [
  { name: 'limits', on: { enrol } },
  { name: 'people', on: { erase: forgetPerson } },
  { name: 'webhooks', on: { erase: forgetDeliveries } },
  { name: 'audit', on: { act: writeAudit } },
]

/** Every table with wrapped data keys, but for the portal's. */
export const sealedTables: readonly SealedTable[] = [...coreSealed, ...webhookSealed]
