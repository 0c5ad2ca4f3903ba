// The audit trail: who did what, on what, from where, and how it ended, in a hash chain. For lenders and auditors.
import type { Clock } from '../../kit/clock.ts'
import type { Config } from '../../service/config.ts'
import type { Log } from '../../service/log.ts'
import type { Plugin } from '../../service/plugin.ts'
import type { Database } from '../../service/store/database.ts'
import { auditCommand } from './audit-commands.ts'
import { createAuditRequests } from './audit-requests.ts'
import { auditRoutes } from './audit-routes.ts'
import { forgetOldAudit, linkAudit, publishHeads } from './chain.ts'
import { checkChains } from './check-chain.ts'
import { auditRows } from './operations.ts'
import { writeAudit } from './store.ts'
import { auditTables } from './tables.ts'
import { tellReaders } from './timeline.ts'

export type AuditOptions = { config: Config; database: Database; clock: Clock; log: Log }

export function audit({ config, database, clock, log }: AuditOptions): Plugin {
  const auditRequests = createAuditRequests({ clock, log })
  return {
    name: 'audit',
    tables: [auditTables],
    on: { act: writeAudit },
    timeline: tellReaders,
    request: (_core, rule) => (rule.audit === undefined ? null : auditRequests({ filesOnly: rule.filesOnly === true })),
    serve: async () => ({ routes: auditRoutes({ database }), rows: [auditRows] }),
    sweeps: ({ tokens, announce }) => {
      const chain = { database, clock, log, keys: tokens.signingKeys }
      return {
        auditLinks: () => linkAudit(chain),
        auditHeads: () => publishHeads({ ...chain, announce }),
        auditChains: () => checkChains(chain),
        oldAudit: () => forgetOldAudit(chain, clock() - config.auditRetentionMs),
      }
    },
    commands: [auditCommand],
  }
}
