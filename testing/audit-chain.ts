// Test support: the sweeps and the check of the audit trail on a database, with a clock that tests move.
import { forgetOldAudit, linkAudit, publishHeads } from '../plugins/audit/chain.ts'
import { checkChains, verifyTrail } from '../plugins/audit/check-chain.ts'
import type { AuditEvent } from '../plugins/audit/store.ts'
import { createSilentLog } from '../service/log.ts'
import type { Core } from '../service/plugin.ts'
import type { Database } from '../service/store/database.ts'
import { openSigningKeys } from '../service/tokens/signing-keys.ts'

const WRAPPING_KEY = new Uint8Array(32).fill(7)

export const SAMPLE_EVENT: AuditEvent = {
  atMs: Date.now(),
  tenantId: 'acme',
  actorKind: 'person',
  actorId: 'u1',
  actorName: 'Uma One',
  actorEmail: 'uma@acme.example',
  action: 'client.create',
  object: 'acme-1',
  change: { from: 'support', to: 'owner' },
  address: '203.0.113.7',
  outcome: 'done',
}

type Options = { log?: ReturnType<typeof createSilentLog>; announce?: Core['announce'] }

export async function openChain(
  database: Database,
  { log = createSilentLog(), announce = async () => [] }: Options = {},
) {
  const time = { nowMs: Date.now() }
  const clock = () => time.nowMs
  const keys = await openSigningKeys({ database, wrappingKeys: [WRAPPING_KEY], clock })
  const chain = { database, keys, clock, log }
  return {
    time,
    keys,
    link: () => linkAudit(chain),
    async linkAll() {
      while ((await linkAudit(chain)) > 0) {}
    },
    publish: () => publishHeads({ ...chain, announce }),
    forget: (beforeMs: number) => forgetOldAudit(chain, beforeMs),
    check: () => checkChains(chain),
    problems: async () => (await verifyTrail(database, keys, time.nowMs)).problems,
    verify: () => verifyTrail(database, keys, time.nowMs),
    /** As the owner of the tables. */
    async disarm() {
      for (const table of ['audit_event', 'audit_kept_head']) await dropTriggers(database, table)
    },
  }
}

async function dropTriggers(database: Database, table: string): Promise<void> {
  if (database.engine === 'postgres') {
    await database.run(`ALTER TABLE ${table} DISABLE TRIGGER USER`)
    return
  }
  const made = `SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = ?`
  for (const { name } of await database.all(made, table)) await database.run(`DROP TRIGGER ${name}`)
}
