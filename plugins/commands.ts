// The operator's commands of the core and of every plugin.

import type { Command } from '../service/command.ts'
import type { Plugin, SealedTable } from '../service/plugin.ts'
import { commandOf } from './act-command.ts'
import { backupCommands, migrateCommand } from './admin/backup.ts'
import { tenantActs } from './admin/tenant-acts.ts'
import { tenantCommands } from './admin/tenants.ts'
import { verifyCommand } from './admin/verify.ts'
import { auditCommand } from './audit/audit-commands.ts'
import { writeAudit } from './audit/store.ts'
import { clients } from './clients/index.ts'
import { limitActs } from './limits/acts.ts'
import { enrol } from './limits/spend-caps.ts'
import { findReportsCommand } from './look-up/find-command.ts'
import { peopleActs } from './people/acts.ts'
import { forgetPerson } from './people/people.ts'
import { eraseCommand, personEraseCommand, personFindCommand } from './people/people-commands.ts'
import { moveCommand } from './postgres/move-command.ts'
import { coreSealed } from './sealed-tables.ts'
import { walletActs } from './statement/acts.ts'
import { ledgerCommand, reconcileCommand } from './statement/wallet-commands.ts'
import { webhookActs } from './webhooks/acts.ts'
import { forgetDeliveries } from './webhooks/deliveries.ts'
import { webhookSealed } from './webhooks/tables.ts'
import { listWebhooksCommand } from './webhooks/webhook-commands.ts'

/**
 * The commands of plugins, and the moments that commands cause: a lender is made, a report is erased, something is
 * done.
 */
export const commandPlugins: readonly Plugin[] = [
  { name: 'limits', on: { enrol }, acts: limitActs },
  { name: 'admin', acts: tenantActs },
  { name: 'statement', acts: walletActs },
  { name: 'people', on: { erase: forgetPerson }, acts: peopleActs },
  { name: 'webhooks', on: { erase: forgetDeliveries }, acts: webhookActs, commands: [listWebhooksCommand] },
  { name: 'audit', on: { act: writeAudit } },
  clients,
]

/** Those of its acts, and its own. */
export function commandsOf({ acts = [], commands = [] }: Plugin): readonly Command[] {
  return [...acts.filter(({ doors }) => doors.includes('admin')).map(commandOf), ...commands]
}

/** Besides those of `commandPlugins`. */
export const allCommands: readonly Command[] = [
  ...tenantCommands,
  auditCommand,
  ledgerCommand,
  reconcileCommand,
  findReportsCommand,
  eraseCommand,
  personFindCommand,
  personEraseCommand,
  migrateCommand,
  moveCommand,
  ...backupCommands,
  verifyCommand,
]

/** Every table with wrapped data keys, but for the portal's. */
export const sealedTables: readonly SealedTable[] = [...coreSealed, ...webhookSealed]
